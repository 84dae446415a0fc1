import { z } from 'zod';
import { isRows } from './contract/schema';

/** A field that does not match the contract. It contains no value. */
export interface Mismatch {
  path: readonly PropertyKey[];
  /** What is wrong, in the schema library's terms: `invalid_type`. */
  code: string;
}

/** The JSON of a response, as far as it can be read. */
export interface ReadBody {
  /** The JSON without its unreadable rows, and without nulls where the contract allows a field to be missing. */
  body: unknown;
  /** Number of rows that were left out. If it is not 0, a row that is not in the list may still exist. */
  skippedRows: number;
  /** What is wrong in the skipped rows. */
  skipped: Mismatch[];
  /** Why the body as a whole cannot be read; empty if it can. */
  problems: Mismatch[];
}

/**
 * Reads JSON by its schema. The API may send null for any optional field (docs/api-behavior.md#envelopes-errors-and-paging),
 * so null counts as missing there. A row of a list (`rows` in the contract) that does not match is left out, so that one
 * strange row does not hide the others. Unknown fields and unknown enum values stay.
 */
export function readBody(schema: z.ZodType, json: unknown): ReadBody {
  const skipped: Mismatch[][] = [];
  const body = clean(schema, json, [], skipped);
  const { error } = schema.safeParse(body);
  return {
    body,
    skippedRows: skipped.length,
    skipped: skipped.flat(),
    problems: error ? mismatches(error) : [],
  };
}

function mismatches(error: z.ZodError, at: readonly PropertyKey[] = []): Mismatch[] {
  return error.issues.map(({ path, code }) => ({ path: [...at, ...path], code }));
}

/** Removes optional nulls and unreadable rows. Whatever does not fit the schema stays as it is. */
function clean(schema: z.ZodType, value: unknown, at: readonly PropertyKey[], skipped: Mismatch[][]): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return clean(schema.unwrap() as z.ZodType, value, at, skipped);
  }
  if (schema instanceof z.ZodUnion) return cleanUnion(schema.options as z.ZodType[], value, at, skipped);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return cleanArray(schema as z.ZodArray<z.ZodType>, value, at, skipped);
  }
  if (schema instanceof z.ZodObject && isObject(value)) {
    const shape = schema.shape as Record<string, z.ZodType>;
    const fields = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (!field) return [[name, part]];
      if (part === null && mayBeMissing(field)) return [];
      return [[name, clean(field, part, [...at, name], skipped)]];
    });
    return Object.fromEntries(fields);
  }
  return value;
}

function cleanArray(
  list: z.ZodArray<z.ZodType>,
  values: readonly unknown[],
  at: readonly PropertyKey[],
  skipped: Mismatch[][],
): unknown[] {
  return values.flatMap((value, index) => {
    const path = [...at, index];
    const cleaned = clean(list.element, value, path, skipped);
    const error = isRows(list) ? list.element.safeParse(cleaned).error : undefined;
    if (error) skipped.push(mismatches(error, path));
    return error ? [] : [cleaned];
  });
}

/** Reads the value as the first alternative that it matches. */
function cleanUnion(
  options: readonly z.ZodType[],
  value: unknown,
  at: readonly PropertyKey[],
  skipped: Mismatch[][],
): unknown {
  for (const option of options) {
    const skippedHere: Mismatch[][] = [];
    const cleaned = clean(option, value, at, skippedHere);
    if (!option.safeParse(cleaned).success) continue;
    skipped.push(...skippedHere);
    return cleaned;
  }
  return value;
}

/** Whether the contract allows a field to be missing, and gives null no meaning of its own. */
function mayBeMissing(field: z.ZodType): boolean {
  return field instanceof z.ZodOptional && !field.safeParse(null).success;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
