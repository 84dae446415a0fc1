/** Bytes of a value as JSON in UTF-8: what Temporal, which takes 2 MB at once, counts. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
