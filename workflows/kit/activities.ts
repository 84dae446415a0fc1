import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { ApiActivities, LocalActivities } from '../../activities';
import {
  API_ACTIVITIES,
  type ApiActivityName,
  apiQueue,
  type CallMode,
  flowQueue,
} from '../../src/domain/activityTable';
import { oneAtATime } from './oneAtATime';

/** Longer than the HTTP timeout of 20 s, so that an attempt ends by itself. Waiting for a permit doesn't count. */
const ATTEMPT_TIMEOUT = '30 seconds';
/** A worker that died is noticed after this. */
const HEARTBEAT_TIMEOUT = '10 seconds';

/** Retry and cancel rules by the mode of the call (DESIGN rules 2 and 9). */
const OPTIONS: Record<CallMode, ActivityOptions> = {
  read: {
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  },
  poll: {
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  },
  keyed: {
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  },
  unkeyed: {
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 2,
      maximumInterval: '1 minute',
      // An attempt that may have been carried out is looked up, not repeated. Not by `maximumAttempts`: a worker that
      // shuts down, a 429 and an open breaker use attempts up too.
      nonRetryableErrorTypes: ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat', 'OutcomeUnknown'],
    },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  },
};

type More = Pick<ActivityOptions, 'scheduleToCloseTimeout'>;

/**
 * The API's activities for one entity: each on the task queue of its endpoint's bucket, with the rules of its mode.
 * @param more options of this call, such as a deadline
 */
export function apiActivities(entity: string, more: More = {}): ApiActivities {
  return new Proxy({} as ApiActivities, {
    get(_target, name: ApiActivityName) {
      const { endpoint, mode } = API_ACTIVITIES[name];
      const proxy = proxyActivities<ApiActivities>({
        ...OPTIONS[mode],
        taskQueue: apiQueue(entity, endpoint),
        startToCloseTimeout: ATTEMPT_TIMEOUT,
        heartbeatTimeout: HEARTBEAT_TIMEOUT,
        ...more,
      });
      return proxy[name];
    },
  });
}

/**
 * Who sends a message. Asked once: what can't be verified now is refused, and its sender told so, sooner than a handle gives
 * up waiting.
 */
export const { verifyPerson } = oneAtATime(
  proxyLocalActivities<Pick<LocalActivities, 'verifyPerson'>>({
    startToCloseTimeout: '8 seconds',
    retry: { maximumAttempts: 1 },
  }),
);

/** Activities without a request, run by the workflow's own worker. */
export const local = oneAtATime(proxyLocalActivities<LocalActivities>({ startToCloseTimeout: '10 seconds' }));

/** Those of them that poll: with retries of the server's, which a local activity does not have. */
export function localPolls(entity: string): Pick<LocalActivities, 'followFlowEnd'> {
  return proxyActivities<LocalActivities>({
    ...OPTIONS.poll,
    taskQueue: flowQueue(entity),
    startToCloseTimeout: '10 seconds',
  });
}
