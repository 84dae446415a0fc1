import type { RetryPolicy } from '@temporalio/common';
import type { ActivityOptions } from '@temporalio/workflow';
import { ActivityCancellationType, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { ApiActivities, LocalActivities } from '../../activities';
import {
  API_ACTIVITIES,
  type ApiActivityName,
  apiQueue,
  type CallMode,
  flowQueue,
  isEffect,
  mayRepeat,
} from '../../src/domain/activityTable';
import { ISSUER_UNREACHABLE } from '../../src/domain/actor';
import { FAILURE_TYPES } from '../../src/domain/apiFailure';
import { isUntrusted } from './failure';
import { oneAtATime } from './oneAtATime';

/**
 * Longer than the HTTP timeout of 20 s, so that an attempt ends before Temporal times it out. Does not include the wait
 * for a permit.
 */
const ATTEMPT_TIMEOUT = '30 seconds';
/** Temporal notices a dead worker after this time. */
const HEARTBEAT_TIMEOUT = '10 seconds';

/** Failures after which the API may have executed the attempt. The first two are Temporal's names of its timeouts. */
const UNKNOWN_OUTCOMES = ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat', FAILURE_TYPES.outcomeUnknown];

const BACKOFF: RetryPolicy = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' };

/**
 * Retry and cancel rules by call mode (docs/architecture.md#effects-happen-once,
 * docs/architecture.md#the-point-of-no-return).
 */
const OPTIONS: Record<CallMode, ActivityOptions> = {
  read: { retry: BACKOFF, cancellationType: ActivityCancellationType.TRY_CANCEL },
  poll: {
    retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  },
  keyed: effectOptions('keyed'),
  unkeyed: effectOptions('unkeyed'),
};

function effectOptions(mode: 'keyed' | 'unkeyed'): ActivityOptions {
  return {
    // An attempt that the API may have executed is not repeated if it has no key. `maximumAttempts` would not work: a
    // worker shutdown, a 429 and an open breaker also use up attempts.
    retry: mayRepeat(mode) ? BACKOFF : { ...BACKOFF, nonRetryableErrorTypes: UNKNOWN_OUTCOMES },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

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
      return isEffect(mode) ? proxy[name] : untilTrusted(proxy)[name];
    },
  });
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/**
 * Repeats an activity that changes nothing until this installation has ended it. An effect is not repeated: the flow looks
 * it up.
 */
export function untilTrusted<A extends Record<keyof A, (...args: never[]) => Promise<unknown>>>(activities: A): A {
  return new Proxy(activities, {
    get(target, name: keyof A & string) {
      const activity = target[name];
      return async (...args: Parameters<typeof activity>) => {
        for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
          try {
            return await activity(...args);
          } catch (error) {
            if (!isUntrusted(error)) throw error;
          }
          await sleep(pauseMs);
        }
      };
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
  untilTrusted(
    proxyLocalActivities<Pick<LocalActivities, 'admitFlow'>>({
      startToCloseTimeout: '10 seconds',
      retry: { nonRetryableErrorTypes: [ISSUER_UNREACHABLE] },
    }),
  ),
);

/** Activities that send no request to the API. The workflow's own worker runs them. */
export const localActivities = oneAtATime(
  untilTrusted(proxyLocalActivities<LocalActivities>({ startToCloseTimeout: '10 seconds' })),
);

/**
 * Polls that send no request to the API. They run as regular activities, because Temporal's server does not retry local
 * ones.
 */
export function flowQueueActivities(entity: string): Pick<LocalActivities, 'followFlowEnd' | 'admitFlow'> {
  return untilTrusted(
    proxyActivities<LocalActivities>({
      ...OPTIONS.poll,
      taskQueue: flowQueue(entity),
      startToCloseTimeout: '10 seconds',
    }),
  );
}
