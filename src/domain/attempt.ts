import { type CallMode, isEffect, mayRepeat } from './activityTable';
import { CODES, USER_LOCKS } from './codes';
import type { ErrorKind } from './errorKind';
import {
  DEFAULT_THROTTLE_MS,
  IMMEDIATE_RETRY_MS,
  KEY_MAX_AGE_MS,
  MAX_UNEXPECTED_RESPONSES,
  MIN_THROTTLE_MS,
  UNEXPECTED_POLL_DELAY_MS,
  WAIT_BY_CODE_MS,
  WAIT_DEFAULT_MS,
  WAIT_MAX_MS,
} from './retryRules';

// The rules of one attempt of an activity that calls the API: what it may assume about earlier attempts, whether it
// may send its request, and what follows if the call fails (docs/reactions.md).

/** What an attempt notes for the next one, as heartbeat details (docs/architecture.md#effects-happen-once). */
export interface AttemptNotes {
  /** The attempt that wrote the notes. Notes of an earlier attempt say nothing about the last one. */
  attempt: number;
  /** Start of the first attempt that the API may have executed, in epoch milliseconds of the server's clock. */
  taintedSince?: number;
  /** Attempts with an unexpected response (`isUnexpectedResponse`): all so far; of a poll, the latest ones in a row. */
  unexpectedResponses: number;
}

/** An attempt, as Temporal's server describes it. */
export interface AttemptInfo {
  /** Counts from 1. */
  attempt: number;
  /** When the server scheduled it, in epoch milliseconds. */
  scheduledAt: number;
  /** When the server scheduled the first attempt, in epoch milliseconds. */
  firstScheduledAt: number;
  /** The latest notes that reached the server. */
  notes?: AttemptNotes;
}

/** An attempt before it sends its request. */
export interface StartedAttempt {
  mode: CallMode;
  /** What is known about earlier attempts. An attempt that sends nothing passes this on. */
  earlier: AttemptNotes;
  /** What it notes before it sends its request. */
  sending: AttemptNotes;
  /** Whether the request may be sent. If not, the API may have executed it and may not recognize a repetition. */
  maySend: boolean;
}

/** @param now epoch milliseconds of this process */
export function startAttempt(mode: CallMode, info: AttemptInfo, now: number): StartedAttempt {
  const { taintedSince, unexpectedResponses } = notesOfEarlierAttempts(info);
  const earlier = { attempt: info.attempt, unexpectedResponses, ...(isEffect(mode) && { taintedSince }) };
  // The later of two times: the task may have waited in its queue for hours after it was scheduled, but only the
  // server's clock includes time that a test skips.
  const begun = Math.max(info.scheduledAt, now);
  return {
    mode,
    earlier,
    sending: isEffect(mode) ? { ...earlier, taintedSince: taintedSince ?? begun } : earlier,
    maySend: earlier.taintedSince === undefined || (mayRepeat(mode) && begun - earlier.taintedSince <= KEY_MAX_AGE_MS),
  };
}

/**
 * If the last attempt left no notes, the API is assumed to have possibly executed it. How long ago is unknown, because
 * the attempts may have waited in their queue. A first attempt with notes follows `temporal activity reset`.
 */
function notesOfEarlierAttempts({ attempt, firstScheduledAt, notes }: AttemptInfo): Omit<AttemptNotes, 'attempt'> {
  if (!notes && attempt === 1) return { unexpectedResponses: 0 };
  if (notes?.attempt === attempt - 1) return notes;
  return {
    taintedSince: notes?.taintedSince ?? firstScheduledAt,
    unexpectedResponses: notes?.unexpectedResponses ?? 0,
  };
}

/** A failed call, as far as the rules depend on it. `ApiError` has these fields. */
export interface FailedCall {
  code: number;
  kind: ErrorKind;
  /** HTTP status; 0 without a response. */
  status: number;
  /** `unknown` if the API may have executed the request. */
  outcome: 'none' | 'unknown';
  retryAfterMs?: number | undefined;
  /** Whether the client has discarded the rejected credential, so that an immediate retry uses a new one. */
  credentialDropped?: boolean;
}

/**
 * What follows a failed attempt:
 *
 * - `retry`           Temporal retries it: after `delayMs`, or with the backoff of its mode
 * - `unreadable`      the same, after so many unexpected responses to a poll in a row that the flow asks for help. Temporal
 *                     retries it only if the poll was started to continue until its responses can be read
 * - `refused`         the flow handles the API's response
 * - `outcomeUnknown`  the request must not be sent again; the flow looks the effect up
 */
