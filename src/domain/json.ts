/** Lists and objects within one another, at most: more than any request needs, and far less than a stack holds. */
export const DEEPEST_JSON = 64;

/** What can't be sent as JSON, or would come out as something else; and where. */
export interface JsonProblem {
  path: (string | number)[];
  /** Never holds the value. */
  problem: string;
}

/**
 * The first part of a value that is no JSON, or undefined: numbers that aren't finite, big integers, functions, symbols,
 * what nests deeper than `DEEPEST_JSON` or contains itself. What is undefined counts as left out.
 */
export function jsonProblem(value: unknown, path: readonly (string | number)[] = []): JsonProblem | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? undefined : { path: [...path], problem: 'needs to be a finite number' };
    case 'bigint':
      return { path: [...path], problem: 'needs to be a number or a text: JSON has no big integers' };
    case 'function':
    case 'symbol':
      return { path: [...path], problem: 'needs to be a value that JSON has' };
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return undefined;
  // Naming all the steps down to it would help nobody.
  if (path.length >= DEEPEST_JSON) {
    return { path: path.slice(0, 1), problem: `needs to nest at most ${DEEPEST_JSON} deep, and not to contain itself` };
  }
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, part] of parts) {
    const found = jsonProblem(part, [...path, key]);
    if (found) return found;
  }
  return undefined;
}
