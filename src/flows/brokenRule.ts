import type { Rule } from '../api/contract/endpoint';
import { findError } from '../api/errors';

/** The first of the contract's rules that a body breaks, as a problem with its remedy: `155231 …; …`. */
export function brokenRule<B>(rules: readonly Rule<B>[], body: B): string | undefined {
  const code = rules.find(([, isBroken]) => isBroken(body))?.[0];
  if (code === undefined) return undefined;
  const error = findError(code);
  return `${code} ${error?.condition}; ${error?.remedy}`;
}
