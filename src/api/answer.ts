import { ownFailure, refusalOf } from './apiError';
import type { Endpoint } from './contract/endpoint';
import type { Answer } from './http';
import { fieldName } from './invalidRequest';
import { parseHttpDate, parseRetryAfter } from './retryAfter';

/** What the client writes to its log: a pino logger fits. */
export interface ApiLogger {
  warn(fields: Record<string, unknown>, message: string): void;
}

/** Statuses that a gateway may answer in any form: what they mean needs no body. */
const CLEAR_WITHOUT_BODY: ReadonlySet<number> = new Set([401, 429]);

/**
 * The JSON of a success as the API sent it: unknown fields and unknown enum values stay. Checked against the contract,
 * since a success that can't be read is an unknown outcome. `undefined` where the contract promises no body.
 * @param requestId the one that was sent
 * @throws ApiError for everything else
 */
export function readAnswer(
  id: string,
  endpoint: Endpoint,
  { status, headers, text }: Answer,
  { requestId: sentId, logger }: { requestId: string; logger?: ApiLogger | undefined },
): unknown {
  const requestId = readRequestId(headers) ?? sentId;
  const now = parseHttpDate(first(headers.date)) ?? Date.now();
  const known = { status, requestId, retryAfterMs: parseRetryAfter(first(headers['retry-after']), now) };
  const json = parseJson(text);

  if (status >= 200 && status < 300) {
    if (!endpoint.response) {
      if (text === '' || json !== undefined) return undefined;
      throw ownFailure('unreadable', id, known);
    }
    const checked = endpoint.response.safeParse(json);
    if (checked.success) return json;
    // Names of fields and what they should have been; no values.
    const fields = checked.error.issues.map(({ path, code }) => `${fieldName('body', path)}: ${code}`);
    logger?.warn({ endpoint: id, requestId, status, fields }, 'the answer does not fit the contract');
    throw ownFailure('unreadable', id, known);
  }
  if (status < 400) throw ownFailure('redirected', id, known);

  const isObject = typeof json === 'object' && json !== null;
  const code = isObject && 'code' in json && Number.isSafeInteger(json.code) ? (json.code as number) : undefined;
  // Every refusal of the API has a code; a proxy's 403 or 408 proves nothing about the request behind it.
  if (code === undefined && status < 500 && !CLEAR_WITHOUT_BODY.has(status)) throw ownFailure('foreign', id, known);
  throw refusalOf(id, endpoint, { ...known, code });
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The API's own id of the request, where it is one: it stands in errors, so nothing else may come in with it. */
function readRequestId(headers: Answer['headers']): string | undefined {
  const id = first(headers['x-request-id']);
  return id !== undefined && UUID.test(id) ? id : undefined;
}

export function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
