import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ApiError } from '../api';
import type { CallMode } from '../domain/activityTable';
import { type ApiFailure, FAILURE_TYPES } from '../domain/apiFailure';
import { CODES, USER_LOCKS } from '../domain/codes';
import {
  DEFAULT_THROTTLE_MS,
  MAX_UNEXPECTED_RESPONSES,
  MIN_THROTTLE_MS,
  WAIT_BY_CODE_MS,
  WAIT_DEFAULT_MS,
  WAIT_MAX_MS,
} from '../domain/retryRules';

/**
 * Delay before retrying a request that only needs a new ciphertext or token. It equals the shortest interval of
 * Temporal's own retries.
 */
const IMMEDIATE_RETRY_MS = 1_000;

export interface Attempt {
  mode: CallMode;
  /** Counts from 1. */
  attempt: number;
  /** Attempts so far, including this one, with an unexpected response (`isUnexpectedResponse`). */
  unexpectedResponses: number;
  /** Whether the API may have executed an earlier attempt. */
  tainted: boolean;
  /** When the task should be retried if the credentials do not work. */
  haltedRetryMs: number;
}

/**
 * Turns a failed request into the failure of its activity: Temporal retries it (`retry`), or the flow handles it
 * (`refused`, `outcomeUnknown`). It contains nothing of the request, headers or body.
 *
 * After an unknown outcome an effect with a key is sent again with the same key, an effect without a key is not. A
 * refusal of a tainted effect goes to the flow, which looks it up before it trusts the refusal. Reactions by kind:
 * docs/architecture.md#errors-are-sorted-by-code.
 */
export function activityFailure(
  error: ApiError,
  { mode, attempt, unexpectedResponses, tainted, haltedRetryMs }: Attempt,
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
      // Polls are retried without limit: an unexpected response says nothing about the resource that they follow.
      if (mode === 'poll' || !isUnexpectedResponse(error) || unexpectedResponses < MAX_UNEXPECTED_RESPONSES)
        return retry();
      return unknown && effect
        ? failure(error, details, FAILURE_TYPES.outcomeUnknown, { nonRetryable: true })
        : refused();
    case 'throttled':
      return retry(throttleDelayMs(error));
    case 'wait':
      // A lock goes to the session or login, which knows how long it lasts.
      return details.tainted || USER_LOCKS.has(error.code) ? refused() : retry(waitDelayMs(error.code, attempt));
    case 'renew':
      // A new attempt has a new ciphertext, and a new token if the client dropped the old one. Everything else the flow
      // has to renew.
      return error.credentialDropped ||
        error.code === CODES.ciphertextReused ||
        error.code === CODES.entitySecretInvalid
        ? retry(IMMEDIATE_RETRY_MS)
        : refused();
    case 'halt':
      return retry(haltedRetryMs);
    default:
      return refused();
  }
}

/**
 * Whether a response arrived that is not the API's (HTML, a redirect, unreadable), or one by which the API asks to try
 * again (`155210`, `-1`). Such responses are retried a limited number of times. No response and 5xx are outages, whose
 * retries last until they end.
 */
export function isUnexpectedResponse(error: ApiError): boolean {
  return error.kind === 'transient' && error.status > 0 && error.status < 500;
}

/** How long the bucket pauses after a 429, and how long the task waits for its next attempt. */
export function throttleDelayMs(error: ApiError): number {
  return Math.max(error.retryAfterMs ?? DEFAULT_THROTTLE_MS, MIN_THROTTLE_MS);
}

function waitDelayMs(code: number, attempt: number): number {
  return Math.min((WAIT_BY_CODE_MS[code] ?? WAIT_DEFAULT_MS) * 1.5 ** (attempt - 1), WAIT_MAX_MS);
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
    // A response that Walletflow handles is not an error of the worker, so the SDK logs it only at level debug.
    category: error.kind === 'transient' ? undefined : ApplicationFailureCategory.BENIGN,
    ...options,
  });
}
