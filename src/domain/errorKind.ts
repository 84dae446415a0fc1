/**
 * What kind of answer an API error is. The kind, not the HTTP status, decides the reaction (DESIGN rule 3); the catalogue
 * (`src/api/errors`) gives every code its kind, an endpoint may override it in the contract.
 *
 * - `transient`  nothing is wrong with the request: back off, send again with the same idempotency key
 * - `throttled`  HTTP 429: the bucket pauses until `Retry-After`
 * - `wait`       the API says "not yet": again later with the same key
 * - `renew`      a token, ciphertext or challenge has to be made anew, then again
 * - `resolve`    it exists already, or its state decides: look it up, compare, adopt or refuse
 * - `user`       the end user has to act
 * - `attention`  a person at the integrator has to act; the flow waits and can be told to retry
 * - `halt`       the entity's credentials or access are broken: nothing is sent for it until they are mended
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
