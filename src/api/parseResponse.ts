import { apiErrorOf, callFailure } from './apiError';
import type { Endpoint } from './contract/endpoint';
import type { HttpResponse } from './http';
import { fieldName } from './invalidRequest';
import { parseHttpDate, parseRetryAfter } from './retryAfter';

/** The logger that the client writes to. A pino logger fits. */
export interface ApiLogger {
  warn(fields: Record<string, unknown>, message: string): void;
}

/** Statuses that a proxy may send with any body: their meaning needs no body. */
const MEANINGFUL_WITHOUT_BODY: ReadonlySet<number> = new Set([401, 429]);

/**
 * The JSON of a successful response as the API sent it: unknown fields and unknown enum values stay. It is checked
 * against the contract, because a success that cannot be read has an unknown outcome. `undefined` if the contract
 * expects no body, or if there is none and the contract permits that.
 * @param requestId the id that was sent with the request
 * @throws ApiError for every other response
 */
export function parseResponse(
  id: string,
  endpoint: Endpoint,
  { status, headers, text }: HttpResponse,
  { requestId: sentId, logger }: { requestId: string; logger?: ApiLogger | undefined },
): unknown {
  const requestId = readRequestId(headers) ?? sentId;
  const now = parseHttpDate(first(headers.date)) ?? Date.now();
  const known = { status, requestId, retryAfterMs: parseRetryAfter(first(headers['retry-after']), now) };
  const json = parseJson(text);

  if (status >= 200 && status < 300) {
    if (json === undefined && text !== '') throw callFailure('unreadable', id, known);
    if (!endpoint.response) return undefined;
    const checked = endpoint.response.safeParse(json);
    if (checked.success) return json;
    // Field names and issue codes, never values.
    const fields = checked.error.issues.map(({ path, code }) => `${fieldName('body', path)}: ${code}`);
    logger?.warn({ endpoint: id, requestId, status, fields }, 'The response does not match the contract');
    throw callFailure('unreadable', id, known);
  }
  if (status < 400) throw callFailure('redirected', id, known);

  const isObject = typeof json === 'object' && json !== null;
  const code = isObject && 'code' in json && Number.isSafeInteger(json.code) ? (json.code as number) : undefined;
  // Every error response of the API has a code. A proxy's 403 or 408 proves nothing about the request behind it.
  if (code === undefined && status < 500 && !MEANINGFUL_WITHOUT_BODY.has(status))
    throw callFailure('unrecognized', id, known);
  throw apiErrorOf(id, endpoint, { ...known, code });
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The API's own request id, if the header holds a UUID. Errors contain it, so no other string may be accepted. */
function readRequestId(headers: HttpResponse['headers']): string | undefined {
  const id = first(headers['x-request-id']);
  return id !== undefined && UUID.test(id) ? id : undefined;
}

export function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
