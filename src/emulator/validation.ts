import { z } from 'zod';
import { Refusal, type FieldError } from './refusal';

type Issue = z.core.$ZodIssue;

/**
 * The parsed value.
 * @throws Refusal with code 2 (400) and an entry of `errors` for every field that is wrong (api-facts 2)
 */
export function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal(2, {
    message: 'API parameter invalid',
    errors: result.error.issues.map((issue) => fieldErrorOf(issue, valueAt(value, issue.path))),
  });
}

/** An entry of `errors` for a field that a schema does not know of. */
export function requiredField(location: string): FieldError {
  return { error: 'required', message: `${location} is required`, location };
}

/**
 * Query and path parameters arrive as texts: those that the schema wants as numbers or truth values are made so. A text
 * that is none stays as it is, for the schema to refuse.
 */
export function coerce(schema: z.ZodType, given: Record<string, unknown>): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return given;
  const shape = schema.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const wanted = shape[name] && innermost(shape[name]);
      if (wanted instanceof z.ZodNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) {
        return [name, Number(value)];
      }
      if (wanted instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return [name, value === 'true'];
      return [name, value];
    }),
  );
}

function innermost(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? innermost(schema.unwrap() as z.ZodType) : schema;
}

/** Not the issue's own input: where an object was refused for one of its fields, that is the whole object. */
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

/** A list or an object would be one that nobody could read. */
function isShown(input: unknown): boolean {
  return input !== undefined && (typeof input !== 'object' || input === null);
}

/** The API's name of what is wrong (api-facts 2), and the bounds it names. */
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
