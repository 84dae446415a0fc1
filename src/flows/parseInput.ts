import type { z } from 'zod';
import { type FlowName, FLOWS } from './registry';

/** A valid input, or its problems, each as `field: what is wrong; what to do`. */
export type ParsedInput = { data: object; problems: [] } | { data?: never; problems: string[] };

/** Checks an input as a backend passes it to `start`, and fills in its defaults. */
export function parseInput(name: FlowName, input: unknown): ParsedInput {
  const { input: schema, check } = FLOWS[name];
  const parsed = schema.safeParse(input);
  if (!parsed.success) return { problems: parsed.error.issues.flatMap((issue) => issueProblems(issue, input)) };
  const found = (check as ((value: unknown) => readonly (readonly [string, string])[]) | undefined)?.(parsed.data);
  const problems = (found ?? []).map(([field, problem]) => `${field}: ${problem}`);
  return problems.length > 0 ? { problems } : { data: parsed.data, problems: [] };
}

function issueProblems(issue: z.core.$ZodIssue, input: unknown): string[] {
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${[at, key].filter(Boolean).join('.')}: is not a field of this input; remove it`);
  const missing = issue.code !== 'custom' && valueAt(input, issue.path) === undefined;
  return [`${at || 'input'}: ${missing ? `is missing; ${missingValueHint(issue)}` : wrongValue(issue)}`];
}

/** Schemas of objects have no message of their own. */
function wrongValue(issue: z.core.$ZodIssue): string {
  const isObject = issue.code === 'invalid_type' && issue.expected === 'object';
  return isObject ? 'must be an object; write { … } with its fields' : issue.message;
}

/** The remedy for a missing value, with the possible values if the schema lists them. */
function missingValueHint(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `use one of ${issue.values.join(', ')}` : 'add it';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
}
