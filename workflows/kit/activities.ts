import type { ActivityOptions } from '@temporalio/workflow';
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ApiActivities, LocalActivities } from '../../activities';
import {
  API_ACTIVITIES,
  type ApiActivityName,
  apiQueue,
  type CallMode,
  flowQueue,
} from '../../src/domain/activityTable';
import { ISSUER_UNREACHABLE } from '../../src/domain/actor';
import { oneAtATime } from './oneAtATime';

/**
 * Longer than the HTTP timeout of 20 s, so that an attempt ends before Temporal times it out. Does not include the wait
 * for a permit.
 */
const ATTEMPT_TIMEOUT = '30 seconds';
/** Temporal notices a dead worker after this time. */
const HEARTBEAT_TIMEOUT = '10 seconds';

/**
 * Retry and cancel rules by call mode (docs/architecture.md#effects-happen-once,
 * docs/architecture.md#the-point-of-no-return).
 */
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
      // An attempt that the API may have executed is looked up, not repeated. `maximumAttempts` would not work: a
      // worker shutdown, a 429 and an open breaker also use up attempts.
      nonRetryableErrorTypes: ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat', 'OutcomeUnknown'],
    },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  },
};

type ActivityOverrides = Pick<ActivityOptions, 'scheduleToCloseTimeout'>;

/**
 * The API activities of one entity. Each runs on the task queue of its endpoint's bucket, with the rules of its mode.
 * @param overrides options of these calls, such as a timeout
 */
export function apiActivities(entity: string, overrides: ActivityOverrides = {}): ApiActivities {
  return new Proxy({} as ApiActivities, {
    get(_target, name: ApiActivityName) {
      const { endpoint, mode } = API_ACTIVITIES[name];
      const proxy = proxyActivities<ApiActivities>({
        ...OPTIONS[mode],
        taskQueue: apiQueue(entity, endpoint),
        startToCloseTimeout: ATTEMPT_TIMEOUT,
        heartbeatTimeout: HEARTBEAT_TIMEOUT,
        ...overrides,
      });
      return proxy[name];
    },
  });
}

/**
 * Verifies the sender of a message, in one attempt. If that fails, the message is rejected before the caller's handle
 * stops waiting (10 s).
 */
export const { verifyActor } = oneAtATime(
  proxyLocalActivities<Pick<LocalActivities, 'verifyActor'>>({
    startToCloseTimeout: '8 seconds',
    retry: { maximumAttempts: 1 },
  }),
);

/** Admits a flow. If the issuer's keys cannot be fetched, fails at once, and the flow calls it on the flows' queue. */
export const { admitFlow } = oneAtATime(
  proxyLocalActivities<Pick<LocalActivities, 'admitFlow'>>({
    startToCloseTimeout: '10 seconds',
    retry: { nonRetryableErrorTypes: [ISSUER_UNREACHABLE] },
  }),
);

/** Activities that send no request to the API. The workflow's own worker runs them. */
export const localActivities = oneAtATime(proxyLocalActivities<LocalActivities>({ startToCloseTimeout: '10 seconds' }));

/**
 * Polls that send no request to the API. They run as regular activities, because Temporal's server does not retry local
 * ones.
 */
export function flowQueueActivities(entity: string): Pick<LocalActivities, 'followFlowEnd' | 'admitFlow'> {
  return proxyActivities<LocalActivities>({
    ...OPTIONS.poll,
    taskQueue: flowQueue(entity),
    startToCloseTimeout: '10 seconds',
  });
}
