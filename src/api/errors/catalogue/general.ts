import { entriesOf } from '../entry';

/**
 * Codes that do not stand for one specific condition, and statuses of responses without a code. Such a response is
 * listed under its status; some responses repeat the status as `code`, with the same meaning. The status outranks these
 * codes: see `kindOf`.
 */
// prettier-ignore
export const GENERAL_ERRORS = entriesOf([
  [-1, 'SomethingWentWrong', 400, 'transient', 'The API failed for a reason it does not name', 'send the request again with the same idempotency key; if it persists, report the request id'],
  [2, 'ParameterInvalid', 400, 'refused', 'A parameter is missing or has an invalid value', 'correct the fields that the response lists under errors'],
  [3, 'Forbidden', 403, 'halt', 'The API key may not use this endpoint', 'grant the key access to this product in the console, or configure another key'],
  [400, 'BadRequest', 400, 'refused', 'The API could not accept the request', 'compare the request with the endpoint in the contract'],
  [401, 'Unauthorized', 401, 'halt', 'The API key is missing, malformed or revoked', 'configure a valid API key for this entity'],
  [403, 'AccessDenied', 403, 'refused', 'The request is not allowed', 'check what this key and this user may do'],
  [404, 'NotFound', 404, 'refused', 'The resource or the path does not exist', 'check the ids in the request and the configured host'],
  [409, 'Conflict', 409, 'refused', 'The request conflicts with existing data', 'read the resource and compare it with the request'],
  [429, 'RateLimitExceeded', 429, 'throttled', 'The endpoint received more requests per second than it allows', 'find what else uses this key, or configure a smaller share of the limit'],
  [500, 'InternalServerError', 500, 'transient', 'The API failed internally', 'send the request again with the same idempotency key'],
  [502, 'BadGateway', 502, 'transient', 'A gateway got no usable response from the API', 'send the request again with the same idempotency key'],
  [503, 'ServiceUnavailable', 503, 'transient', 'The API is temporarily unavailable', 'send the request again with the same idempotency key; if it persists, check the status page'],
  [504, 'GatewayTimeout', 504, 'transient', 'The API did not respond to its gateway in time', 'send the request again with the same idempotency key'],
]);
