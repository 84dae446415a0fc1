import { CODES } from '../domain/codes';
import type { ErrorKind } from '../domain/errorKind';
import type { Endpoint } from './contract/endpoint';
import { findError, kindOf } from './errors';

/**
 * What a failed call did at the API: `none` if it certainly had no effect, `unknown` if the API may have carried out
 * the request although its response was lost.
 */
export type CallOutcome = 'none' | 'unknown';

interface ApiErrorFields {
  code: number;
  name: string;
  status: number;
  endpoint: string;
  requestId?: string | undefined;
  kind: ErrorKind;
  condition: string;
  remedy: string;
  outcome: CallOutcome;
  retryAfterMs?: number | undefined;
  local?: boolean;
  credentialDropped?: boolean;
}

/**
 * A failed call. It contains only code, status, endpoint, request id and the catalogue's messages. It contains
 * nothing from the request, its headers or its body, and it has no `cause`. It is therefore safe to log and to store.
 */
export class ApiError extends Error {
  /** The catalogue's name (`InsufficientFunds`), or a name from `CALL_FAILURES`. */
  override readonly name: string;
  /** The API's code; the HTTP status if the response has no code; 0 without a response. */
  readonly code: number;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Operation id of the contract. */
  readonly endpoint: string;
  /** The id by which the API's support finds the request; undefined if nothing was sent. */
  readonly requestId: string | undefined;
  readonly kind: ErrorKind;
  /** What went wrong, in one sentence. */
  readonly condition: string;
  /** What an operator or developer can do about it. */
  readonly remedy: string;
  readonly outcome: CallOutcome;
  /** The wait that the response's `Retry-After` asks for, 0 or more; undefined if it asks for none. */
  readonly retryAfterMs: number | undefined;
  /** Whether the client refused the request and sent nothing. */
  readonly local: boolean;
  /** Whether the client has discarded the rejected credential, so that an immediate retry uses a new one. */
  readonly credentialDropped: boolean;
  readonly #fields: ApiErrorFields;

  constructor(fields: ApiErrorFields) {
    const { code, name, status, endpoint, requestId, condition, remedy } = fields;
    super(
      `${endpoint}: ${code} ${name}${status === 0 ? '' : ` (HTTP ${status})`}: ${condition}; ${remedy}` +
        (requestId === undefined ? '' : ` [request ${requestId}]`),
    );
    this.name = name;
    this.code = code;
    this.status = status;
    this.endpoint = endpoint;
    this.requestId = requestId;
    this.kind = fields.kind;
    this.condition = condition;
    this.remedy = remedy;
    this.outcome = fields.outcome;
    this.retryAfterMs = fields.retryAfterMs;
    this.local = fields.local ?? false;
    this.credentialDropped = fields.credentialDropped ?? false;
    this.#fields = fields;
  }

  /** A copy of this error with some fields changed. */
  with(change: Partial<Pick<ApiErrorFields, 'kind' | 'outcome' | 'credentialDropped'>>): ApiError {
    return new ApiError({ ...this.#fields, ...change });
  }
}

interface CallFailure {
  name: string;
  kind: ErrorKind;
  outcome: CallOutcome;
  condition: string;
  remedy: string;
}

/** Failures without an error code of the API. */
export const CALL_FAILURES = {
  noResponse: {
    name: 'NoResponse',
    kind: 'transient',
    outcome: 'unknown',
    condition: 'The request was sent, but no response arrived',
    remedy: 'send the request again with the same idempotency key; if it persists, check the network',
  },
  notSent: {
    name: 'NotSent',
    kind: 'transient',
    outcome: 'none',
    condition: 'The host could not be reached, or the call was aborted before anything was sent',
    remedy: 'send the request again; if it persists, check the network and the configured host',
  },
  blocked: {
    name: 'RequestBlocked',
    kind: 'halt',
    outcome: 'none',
    condition: 'The protection against accidental calls blocked the request',
    remedy:
      'offline, use the emulator on this machine without a live key; a LIVE_API_KEY:emulator:… key works only there',
  },
  unreadable: {
    name: 'UnreadableResponse',
    kind: 'transient',
    outcome: 'unknown',
    condition: 'The API reported success, but its response does not match the contract',
    remedy: 'look up whether the request was carried out; if it persists, compare the response with the contract',
  },
  redirected: {
    name: 'RedirectNotFollowed',
    kind: 'transient',
    outcome: 'unknown',
    condition: 'The response is a redirect, and redirects are never followed',
    remedy: 'check the configured host and any proxies in front of it',
  },
  unrecognized: {
    name: 'UnrecognizedResponse',
    kind: 'transient',
    outcome: 'unknown',
    condition: "The response does not have the API's format",
    remedy: 'check the configured host and any proxies in front of it',
  },
  missingSecret: {
    name: 'EntitySecretMissing',
    kind: 'attention',
    outcome: 'none',
    condition: 'The endpoint needs the entity secret, but none is configured',
    remedy: 'configure entitySecret for this entity',
  },
  unusablePublicKey: {
    name: 'PublicKeyUnusable',
    kind: 'transient',
    outcome: 'none',
    condition: 'The entity public key from the API cannot be used, so the request was not sent',
    remedy: "send the request again; if it persists, report it to the API's support",
  },
} as const satisfies Record<string, CallFailure>;

/** @param status HTTP status, also used as the code; 0 without a response */
export function callFailure(
  failure: keyof typeof CALL_FAILURES,
  endpoint: string,
  {
    status = 0,
    ...more
  }: { status?: number; requestId?: string; retryAfterMs?: number | undefined; local?: boolean } = {},
): ApiError {
  return new ApiError({ ...CALL_FAILURES[failure], ...more, endpoint, status, code: status });
}

/**
 * Codes with an unknown outcome despite their 4xx status. If a new ciphertext was "used before", the request arrived
 * twice (`156004`; on contract endpoints `177602`). `-1` says only that something failed.
 */
const AMBIGUOUS_CODES: ReadonlySet<number> = new Set([
  CODES.ciphertextReused,
  CODES.contractTxCiphertextReused,
  CODES.somethingWentWrong,
]);

/** The error for an error response of the API. */
export function apiErrorOf(
  endpoint: string,
  { kinds }: Pick<Endpoint, 'kinds'>,
  response: { status: number; code?: number | undefined; requestId: string; retryAfterMs?: number | undefined },
): ApiError {
  const { status, code = status } = response;
  return new ApiError({
    ...catalogueTextOf(code),
    ...response,
    endpoint,
    code,
    kind: kindOf({ status, code: response.code, endpointKinds: kinds }),
    outcome: status >= 500 || AMBIGUOUS_CODES.has(code) ? 'unknown' : 'none',
  });
}

/** The error for a broken rule of the contract: the code that the API would return, without spending a request. */
export function ruleError(endpoint: string, { kinds }: Pick<Endpoint, 'kinds'>, code: number): ApiError {
  const status = findError(code)?.status ?? 400;
  return new ApiError({
    ...catalogueTextOf(code),
    endpoint,
    code,
    status: 0,
    kind: kindOf({ status, code, endpointKinds: kinds }),
    outcome: 'none',
    local: true,
  });
}

function catalogueTextOf(code: number): { name: string; condition: string; remedy: string } {
  const { name, condition, remedy } = findError(code) ?? {
    name: 'UnknownCode',
    condition: 'The API returned a code that is not in the catalogue',
    remedy: "look the code up in the API's documentation",
  };
  return { name, condition, remedy };
}
