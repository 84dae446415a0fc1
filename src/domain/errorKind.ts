/**
 * How to react to an error of the API. The reaction depends on the kind, not on the HTTP status. The catalogue
 * (`src/api/errors`) gives each code its kind; the contract of an endpoint may override it. Reactions:
 * docs/architecture.md#errors-are-sorted-by-code.
 *
 * - `transient`  nothing is wrong with the request: retry with backoff and the same idempotency key
 * - `throttled`  HTTP 429: the bucket pauses until `Retry-After`
 * - `wait`       the API says "not yet": send again later with the same key
 * - `renew`      a token, ciphertext or challenge must be replaced before the request is sent again
 * - `resolve`    the resource exists already, or the reaction depends on its state: look it up, then adopt it or fail
 * - `user`       the end user has to act
 * - `attention`  the integrator's staff has to act; the flow waits for a decision
 * - `halt`       the entity's credentials or access do not work: nothing more is sent until they do
 * - `refused`    final for this request
 */
export const ERROR_KINDS = [
  'transient',
  'throttled',
  'wait',
  'renew',
  'resolve',
  'user',
  'attention',
  'halt',
  'refused',
] as const;

export type ErrorKind = (typeof ERROR_KINDS)[number];
