import type { OperationId } from '../../api/contract';
import type { ApiErrorResponse } from '../errors/apiErrorResponse';
import { changeField } from '../faults/changeField';
import type { FaultAction } from '../faults/requestFaults';
import type { SuccessResponse } from './pipeline';

/** A response as it is sent. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Breaks the connection: before the first byte (`all`) or halfway through the body (`half`). */
  breakAt?: 'all' | 'half';
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
/** Seconds; one window of a rate limit. */
const RETRY_AFTER_S = 1;
const PROXY_PAGE = '<!doctype html><html><head><title>Gateway</title></head><body><h1>Please wait</h1></body></html>';

export function successResponse({ status, headers, body }: SuccessResponse): RawResponse {
  if (body === undefined) return { status, headers, body: '' };
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

/** Error body `{ code, message, errors? }`: docs/api-behavior.md#envelopes-errors-and-paging */
export function errorResponse({ status, code, message, errors, retryAfterS }: ApiErrorResponse): RawResponse {
  return { status, headers: errorHeaders(status, retryAfterS), body: JSON.stringify({ code, message, errors }) };
}

/**
 * Error body of the attestation host, without a code: `{ error }`, and `{ message, error }` for a re-attestation that is
 * not possible (docs/api-behavior.md#cross-chain-attestations).
 */
export function attestationErrorResponse(
  operation: OperationId,
  { status, message, retryAfterS }: ApiErrorResponse,
): RawResponse {
  const isReattestation = operation === 'requestReattestation' && status === 400;
  return {
    status,
    headers: errorHeaders(status, retryAfterS),
    body: JSON.stringify(isReattestation ? { message, error: 'Bad Request' } : { error: message }),
  };
}

function errorHeaders(status: number, retryAfterS = RETRY_AFTER_S): Record<string, string> {
  return { ...JSON_TYPE, ...(status === 429 && { 'retry-after': String(retryAfterS) }) };
}

/**
 * The response that a fault substitutes.
 * @param response undefined if the request was not handled
 */
export function faultResponse(
  action: Exclude<FaultAction, { delayMs: number }>,
  response: RawResponse | undefined,
): RawResponse {
  if ('status' in action) {
    const { status, code = status, body = { code, message: 'Injected fault' }, headers } = action;
    return {
      status,
      headers: { ...JSON_TYPE, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    };
  }
  if ('html' in action)
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: PROXY_PAGE };
  if ('redirect' in action) return { status: 302, headers: { location: action.redirect }, body: '' };
  if (!response || 'drop' in action) return { status: 0, headers: {}, body: '', breakAt: 'all' };
  // An empty body cannot be cut in half, so the whole response is lost.
  if ('truncate' in action) return { ...response, breakAt: response.body === '' ? 'all' : 'half' };
  const change = (json: unknown) => ('field' in action ? changeField(json, action) : withWrongTypes(json));
  return { ...response, body: response.body && JSON.stringify(change(JSON.parse(response.body))) };
}

/** Keeps the structure and changes the type of every leaf: strings become numbers, everything else becomes a string. */
function withWrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWrongTypes);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withWrongTypes(part)]));
  }
  return typeof value === 'string' ? value.length : String(value);
}
