/** Size of a value as JSON in UTF-8. Temporal's limit of 2 MB for one payload counts these bytes. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
