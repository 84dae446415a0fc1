import { apiErrorOf, callFailure } from './apiError';
import type { Endpoint } from './contract/endpoint';
import type { HttpResponse } from './http';
import { fieldName } from './invalidRequest';
import { type Mismatch, readBody } from './readBody';
import { parseHttpDate, parseRetryAfter } from './retryAfter';

/** The logger that the client writes to. A pino logger fits. */
export interface ApiLogger {
  warn(fields: Record<string, unknown>, message: string): void;
}

/** A response that does not match the contract. */
export interface MismatchFields extends Record<string, unknown> {
  endpoint: string;
  requestId: string;
  status: number;
  /** Names of the fields and what is wrong with each; no values. */
  fields: string[];
}
type MismatchWarning = (fields: MismatchFields, message: string) => void;

/** Statuses that a proxy may send with any body: their meaning needs no body. */
const MEANINGFUL_WITHOUT_BODY: ReadonlySet<number> = new Set([401, 429]);

/** The body of a successful response. */
export interface ParsedResponse {
  /** `undefined` if the contract expects no body. */
  body: unknown;
  /** See `ReadBody`. */
  skippedRows: number;
}

/**
 * Reads a successful response by the contract (`readBody`). A success that cannot be read has an unknown outcome.
 * @param requestId the id that was sent with the request
 * @throws ApiError for every other response
 */
export function parseResponse(
  id: string,
  endpoint: Endpoint,
  { status, headers, text }: HttpResponse,
  { requestId: sentId, warn = () => {} }: { requestId: string; warn?: MismatchWarning | undefined },
): ParsedResponse {
  const requestId = readRequestId(headers) ?? sentId;
  const now = parseHttpDate(first(headers.date)) ?? Date.now();
  const known = { status, requestId, retryAfterMs: parseRetryAfter(first(headers['retry-after']), now) };
  const json = parseJson(text);

  if (status >= 200 && status < 300) {
    if (!endpoint.response) {
      if (text === '' || json !== undefined) return { body: undefined, skippedRows: 0 };
      throw callFailure('unreadable', id, known);
    }
    const { body, skippedRows, skipped, problems } = readBody(endpoint.response, json);
    const context = { endpoint: id, requestId, status };
    if (problems.length > 0) {
      warn({ ...context, fields: fieldsOf(problems) }, 'The response does not match the contract');
      throw callFailure('unreadable', id, known);
    }
    if (skippedRows > 0) {
      const fields = fieldsOf(skipped);
      warn({ ...context, fields, skippedRows }, 'Rows of the response do not match the contract and were left out');
    }
    return { body, skippedRows };
  }
  if (status < 400) throw callFailure('redirected', id, known);

  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  const code = isObject && 'code' in json && Number.isSafeInteger(json.code) ? (json.code as number) : undefined;
  // Almost every error response of the API has a code. The contract lists the statuses that say enough without one. A
  // proxy's 403 or 408 proves nothing about the request behind it.
  const isMeaningful = code !== undefined || status >= 500 || MEANINGFUL_WITHOUT_BODY.has(status);
  if (!isMeaningful && !(isObject && hasErrorText(json) && endpoint.errors?.includes(status))) {
    throw callFailure('unrecognized', id, known);
  }
  throw apiErrorOf(id, endpoint, { ...known, code });
}

/** The attestation host sends `{error}` or `{message, error}` (docs/api-behavior.md#cross-chain-attestations). */
function hasErrorText(body: object): boolean {
  return ['error', 'message'].some((name) => typeof (body as Record<string, unknown>)[name] === 'string');
}

/** `body.data.transactions[].state: invalid_type`, each once. Names of fields and issue codes, never values. */
function fieldsOf(mismatches: readonly Mismatch[]): string[] {
  const names = mismatches.map(({ path, code }) => {
    const withoutIndexes = path.map((key) => (typeof key === 'number' ? '[]' : key));
    return `${fieldName('body', withoutIndexes).replaceAll('.[]', '[]')}: ${code}`;
  });
  return [...new Set(names)];
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