export type AttemptReaction =
  { type: 'retry' | 'unreadable'; delayMs?: number } | { type: 'refused' } | { type: 'outcomeUnknown' };

export interface FailedAttempt {
  /** What it notes for the next attempt. */
  notes: AttemptNotes;
  /** Whether the API may have executed this attempt or an earlier one. */
  tainted: boolean;
  reaction: AttemptReaction;
}

/** @param haltedRetryMs when to try again if the entity's credentials do not work */
export function failAttempt(started: StartedAttempt, call: FailedCall, haltedRetryMs: number): FailedAttempt {
  const { taintedSince } = call.outcome === 'none' ? started.earlier : started.sending;
  const unexpectedResponses = started.earlier.unexpectedResponses + (isUnexpectedResponse(call) ? 1 : 0);
  const notes = { ...started.earlier, taintedSince, unexpectedResponses };
  const tainted = taintedSince !== undefined;
  return { notes, tainted, reaction: reactionTo(call, started.mode, tainted, notes, haltedRetryMs) };
}

/** What a poll notes after a response that it could read. */
export function readablePoll({ sending }: StartedAttempt): AttemptNotes {
  return { ...sending, unexpectedResponses: 0 };
}

/** Reactions by kind: docs/architecture.md#errors-are-sorted-by-code. */
function reactionTo(
  call: FailedCall,
  mode: CallMode,
  tainted: boolean,
  { attempt, unexpectedResponses }: AttemptNotes,
  haltedRetryMs: number,
): AttemptReaction {
  const isUnknown = isEffect(mode) && call.outcome === 'unknown';
  if (isUnknown && !mayRepeat(mode)) return { type: 'outcomeUnknown' };
  switch (call.kind) {
    case 'transient':
      if (!isUnexpectedResponse(call)) return { type: 'retry' };
      // An unexpected response says nothing about the resource that a poll follows.
      if (mode === 'poll') return unexpectedPoll(unexpectedResponses);
      if (unexpectedResponses < MAX_UNEXPECTED_RESPONSES) return { type: 'retry' };
      return { type: isUnknown ? 'outcomeUnknown' : 'refused' };
    case 'throttled':
      return { type: 'retry', delayMs: throttleDelayMs(call) };
    case 'wait':
      // A lock goes to the session or login, which knows how long it lasts.
      if (tainted || USER_LOCKS.has(call.code)) return { type: 'refused' };
      return { type: 'retry', delayMs: waitDelayMs(call.code, attempt) };
    case 'renew':
      // A new attempt has a new ciphertext, and a new token if the client dropped the old one. Everything else the flow
      // has to renew.
      return call.credentialDropped || RENEWED_BY_RETRY.has(call.code)
        ? { type: 'retry', delayMs: IMMEDIATE_RETRY_MS }
        : { type: 'refused' };
    case 'halt':
      return { type: 'retry', delayMs: haltedRetryMs };
    default:
      return { type: 'refused' };
  }
}

function unexpectedPoll(inARow: number): AttemptReaction {
  const delayMs = Math.min(UNEXPECTED_POLL_DELAY_MS * 2 ** (inARow - 1), WAIT_MAX_MS);
  return { type: inARow < MAX_UNEXPECTED_RESPONSES ? 'retry' : 'unreadable', delayMs };
}

const RENEWED_BY_RETRY: ReadonlySet<number> = new Set([CODES.ciphertextReused, CODES.entitySecretInvalid]);

/**
 * Whether a response arrived that is not the API's (HTML, a redirect, unreadable), or one by which the API asks to try
 * again (`155210`, `-1`). Such responses are retried a limited number of times. No response and 5xx are outages, whose
 * retries last until they end.
 */
function isUnexpectedResponse({ kind, status }: FailedCall): boolean {
  return kind === 'transient' && status > 0 && status < 500;
}

/** How long the bucket pauses after a 429, and how long the task waits for its next attempt. */
export function throttleDelayMs({ retryAfterMs = DEFAULT_THROTTLE_MS }: Pick<FailedCall, 'retryAfterMs'>): number {
  return Math.max(retryAfterMs, MIN_THROTTLE_MS);
}

function waitDelayMs(code: number, attempt: number): number {
  return Math.min((WAIT_BY_CODE_MS[code] ?? WAIT_DEFAULT_MS) * 1.5 ** (attempt - 1), WAIT_MAX_MS);
}
