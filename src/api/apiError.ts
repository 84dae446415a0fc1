import { CODES } from '../domain/codes';
import type { ErrorKind } from '../domain/errorKind';
import type { Endpoint } from './contract/endpoint';
import { findError, kindOf } from './errors';

/**
 * What a call that did not succeed has done at the API: `none` when it is certain that nothing was done, `unknown` when
 * the request may have been carried out without our hearing of it (field case CL-01).
 */
export type CallOutcome = 'none' | 'unknown';

interface Fields {
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
  dropped?: boolean;
}

/**
 * A call that did not succeed. Built from code, status, endpoint, request id and the catalogue's texts alone: nothing of
 * request, headers or body is in it, and it has no `cause` (field case CL-07), so it may be logged and stored.
 */
export class ApiError extends Error {
  /** The catalogue's name (`InsufficientFunds`), or one of `OWN_FAILURES`. */
  override readonly name: string;
  /** Code of the API, or the HTTP status where it sent none, or 0 where no answer came. */
  readonly code: number;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Operation id of the contract. */
  readonly endpoint: string;
  /** What the API's support finds the request by; absent where none was sent. */
  readonly requestId: string | undefined;
  readonly kind: ErrorKind;
  /** What is the case, in one sentence. */
  readonly condition: string;
  /** What a person can do about it. */
  readonly remedy: string;
  readonly outcome: CallOutcome;
  /** What the answer's `Retry-After` asks for, 0 or more; absent where it asks for nothing. */
  readonly retryAfterMs: number | undefined;
  /** Whether the request was refused here and nothing was sent. */
  readonly local: boolean;
  /** Whether the credential that was refused has been dropped here: the same request has a new one at once. */
  readonly dropped: boolean;
  readonly #fields: Fields;

  constructor(fields: Fields) {
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
    this.dropped = fields.dropped ?? false;
    this.#fields = fields;
  }

  /** The same error, seen differently. */
  with(change: Partial<Pick<Fields, 'kind' | 'outcome' | 'dropped'>>): ApiError {
    return new ApiError({ ...this.#fields, ...change });
  }
}

interface OwnFailure {
  name: string;
  kind: ErrorKind;
  outcome: CallOutcome;
  condition: string;
  remedy: string;
}

/** Failures that no code of the API names. */
export const OWN_FAILURES = {
  noAnswer: {
    name: 'NoAnswer',
    kind: 'transient',
    outcome: 'unknown',
    condition: 'The request was sent, but no answer came',
    remedy: 'retry with the same idempotency key; if it stays, check the network',
  },
  notSent: {
    name: 'NotSent',
    kind: 'transient',
    outcome: 'none',
    condition: 'The host could not be reached, or the call was aborted before anything was sent',
    remedy: 'retry; if it stays, check the network and the configured host',
  },
  guarded: {
    name: 'GuardRefusal',
    kind: 'halt',
    outcome: 'none',
    condition: 'The guard against accidental calls refused the request',
    remedy: 'offline, use the emulator on this machine and no live key; a LIVE_API_KEY:emulator:… key never leaves it',
  },
  unreadable: {
    name: 'AnswerUnreadable',
    kind: 'transient',
    outcome: 'unknown',
    condition: 'The API reported success, but its answer does not fit the contract',
    remedy: 'look up whether the request was carried out; if it stays, compare the answer with the contract',
  },
  redirected: {
    name: 'RedirectNotFollowed',
    kind: 'transient',
    outcome: 'unknown',
    condition: 'The answer is a redirect, which is never followed',
    remedy: 'check the configured host and the proxies in front of it',
  },
  foreign: {
    name: 'NotTheApi',
    kind: 'transient',
    outcome: 'unknown',
    condition: "The answer is not in the API's form",
    remedy: 'check the configured host and the proxies in front of it',
  },
  noSecret: {
    name: 'EntitySecretMissing',
    kind: 'attention',
    outcome: 'none',
    condition: 'The endpoint needs the entity secret, and none is configured',
    remedy: 'configure entitySecret for this entity',
  },
  badPublicKey: {
    name: 'PublicKeyUnusable',
    kind: 'transient',
    outcome: 'none',
    condition: 'The entity public key that the API sent can not be used, so nothing else was sent',
    remedy: 'retry; if it stays, report it to the API',
  },
} as const satisfies Record<string, OwnFailure>;

/** @param status HTTP status, which is the code too; 0 where no answer came */
export function ownFailure(
  failure: keyof typeof OWN_FAILURES,
  endpoint: string,
  {
    status = 0,
    ...more
  }: { status?: number; requestId?: string; retryAfterMs?: number | undefined; local?: boolean } = {},
): ApiError {
  return new ApiError({ ...OWN_FAILURES[failure], ...more, endpoint, status, code: status });
}

/**
 * Codes that leave the outcome open although they come with a 4xx: a fresh ciphertext that was "used before" was
 * delivered twice (`156004`, and `177602` as it stands on contract endpoints); `-1` says only that something failed.
 */
const OPEN_CODES: ReadonlySet<number> = new Set([
  CODES.ciphertextReused,
  CODES.contractTxCiphertextReused,
  CODES.somethingWentWrong,
]);

/** The API's own answer that it did not do what was asked. */
export function refusalOf(
  endpoint: string,
  { kinds }: Pick<Endpoint, 'kinds'>,
  answer: { status: number; code?: number | undefined; requestId: string; retryAfterMs?: number | undefined },
): ApiError {
  const { status, code = status } = answer;
  return new ApiError({
    ...textOf(code),
    ...answer,
    endpoint,
    code,
    kind: kindOf({ status, code: answer.code, endpointKinds: kinds }),
    outcome: status >= 500 || OPEN_CODES.has(code) ? 'unknown' : 'none',
  });
}

/** A broken rule of the contract: the code that the API would answer, without spending a request on it. */
export function brokenRule(endpoint: string, { kinds }: Pick<Endpoint, 'kinds'>, code: number): ApiError {
  const status = findError(code)?.status ?? 400;
  return new ApiError({
    ...textOf(code),
    endpoint,
    code,
    status: 0,
    kind: kindOf({ status, code, endpointKinds: kinds }),
    outcome: 'none',
    local: true,
  });
}

function textOf(code: number): { name: string; condition: string; remedy: string } {
  const { name, condition, remedy } = findError(code) ?? {
    name: 'UnknownCode',
    condition: 'The API answered with a code that is not in the catalogue',
    remedy: "look the code up in the API's documentation",
  };
  return { name, condition, remedy };
}
