import { z } from 'zod';
import { ApiErrorResponse, type FieldError } from '../errors/apiErrorResponse';

type Issue = z.core.$ZodIssue;

/**
 * Parses a value.
 * @throws ApiErrorResponse 2 (400) with an entry of `errors` for every invalid field
 */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ApiErrorResponse(2, {
    message: 'API parameter invalid',
    errors: result.error.issues.map((issue) => fieldErrorOf(issue, valueAt(value, issue.path))),
  });
}

/** An entry of `errors` for a required field that is not part of a schema. */
export function requiredField(location: string): FieldError {
  return { error: 'required', message: `${location} is required`, location };
}

/**
 * Query and path parameters arrive as strings. Converts those for which the schema expects a number or boolean. A string
 * that cannot be converted stays, and the schema rejects it.
 */
export function coerce(schema: z.ZodType, parameters: Record<string, unknown>): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return parameters;
  const shape = schema.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const expected = shape[name] && innermost(shape[name]);
      if (expected instanceof z.ZodNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) {
        return [name, Number(value)];
      }
      if (expected instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return [name, value === 'true'];
      return [name, value];
    }),
  );
}

function innermost(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? innermost(schema.unwrap() as z.ZodType) : schema;
}

/** The value at an issue's path. The issue's own `input` may be the whole object around the field. */
function valueAt(value: unknown, path: Issue['path']): unknown {
  return path.reduce((part: unknown, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

function fieldErrorOf(issue: Issue, input: unknown): FieldError {
  const location = issue.path
    .map((part, n) => (typeof part === 'number' ? `[${part}]` : n ? `.${String(part)}` : part))
    .join('');
  const { error, constraints } = describe(issue, input);
  return {
    error,
    message:
      error === 'required' && issue.code !== 'custom' ? `${location} is required` : `${location}: ${issue.message}`,
    location,
    ...(isShown(input) && { invalidValue: input }),
    ...(constraints && { constraints }),
  };
}

/** Arrays and objects are left out: they could be arbitrarily large. */
function isShown(input: unknown): boolean {
  return input !== undefined && (typeof input !== 'object' || input === null);
}

/** The API's name for the problem, and the constraint that the value violates. */
function describe(issue: Issue, input: unknown): { error: string; constraints?: Record<string, unknown> } {
  if (input === undefined) return { error: 'required' };
  switch (issue.code) {
    case 'too_small':
      return isNumeric(issue.origin)
        ? { error: 'min_value', constraints: { min: issue.minimum, inclusive: issue.inclusive ?? true } }
        : { error: 'length_outside_bounds', constraints: { min: issue.minimum } };
    case 'too_big':
      return isNumeric(issue.origin)
        ? { error: 'max_value', constraints: { max: issue.maximum, inclusive: issue.inclusive ?? true } }
        : { error: 'length_outside_bounds', constraints: { max: issue.maximum } };
    case 'invalid_format':
      return { error: 'pattern_mismatch', constraints: { pattern: issue.format } };
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int'
        ? { error: 'number_format' }
        : { error: 'invalid_value', constraints: { type: issue.expected } };
    case 'invalid_value':
      return { error: 'invalid_value', constraints: { values: issue.values } };
    case 'unrecognized_keys':
      return { error: 'not_required' };
    case 'custom':
      return { error: typeof issue.params?.error === 'string' ? issue.params.error : 'invalid_value' };
    default:
      return { error: 'invalid_value' };
  }
}

function isNumeric(origin: string): boolean {
  return origin === 'number' || origin === 'int' || origin === 'bigint';
}
