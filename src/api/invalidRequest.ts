import type { z } from 'zod';

/** A part of a request that the contract does not take. */
export interface FieldProblem {
  /** `body.amounts[0]`. */
  field: string;
  /** What is wrong and what is needed. Never holds the value. */
  problem: string;
}

/**
 * A request that was not sent because it does not fit the contract: a mistake of the calling code. Names the endpoint and
 * every field (DESIGN rule 14), and never holds a value.
 */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';

  constructor(
    readonly endpoint: string,
    readonly problems: readonly FieldProblem[],
  ) {
    super(`${endpoint}: ${problems.map(({ field, problem }) => `${field} ${problem}`).join('; ')}`);
  }
}

/** Readable problems of one part (`params`, `query`, `body`) of a request. */
export function problemsOf(part: string, given: unknown, error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => {
    const problem = valueAt(given, issue.path) === undefined ? 'is missing: ' : '';
    return { field: fieldName(part, issue.path), problem: `${problem}${needed(issue)}` };
  });
}

/** `body`, `['amounts', 0]` → `body.amounts[0]` */
export function fieldName(part: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}.${String(key)}`),
    part,
  );
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], given);
}

type Issue = z.core.$ZodIssue;

function needed(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `needs to be of type ${issue.expected}`;
    case 'invalid_format':
      return `needs to be a valid ${issue.format}`;
    case 'invalid_value':
      return `needs to be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return `needs another type: ${issue.errors.flatMap((errors) => errors.slice(0, 1).map(needed)).join(', or ')}`;
    case 'too_small':
      return `needs at least ${issue.minimum}${unit(issue)}`;
    case 'too_big':
      return `needs at most ${issue.maximum}${unit(issue)}`;
    case 'custom':
      // Written by the contract, about the field and not its value.
      return issue.message;
    default:
      return 'does not fit the contract';
  }
}

function unit({ origin }: { origin: string }): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' elements' : '';
}
