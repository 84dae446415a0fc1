import type { Rule } from '../api/contract/endpoint';
import { findError } from '../api/errors';

/** @returns the first rule of the contract that a body breaks, as `155231 <condition>; <remedy>`; undefined if none */
export function ruleProblem<B>(rules: readonly Rule<B>[], body: B): string | undefined {
  const code = rules.find(([, isBroken]) => isBroken(body))?.[0];
  if (code === undefined) return undefined;
  const error = findError(code);
  return `${code} ${error?.condition}; ${error?.remedy}`;
}
