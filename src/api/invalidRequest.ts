import type { z } from 'zod';

/** A field of a request that does not match the contract. */
export interface FieldProblem {
  /** `body.amounts[0]`. */
  field: string;
  /** What is wrong and what is required. Never contains the value. */
  problem: string;
}

/**
 * A request that was not sent because it does not match the contract: a mistake in the calling code. Names the endpoint
 * and every wrong field, and never contains a value.
 */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequest';

  constructor(
    readonly endpoint: string,
    readonly problems: readonly FieldProblem[],
  ) {
    super(`${endpoint}: ${problems.map(({ field, problem }) => `${field} ${problem}`).join('; ')}`);
  }
}

/** Readable problems of one part (`params`, `query`, `body`) of a request. */
export function problemsOf(part: string, input: unknown, error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => {
    const problem = valueAt(input, issue.path) === undefined ? 'is missing: ' : '';
    return { field: fieldName(part, issue.path), problem: `${problem}${requirementText(issue)}` };
  });
}

/** `body`, `['amounts', 0]` → `body.amounts[0]` */
export function fieldName(part: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}.${String(key)}`),
    part,
  );
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
}

type Issue = z.core.$ZodIssue;

function requirementText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return `has the wrong type: ${issue.errors.flatMap((errors) => errors.slice(0, 1).map(requirementText)).join(', or ')}`;
    case 'too_small':
      return bound(issue, `at least ${issue.minimum}`);
    case 'too_big':
      return bound(issue, `at most ${issue.maximum}`);
    case 'custom':
      // The contract defines this message. It describes the field, never the value.
      return issue.message;
    default:
      return 'does not match the contract';
  }
}

/** `must have at least 5 characters`, `must be at most 200`. */
function bound({ origin }: { origin: string }, limit: string): string {
  if (origin === 'string') return `must have ${limit} characters`;
  return origin === 'array' ? `must have ${limit} elements` : `must be ${limit}`;
}
