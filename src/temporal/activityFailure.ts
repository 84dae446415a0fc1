import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ApiError } from '../api';
import type { CallMode } from '../domain/activityTable';
import { type ApiFailure, FAILURE_TYPES } from '../domain/apiFailure';
import { CODES, USER_LOCKS } from '../domain/codes';
import { ODD_ANSWERS, WAIT_DEFAULT_MS, WAIT_LONGEST_MS, WAIT_MS } from '../domain/retryRules';

/** A 429 without a usable `Retry-After`, and the shortest wait after any. */
const THROTTLED_MS = 1_000;
const THROTTLED_LEAST_MS = 100;
/** A ciphertext or a user token that was refused is made anew and sent at once; Temporal waits a second anyway. */
const AT_ONCE_MS = 1_000;

export interface Attempt {
  mode: CallMode;
  /** Counts from 1. */
  attempt: number;
  /** Attempts so far, this one included, with an odd answer (`isOdd`). */
  odd: number;
  /** Whether an earlier attempt may have been carried out. */
  tainted: boolean;
  /** When a task that met broken credentials should come back. */
  haltedMs: number;
}

/**
 * What a failed request means for its activity: retried by Temporal (`retry`), or handed to the flow (`refused`,
 * `outcomeUnknown`). Nothing of the request or of the answer's body goes into it (DESIGN rules 2 and 3).
 *
 * An effect whose outcome is unknown is sent again with the same key; one without a key never is. A refusal of a tainted
 * effect goes to the flow, which looks before it believes it.
 */
export function activityFailure(
  error: ApiError,
  { mode, attempt, odd, tainted, haltedMs }: Attempt,
): ApplicationFailure {
  const effect = mode === 'keyed' || mode === 'unkeyed';
  const unknown = error.outcome === 'unknown';
  const details: ApiFailure = {
    code: error.code,
    name: error.name,
    status: error.status,
    endpoint: error.endpoint,
    requestId: error.requestId,
    kind: error.kind,
    remedy: error.remedy,
    tainted: effect && (tainted || unknown),
  };
  const retry = (nextRetryDelay?: number) => failure(error, details, FAILURE_TYPES.retry, { nextRetryDelay });
  const refused = () => failure(error, details, FAILURE_TYPES.refused, { nonRetryable: true });

  if (unknown && mode === 'unkeyed')
    return failure(error, details, FAILURE_TYPES.outcomeUnknown, { nonRetryable: true });
  switch (error.kind) {
    case 'transient':
      // A poll waits for news as long as it takes: one odd answer among many says nothing about what is followed.
      if (mode === 'poll' || !isOdd(error) || odd < ODD_ANSWERS) return retry();
      return unknown && effect
        ? failure(error, details, FAILURE_TYPES.outcomeUnknown, { nonRetryable: true })
        : refused();
    case 'throttled':
      return retry(throttleDelayMs(error));
    case 'wait':
      // How long a user's lock lasts, its session knows, and tells all its flows.
      return details.tainted || USER_LOCKS.has(error.code) ? refused() : retry(waitDelayMs(error.code, attempt));
    case 'renew':
      // The ciphertext, and a token that was dropped, are made anew by sending again; the rest is the flow's to renew.
      return error.dropped || error.code === CODES.ciphertextReused || error.code === CODES.entitySecretInvalid
        ? retry(AT_ONCE_MS)
        : refused();
    case 'halt':
      return retry(haltedMs);
    default:
      return refused();
  }
}

/**
 * An answer came, but it is not the API's (HTML, a redirect, unreadable), or the API says "something went wrong, try
 * again" (`155210`, `-1`): tried again a bounded number of times. No answer, and 5xx, are outages and wait for their end.
 */
export function isOdd(error: ApiError): boolean {
  return error.kind === 'transient' && error.status > 0 && error.status < 500;
}

/** How long a bucket rests after a 429, and the task with it. */
export function throttleDelayMs(error: ApiError): number {
  return Math.max(error.retryAfterMs ?? THROTTLED_MS, THROTTLED_LEAST_MS);
}

function waitDelayMs(code: number, attempt: number): number {
  return Math.min((WAIT_MS[code] ?? WAIT_DEFAULT_MS) * 1.5 ** (attempt - 1), WAIT_LONGEST_MS);
}

function failure(
  error: ApiError,
  details: ApiFailure,
  type: string,
  options: { nonRetryable?: boolean; nextRetryDelay?: number },
): ApplicationFailure {
  return ApplicationFailure.create({
    message: error.message,
    type,
    details: [details],
    // An answer that the product expects and handles is no error of the worker.
    category: error.kind === 'transient' ? undefined : ApplicationFailureCategory.BENIGN,
    ...options,
  });
}
