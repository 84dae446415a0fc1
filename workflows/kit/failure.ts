import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { type ApiFailure, FAILURE_TYPES } from '../../src/domain/apiFailure';

/** A session's answer that it could not do what was asked: the same to a flow as an activity's failure. */
export class SessionFailure extends Error {
  constructor(readonly failure: ApiFailure) {
    super(failure.name);
    this.name = 'SessionFailure';
  }
}

/** A wait for the session's answer ended by its deadline; the answer may still come. */
export class SessionDeadline extends Error {
  override readonly name = 'SessionDeadline';
}

/**
 * What the failure of an activity, or of a session, says about the API, or undefined where it says nothing (a cancelled activity, a bug).
 * A time-out stands for an attempt that may have been carried out.
 */
export function apiFailure(error: unknown): ApiFailure | undefined {
  if (error instanceof SessionFailure) return error.failure;
  if (!(error instanceof ActivityFailure)) return undefined;
  const { cause } = error;
  if (cause instanceof ApplicationFailure && cause.type && API_TYPES.has(cause.type)) {
    return cause.details?.[0] as ApiFailure | undefined;
  }
  if (cause instanceof TimeoutFailure) {
    return {
      code: 0,
      name: 'NoAnswer',
      status: 0,
      endpoint: error.activityType,
      kind: 'resolve',
      remedy: 'look for what the attempt made',
      tainted: true,
    };
  }
  return undefined;
}

const API_TYPES: ReadonlySet<string> = new Set([
  FAILURE_TYPES.refused,
  FAILURE_TYPES.outcomeUnknown,
  FAILURE_TYPES.retry,
]);

/** Whether a poll ended by its deadline. Temporal ends it with its last failure when the next attempt would come too late. */
export function isDeadline(error: unknown): boolean {
  if (error instanceof SessionDeadline) return true;
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  return (
    (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_CLOSE') ||
    (cause instanceof ApplicationFailure && RETRIED.has(cause.type ?? ''))
  );
}

const RETRIED: ReadonlySet<string> = new Set([FAILURE_TYPES.noNews, FAILURE_TYPES.retry, FAILURE_TYPES.halted]);
