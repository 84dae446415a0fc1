import { type CallMode, isEffect, mayRepeat } from './activityTable';
import { CODES, USER_LOCKS } from './codes';
import type { ErrorKind } from './errorKind';
import {
  DEFAULT_THROTTLE_MS,
  IMMEDIATE_RETRY_MS,
  KEY_MAX_AGE_MS,
  MAX_UNEXPECTED_RESPONSES,
  MIN_THROTTLE_MS,
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
  /** Attempts so far with an unexpected response (`isUnexpectedResponse`). */
  unexpectedResponses: number;
  /** The API refused an earlier attempt, so it may know the key although nothing was created. */
  wasRefused?: true;
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
  /** The run of the workflow that scheduled it. */
  runId?: string | undefined;
  /** The only run that may send the request without a lookup; any run if it is missing. */
  senderRunId?: string | undefined;
}

/**
 * Why an attempt sends nothing before the flow has looked the effect up:
 *
 * - `keyExpired`    the API may have executed an earlier attempt, and may not recognize a repetition
 * - `attemptReset`  `temporal activity reset` counts attempts from 1 again, and may have deleted the notes
 * - `laterRun`      the flow was reset, and the earlier run may have sent the request
 */
export type NotSent = keyof typeof NOT_SENT_NAMES;

/** The names of the failures by which the flow learns that nothing was sent. */
export const NOT_SENT_NAMES = {
  keyExpired: 'IdempotencyKeyExpired',
  attemptReset: 'AttemptReset',
  laterRun: 'LaterRun',
} as const;

/** An attempt before it sends its request. */
export interface StartedAttempt {
  mode: CallMode;
  /** What is known about earlier attempts. An attempt that sends nothing passes this on. */
  earlier: AttemptNotes;
  /** What it notes before it sends its request. */
  sending: AttemptNotes;
  /** Why the request must not be sent; undefined if it may be sent. */
  notSent?: NotSent;
}

/** @param now epoch milliseconds of this process */
export function startAttempt(mode: CallMode, info: AttemptInfo, now: number): StartedAttempt {
  const { taintedSince, unexpectedResponses, wasRefused } = notesOfEarlierAttempts(info);
  const earlier: AttemptNotes = { attempt: info.attempt, unexpectedResponses };
  if (isEffect(mode)) Object.assign(earlier, { taintedSince, ...(wasRefused && { wasRefused }) });
  // The later of two times: the task may have waited in its queue for hours after it was scheduled, but only the
  // server's clock includes time that a test skips.
  const begun = Math.max(info.scheduledAt, now);
  return {
    mode,
    earlier,
    sending: isEffect(mode) ? { ...earlier, taintedSince: taintedSince ?? begun } : earlier,
    notSent: isEffect(mode) ? reasonNotToSend(mode, info, earlier, begun) : undefined,
  };
}

function reasonNotToSend(
  mode: CallMode,
  info: AttemptInfo,
  { taintedSince }: AttemptNotes,
  begun: number,
): NotSent | undefined {
  if (info.senderRunId !== undefined && info.runId !== info.senderRunId) return 'laterRun';
  if (isAttemptReset(info)) return 'attemptReset';
  if (taintedSince === undefined) return undefined;
  return mayRepeat(mode) && begun - taintedSince <= KEY_MAX_AGE_MS ? undefined : 'keyExpired';
}

/** The server schedules a true first attempt only once. */
function isAttemptReset({ attempt, scheduledAt, firstScheduledAt, notes }: AttemptInfo): boolean {
  return attempt === 1 && (notes !== undefined || scheduledAt > firstScheduledAt);
}

/**
 * If the last attempt left no notes, the API is assumed to have possibly executed it. How long ago is unknown, because
 * the attempts may have waited in their queue.
 */
function notesOfEarlierAttempts(info: AttemptInfo): Omit<AttemptNotes, 'attempt'> {
  const { attempt, firstScheduledAt, notes } = info;
  if (attempt === 1 && !isAttemptReset(info)) return { unexpectedResponses: 0 };
  if (notes?.attempt === attempt - 1) return notes;
  return {
    taintedSince: notes?.taintedSince ?? firstScheduledAt,
    unexpectedResponses: notes?.unexpectedResponses ?? 0,
    ...(notes?.wasRefused && { wasRefused: true }),
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
 * - `refused`         the flow handles the API's response
 * - `outcomeUnknown`  the request must not be sent again; the flow looks the effect up
 */
export type AttemptReaction = { type: 'retry'; delayMs?: number } | { type: 'refused' } | { type: 'outcomeUnknown' };

export interface FailedAttempt {
  /** What it notes for the next attempt. */
  notes: AttemptNotes;
  /** Whether the API may have executed this attempt or an earlier one. */
  tainted: boolean;
  /** Whether the API refused an earlier attempt without effect. */
  wasRefused: boolean;
  reaction: AttemptReaction;
}

/** @param haltedRetryMs when to try again if the entity's credentials do not work */
export function failAttempt(started: StartedAttempt, call: FailedCall, haltedRetryMs: number): FailedAttempt {
  const { taintedSince } = call.outcome === 'none' ? started.earlier : started.sending;
  const unexpectedResponses = started.earlier.unexpectedResponses + (isUnexpectedResponse(call) ? 1 : 0);
  const isRefusal = isEffect(started.mode) && call.outcome === 'none' && call.status > 0;
  const notes: AttemptNotes = {
    ...started.earlier,
    taintedSince,
    unexpectedResponses,
    ...(isRefusal && call.code !== CODES.idempotencyKeyUsed && { wasRefused: true }),
  };
  const tainted = taintedSince !== undefined;
  const wasRefused = started.earlier.wasRefused === true;
  return { notes, tainted, wasRefused, reaction: reactionTo(call, started.mode, tainted, notes, haltedRetryMs) };
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
      // Polls are retried without limit: an unexpected response says nothing about the resource that they follow.
      if (mode === 'poll' || !isUnexpectedResponse(call) || unexpectedResponses < MAX_UNEXPECTED_RESPONSES)
        return { type: 'retry' };
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
