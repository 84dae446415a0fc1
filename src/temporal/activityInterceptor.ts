import { type Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { ApiError, InvalidRequest, type OperationId } from '../api';
import type { Admission } from '../api/breaker';
import type { EntityLimits } from '../api/limits';
import { API_ACTIVITIES, type ApiActivityName } from '../domain/activityTable';
import { type ApiFailure, FAILURE_TYPES } from '../domain/apiFailure';
import { CODES } from '../domain/codes';
import { KEY_TRUST_MS } from '../domain/retryRules';
import { activityFailure, isOdd, throttleDelayMs } from './activityFailure';

/** Well under the heartbeat timeout that `workflows/kit/activities` sets. */
const HEARTBEAT_MS = 2_500;
/** An attempt and the wait after it last no longer: where a killed worker left no notes, it began no earlier. */
const ATTEMPT_MOST_MS = 90_000;

/** What an attempt leaves for the next one, as heartbeat details. */
interface AttemptNotes {
  /** Which attempt wrote them: those of an earlier one say nothing about the last. */
  attempt: number;
  /** Epoch milliseconds by the server, when the first attempt that may have been carried out was begun. */
  taintedSince?: number;
  /** Attempts that ended in an answer which is tried again a bounded number of times. */
  odd?: number;
}

/**
 * Everything that surrounds an API call, once: heartbeats, the taint of earlier attempts, the breaker, and what a failure
 * means (DESIGN rule 1). An activity's body is the call.
 */
export class ApiActivityInterceptor implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly limits: EntityLimits,
    private readonly throttled: (endpoint: string) => void,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const { info } = this.context;
    const { mode, endpoint } = API_ACTIVITIES[info.activityType as ApiActivityName];
    const effect = mode === 'keyed' || mode === 'unkeyed';
    const earlier = this.earlierAttempts();
    const taintedSince = effect ? earlier.taintedSince : undefined;
    const { odd = 0 } = earlier;
    const { breaker } = this.limits;

    const beat = (notes: Omit<AttemptNotes, 'attempt'>) => this.context.heartbeat({ ...notes, attempt: info.attempt });
    const admission = breaker.admit(endpoint);
    if (!admission) {
      beat({ taintedSince, odd });
      throw halted(breaker.retryDelayMs);
    }
    // The queue may have kept the task for hours after it was scheduled; skipped time shows in the server's time alone.
    const begun = Math.max(info.currentAttemptScheduledTimestampMs, Date.now());
    if (taintedSince !== undefined && begun - taintedSince > KEY_TRUST_MS) {
      beat({ taintedSince, odd });
      breaker.undecided(admission);
      throw keyTooOld(endpoint);
    }

    // The one beat that the server is sure to hear even if this process is killed: later ones are held back for a while.
    const notes = { ...(effect && { taintedSince: taintedSince ?? begun }), odd };
    beat(notes);
    const heart = setInterval(() => beat(notes), HEARTBEAT_MS);
    try {
      const result = await next(input);
      breaker.passed(admission);
      return result;
    } catch (error) {
      if (!(error instanceof ApiError)) {
        // A poll without news has had its answer; a cancelled read or a bug has not.
        if (error instanceof ApplicationFailure) breaker.passed(admission);
        else breaker.undecided(admission);
        throw error instanceof InvalidRequest ? invalid(error, endpoint, taintedSince !== undefined) : error;
      }
      this.tellLimits(error, endpoint, admission);
      const oddNow = isOdd(error) ? odd + 1 : odd;
      beat({ taintedSince: error.outcome === 'none' ? taintedSince : notes.taintedSince, odd: oddNow });
      throw activityFailure(error, {
        mode,
        attempt: info.attempt,
        odd: oddNow,
        tainted: taintedSince !== undefined,
        haltedMs: breaker.retryDelayMs,
      });
    } finally {
      clearInterval(heart);
    }
  }

  /** What is known of the attempts before this one; where the last left no notes, it may have been carried out. */
  private earlierAttempts(): Omit<AttemptNotes, 'attempt'> {
    const { attempt, heartbeatDetails, currentAttemptScheduledTimestampMs } = this.context.info;
    if (attempt === 1) return {};
    const notes = heartbeatDetails as AttemptNotes | undefined;
    if (notes?.attempt === attempt - 1) return notes;
    const begun = currentAttemptScheduledTimestampMs - (attempt - (notes?.attempt ?? 0) - 1) * ATTEMPT_MOST_MS;
    return { taintedSince: notes?.taintedSince ?? begun, odd: notes?.odd };
  }

  private tellLimits(error: ApiError, endpoint: string, admission: Admission): void {
    const { breaker } = this.limits;
    if (error.kind === 'halt') {
      breaker.tripped(admission, { code: error.code, remedy: error.remedy });
      return;
    }
    if (error.kind === 'throttled') {
      this.limits.bucket(endpoint as OperationId).pause(throttleDelayMs(error));
      this.throttled(endpoint);
    }
    if (error.status > 0 && error.status < 500 && error.kind !== 'transient') breaker.passed(admission);
    else breaker.undecided(admission);
  }
}

function halted(nextRetryDelay: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: "Nothing is sent for the entity until its credentials are mended; see the worker's incident",
    type: FAILURE_TYPES.halted,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay,
  });
}

/** The key may have been forgotten by the API: the flow looks before anything is sent again (DESIGN rule 2). */
function keyTooOld(endpoint: string): ApplicationFailure {
  const details: ApiFailure = {
    code: 0,
    name: 'KeyTrustOver',
    status: 0,
    endpoint,
    kind: 'resolve',
    remedy: 'look for what the earlier attempts made',
    tainted: true,
  };
  return ApplicationFailure.create({
    message: `No answer of ${endpoint} for so long that its idempotency key is no longer trusted`,
    type: FAILURE_TYPES.outcomeUnknown,
    details: [details],
    nonRetryable: true,
  });
}

function invalid(error: InvalidRequest, endpoint: string, tainted: boolean): ApplicationFailure {
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
