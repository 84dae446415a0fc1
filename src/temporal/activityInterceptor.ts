import type { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { ApiError, InvalidRequestError, type OperationId } from '../api';
import type { Admission } from '../api/breaker';
import type { EntityLimits } from '../api/limits';
import { API_ACTIVITIES, type ApiActivityName, type CallMode, mayRepeat } from '../domain/activityTable';
import { type ApiFailure, FAILURE_TYPES } from '../domain/apiFailure';
import {
  type AttemptNotes,
  failAttempt,
  NOT_SENT_NAMES,
  type NotSent,
  startAttempt,
  throttleDelayMs,
} from '../domain/attempt';
import { CODES } from '../domain/codes';
import type { SentEffect } from '../domain/effect';
import { distrustOf } from '../domain/untrusted';
import { activityFailure } from './activityFailure';

/** Well below the heartbeat timeout in `workflows/kit/activities.ts`. */
const HEARTBEAT_MS = 2_500;

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
    const runId = info.workflowExecution?.runId;
    const { breaker } = this.limits;
    const heartbeat = (notes: AttemptNotes) => this.context.heartbeat(notes);
    const started = startAttempt(
      mode,
      {
        attempt: info.attempt,
        scheduledAt: info.currentAttemptScheduledTimestampMs,
        firstScheduledAt: info.scheduledTimestampMs,
        notes: notesOf(info.heartbeatDetails),
        runId,
        senderRunId: senderRunId(input.args[0]),
      },
      Date.now(),
    );
    const admission = breaker.admit(endpoint);
    if (!admission) {
      heartbeat(started.earlier);
      throw haltedFailure(breaker.retryDelayMs);
    }
    if (started.notSent) {
      heartbeat(started.earlier);
      breaker.inconclusive(admission);
      throw notSentFailure(started.notSent, endpoint, mode, runId);
    }

    // The SDK sends the first heartbeat immediately and throttles later ones. The server therefore has these notes even
    // if this process is killed.
    heartbeat(started.sending);
    const heartbeatTimer = setInterval(() => heartbeat(started.sending), HEARTBEAT_MS);
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
          ? invalidRequestFailure(error, endpoint, started.earlier.taintedSince !== undefined, runId)
          : error;
      }
      this.reportToLimits(error, endpoint, admission);
      const failed = failAttempt(started, error, breaker.retryDelayMs);
      heartbeat(failed.notes);
      throw activityFailure(error, failed, runId);
    } finally {
      clearInterval(heartbeatTimer);
    }
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

/** Notes that this installation did not write are as good as none. */
function notesOf(heartbeatDetails: unknown): AttemptNotes | undefined {
  return distrustOf(heartbeatDetails) ? undefined : (heartbeatDetails as AttemptNotes | undefined);
}

function haltedFailure(nextRetryDelay: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: "The API rejects the entity's credentials, so nothing is sent; see the incident in the worker's log",
    type: FAILURE_TYPES.halted,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay,
  });
}

/** An effect names the run that may send it. */
function senderRunId(argument: unknown): string | undefined {
  return (argument as Partial<SentEffect> | undefined)?.senderRunId;
}

/** Nothing is sent before the flow has looked the effect up. */
function notSentFailure(
  reason: NotSent,
  endpoint: string,
  mode: CallMode,
  runId: string | undefined,
): ApplicationFailure {
  const details: ApiFailure = {
    code: 0,
    // Without a key, only a person can decide to send the request again.
    name: reason === 'laterRun' || mayRepeat(mode) ? NOT_SENT_NAMES[reason] : 'NoResponse',
    status: 0,
    endpoint,
    kind: 'resolve',
    remedy: 'look for what the earlier attempts created',
    tainted: true,
    runId,
  };
  return ApplicationFailure.create({
    message: `${endpoint} was not sent: an earlier attempt may have had the effect, so the flow looks it up first`,
    type: FAILURE_TYPES.outcomeUnknown,
    details: [details],
    nonRetryable: true,
  });
}

function invalidRequestFailure(
  error: InvalidRequestError,
  endpoint: string,
  tainted: boolean,
  runId: string | undefined,
): ApplicationFailure {
  const details: ApiFailure = {
    code: CODES.parameterInvalid,
    name: 'InvalidRequest',
    status: 0,
    endpoint,
    kind: 'refused',
    remedy: error.message,
    tainted,
    runId,
  };
  return ApplicationFailure.create({
    message: error.message,
    type: FAILURE_TYPES.refused,
    details: [details],
    nonRetryable: true,
  });
}
