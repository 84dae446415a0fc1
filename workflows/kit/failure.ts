import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import { type ApiFailure, FAILURE_TYPES } from '../../src/domain/apiFailure';
import type { Problem } from '../../src/domain/attention';
import { FlowOutcomeError } from './flowOutcomeError';

/** The session's response that a request failed. A flow treats it like an activity's failure. */
export class SessionFailure extends Error {
  constructor(readonly failure: ApiFailure) {
    super(failure.name);
    this.name = 'SessionFailure';
  }
}

/** The wait for the session's response timed out. The response may still come. */
export class SessionTimeout extends Error {
  override readonly name = 'SessionTimeout';
}

/**
 * The API failure behind an error of an activity or of the session; undefined if the API did not fail (a cancelled activity, a
 * bug). A timeout, and an answer that is not trusted, are treated as an attempt that the API may have executed.
 */
export function apiFailure(error: unknown): ApiFailure | undefined {
  if (error instanceof SessionFailure) return error.failure;
  if (!(error instanceof ActivityFailure)) return undefined;
  const { cause } = error;
  if (isUntrusted(error)) {
    const remedy = 'find out who writes to the Temporal namespace, and look up in the API what the attempt created';
    return { ...unknownOutcome(error.activityType), name: 'UntrustedResponse', remedy };
  }
  if (cause instanceof ApplicationFailure && cause.type && API_FAILURE_TYPES.has(cause.type)) {
    return cause.details?.[0] as ApiFailure | undefined;
  }
  return cause instanceof TimeoutFailure ? unknownOutcome(error.activityType) : undefined;
}

/**
 * The failure of an activity that neither the API nor the network caused, such as a bug. What the attempt has done is
 * unknown.
 */
export function unexpectedFailure(error: unknown): ApiFailure {
  const endpoint = error instanceof ActivityFailure ? error.activityType : '';
  return {
    ...unknownOutcome(endpoint),
    name: 'UnexpectedFailure',
    remedy: "look for the activity in the worker's log",
  };
}

function unknownOutcome(endpoint: string): ApiFailure {
  return {
    code: 0,
    name: 'NoResponse',
    status: 0,
    endpoint,
    kind: 'resolve',
    remedy: 'look up in the API what the attempt created',
    tainted: true,
  };
}

/**
 * Whether something other than this installation ended the activity, or scheduled it. Nobody knows what a worker did
 * meanwhile. An activity that is cancelled, although this workflow did not cancel it, is such a case.
 */
export function isUntrusted(error: unknown): boolean {
  // The failure of a local activity may arrive without an ActivityFailure around it.
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof CancelledFailure) return !CancellationScope.current().consideredCancelled;
  return cause instanceof ApplicationFailure && cause.type === FAILURE_TYPES.untrusted;
}

/** Whether a timeout ended an activity that is retried until `scheduleToCloseTimeout`, or without end. */
export function isImpossibleTimeout(error: unknown, hasTimeout: boolean): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && !(hasTimeout && cause.timeoutType === 'SCHEDULE_TO_CLOSE');
}

const API_FAILURE_TYPES: ReadonlySet<string> = new Set([
  FAILURE_TYPES.refused,
  FAILURE_TYPES.outcomeUnknown,
  FAILURE_TYPES.retry,
  FAILURE_TYPES.unreadable,
]);

/**
 * The problem behind a failure of the API, or behind a code that the API did not respond with.
 * @param consequence what does not work because of the failure
 */
export function problemOf(
  { code, name, remedy }: Pick<ApiFailure, 'code' | 'name' | 'remedy'>,
  consequence?: string,
): Problem {
  return {
    name,
    code: code || undefined,
    reason: consequence === undefined ? name : `${consequence}: ${name}`,
    remedy,
  };
}

/** Ends the flow as failed, because of this problem. */
export function failedOutcome({ code, reason, remedy }: Omit<Problem, 'name'>): FlowOutcomeError {
  return new FlowOutcomeError({ status: 'failed', code, reason, remedy });
}

/** Ends the flow as failed, because a person has given up on this problem. */
export function givenUpOutcome(problem: Omit<Problem, 'name'>): FlowOutcomeError {
  return new FlowOutcomeError(failedOutcome(problem).outcome, true);
}

/** Turns an API failure that no step handled into the outcome `failed`. Returns every other error unchanged. */
export function toOutcomeError(error: unknown): unknown {
  const failure = isCancellation(error) ? undefined : apiFailure(error);
  return failure ? failedOutcome(problemOf(failure, failure.endpoint)) : error;
}

/**
 * Whether a poll ended by its timeout. If the next attempt would be too late, Temporal ends the poll with the failure
 * of the last attempt instead of a timeout.
 */
export function isTimeout(error: unknown): boolean {
  if (error instanceof SessionTimeout) return true;
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  return (
    (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_CLOSE') ||
    (cause instanceof ApplicationFailure && RETRIED_FAILURE_TYPES.has(cause.type ?? ''))
  );
}

const RETRIED_FAILURE_TYPES: ReadonlySet<string> = new Set([
  FAILURE_TYPES.stillPending,
  FAILURE_TYPES.retry,
  FAILURE_TYPES.halted,
]);
