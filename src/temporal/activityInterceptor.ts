import type { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { ApiError, InvalidRequestError, type OperationId } from '../api';
import type { Admission } from '../api/breaker';
import type { EntityLimits } from '../api/limits';
import { API_ACTIVITIES, type ApiActivityName } from '../domain/activityTable';
import { type ApiFailure, FAILURE_TYPES } from '../domain/apiFailure';
import { CODES } from '../domain/codes';
import { KEY_MAX_AGE_MS } from '../domain/retryRules';
import { activityFailure, isUnexpectedResponse, throttleDelayMs } from './activityFailure';

/** Well below the heartbeat timeout in `workflows/kit/activities.ts`. */
const HEARTBEAT_MS = 2_500;
/**
 * Maximum time between the starts of two attempts. Used to estimate when an attempt started whose worker died without
 * leaving notes.
 */
const MAX_ATTEMPT_MS = 90_000;

/** What an attempt notes for the next one, as heartbeat details (docs/architecture.md#effects-happen-once). */
interface AttemptNotes {
  /** The attempt that wrote the notes. Notes of an earlier attempt say nothing about the last one. */
  attempt: number;
  /** Start of the first attempt that the API may have executed, in epoch milliseconds of the server's clock. */
  taintedSince?: number;
  /** Attempts so far with an unexpected response. */
  unexpectedResponses?: number;
}

/**
 * Does everything around an API call, so that the body of an activity is only the call: heartbeats, the taint of earlier
 * attempts, the breaker, and the mapping of errors.
 */
export class ApiActivityInterceptor implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly limits: EntityLimits,
    private readonly onThrottled: (endpoint: string) => void,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const { info } = this.context;
    const { mode, endpoint } = API_ACTIVITIES[info.activityType as ApiActivityName];
    const effect = mode === 'keyed' || mode === 'unkeyed';
    const earlier = this.earlierAttempts();
    const taintedSince = effect ? earlier.taintedSince : undefined;
    const { unexpectedResponses = 0 } = earlier;
    const { breaker } = this.limits;

    const heartbeat = (notes: Omit<AttemptNotes, 'attempt'>) =>
      this.context.heartbeat({ ...notes, attempt: info.attempt });
    const admission = breaker.admit(endpoint);
    if (!admission) {
      heartbeat({ taintedSince, unexpectedResponses });
      throw haltedFailure(breaker.retryDelayMs);
    }
    // The later of two times: the task may have waited in its queue for hours after it was scheduled, but only the
    // server's clock includes time that a test skips.
    const begun = Math.max(info.currentAttemptScheduledTimestampMs, Date.now());
    if (taintedSince !== undefined && begun - taintedSince > KEY_MAX_AGE_MS) {
      heartbeat({ taintedSince, unexpectedResponses });
      breaker.inconclusive(admission);
      throw keyExpiredFailure(endpoint);
    }

    // The SDK sends the first heartbeat immediately and throttles later ones. The server therefore has these notes even
    // if this process is killed.
    const notes: Omit<AttemptNotes, 'attempt'> = {
      ...(effect && { taintedSince: taintedSince ?? begun }),
      unexpectedResponses,
    };
    heartbeat(notes);
    const heartbeatTimer = setInterval(() => heartbeat(notes), HEARTBEAT_MS);
    try {
      const result = await next(input);
      breaker.passed(admission);
      return result;
    } catch (error) {
      if (!(error instanceof ApiError)) {
        // A poll that is still pending has received a response. A cancelled read or a bug proves nothing.
        if (error instanceof ApplicationFailure) breaker.passed(admission);
        else breaker.inconclusive(admission);
        throw error instanceof InvalidRequestError
          ? invalidRequestFailure(error, endpoint, taintedSince !== undefined)
          : error;
      }
      this.reportToLimits(error, endpoint, admission);
      const unexpectedSoFar = unexpectedResponses + (isUnexpectedResponse(error) ? 1 : 0);
      heartbeat({
        taintedSince: error.outcome === 'none' ? taintedSince : notes.taintedSince,
        unexpectedResponses: unexpectedSoFar,
      });
      throw activityFailure(error, {
        mode,
        attempt: info.attempt,
        unexpectedResponses: unexpectedSoFar,
        tainted: taintedSince !== undefined,
        haltedRetryMs: breaker.retryDelayMs,
      });
    } finally {
      clearInterval(heartbeatTimer);
    }
  }

  /**
   * What is known about earlier attempts. If the last one left no notes, the API is assumed to have possibly executed
   * it.
   */
  private earlierAttempts(): Omit<AttemptNotes, 'attempt'> {
    const { attempt, heartbeatDetails, currentAttemptScheduledTimestampMs } = this.context.info;
    if (attempt === 1) return {};
    const notes = heartbeatDetails as AttemptNotes | undefined;
    if (notes?.attempt === attempt - 1) return notes;
    const begun = currentAttemptScheduledTimestampMs - (attempt - (notes?.attempt ?? 0) - 1) * MAX_ATTEMPT_MS;
    return { taintedSince: notes?.taintedSince ?? begun, unexpectedResponses: notes?.unexpectedResponses };
  }

  private reportToLimits(error: ApiError, endpoint: string, admission: Admission): void {
    const { breaker } = this.limits;
    if (error.kind === 'halt') {
      breaker.tripped(admission, { code: error.code, remedy: error.remedy });
      return;
    }
    if (error.kind === 'throttled') {
      this.limits.bucket(endpoint as OperationId).pause(throttleDelayMs(error));
      this.onThrottled(endpoint);
    }
    if (error.status > 0 && error.status < 500 && error.kind !== 'transient') breaker.passed(admission);
    else breaker.inconclusive(admission);
  }
}

function haltedFailure(nextRetryDelay: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: "The API rejects the entity's credentials, so nothing is sent; see the incident in the worker's log",
    type: FAILURE_TYPES.halted,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay,
  });
}

/** The API may have forgotten the key, so the flow looks the effect up before anything is sent again. */
function keyExpiredFailure(endpoint: string): ApplicationFailure {
  const details: ApiFailure = {
    code: 0,
    name: 'IdempotencyKeyExpired',
    status: 0,
    endpoint,
    kind: 'resolve',
    remedy: 'look for what the earlier attempts created',
    tainted: true,
  };
  return ApplicationFailure.create({
    message: `No response from ${endpoint} within the time for which an idempotency key may be used again`,
    type: FAILURE_TYPES.outcomeUnknown,
    details: [details],
    nonRetryable: true,
  });
}

function invalidRequestFailure(error: InvalidRequestError, endpoint: string, tainted: boolean): ApplicationFailure {
  const details: ApiFailure = {
    code: CODES.parameterInvalid,
    name: 'InvalidRequest',
    status: 0,
    endpoint,
    kind: 'refused',
    remedy: error.message,
    tainted,
  };
  return ApplicationFailure.create({
    message: error.message,
    type: FAILURE_TYPES.refused,
    details: [details],
    nonRetryable: true,
  });
}
