/** The deepest nesting of lists and objects: more than any request needs, and far less than the call stack allows. */
export const MAX_JSON_DEPTH = 64;

/** A part of a value that JSON cannot represent, or would change. */
export interface JsonProblem {
  path: (string | number)[];
  /** Does not contain the value. */
  problem: string;
}

/**
 * Finds the first part of a value that is not JSON: a number that is not finite, a big integer, a function, a symbol,
 * or an object that nests deeper than `MAX_JSON_DEPTH` or contains itself. `undefined` is treated as absent.
 * @returns undefined if the whole value is JSON
 */
export function jsonProblem(value: unknown, path: readonly (string | number)[] = []): JsonProblem | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? undefined : { path: [...path], problem: 'must be a finite number' };
    case 'bigint':
      return { path: [...path], problem: 'must be a number or a string: JSON has no big integers' };
    case 'function':
    case 'symbol':
      return { path: [...path], problem: 'must be a value that JSON can represent' };
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return undefined;
  // Report only the first step of the path; a path of 64 steps would not help anyone.
  if (path.length >= MAX_JSON_DEPTH) {
    return {
      path: path.slice(0, 1),
      problem: `must nest at most ${MAX_JSON_DEPTH} levels deep and must not contain itself`,
    };
  }
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, part] of parts) {
    const found = jsonProblem(part, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

/** Whether two values are the same JSON, in whatever order their fields are. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [fields, others] = [fieldsOf(one), fieldsOf(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    fields.size === others.size &&
    [...fields].every(([name, value]) => others.has(name) && sameJson(value, others.get(name)))
  );
}

function fieldsOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, part]) => part !== undefined));
}
