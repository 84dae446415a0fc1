import type { RetryPolicy } from '@temporalio/common';
import type { ActivityOptions } from '@temporalio/workflow';
import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  log,
  proxyActivities,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow';
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
import { unlessEnding } from './ending';
import { isImpossibleTimeout, isUntrusted } from './failure';
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

const POLL_BACKOFF: RetryPolicy = {
  initialInterval: '2 seconds',
  backoffCoefficient: 2,
  maximumInterval: '10 minutes',
};

/**
 * Retry and cancel rules by call mode (docs/architecture.md#effects-happen-once,
 * docs/architecture.md#the-point-of-no-return).
 */
const OPTIONS: Record<CallMode, ActivityOptions> = {
  read: { retry: BACKOFF, cancellationType: ActivityCancellationType.TRY_CANCEL },
  poll: {
    retry: { ...POLL_BACKOFF, nonRetryableErrorTypes: [FAILURE_TYPES.unreadable] },
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

interface PollOptions {
  scheduleToCloseTimeout?: ActivityOptions['scheduleToCloseTimeout'];
  /**
   * A poll fails after several responses in a row that it cannot read, so that the flow can show it. With this option it
   * continues instead: for a flow that shows it already.
   */
  untilReadable?: boolean | undefined;
}

/**
 * The API activities of one entity. Each runs on the task queue of its endpoint's bucket, with the rules of its mode.
 */
export function apiActivities(
  entity: string,
  { scheduleToCloseTimeout, untilReadable }: PollOptions = {},
): ApiActivities {
  return new Proxy({} as ApiActivities, {
    get(_target, name: ApiActivityName) {
      const { endpoint, mode } = API_ACTIVITIES[name];
      const proxy = proxyActivities<ApiActivities>({
        ...OPTIONS[mode],
        taskQueue: apiQueue(entity, endpoint),
        startToCloseTimeout: ATTEMPT_TIMEOUT,
        heartbeatTimeout: HEARTBEAT_TIMEOUT,
        ...(scheduleToCloseTimeout !== undefined && { scheduleToCloseTimeout }),
        ...(untilReadable && mode === 'poll' && { retry: POLL_BACKOFF }),
      });
      return isEffect(mode) ? proxy[name] : untilTrusted(proxy, { scheduleToCloseTimeout })[name];
    },
  });
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
const MAX_LONG_PAUSE_MS = 60 * 60_000;

/**
 * Repeats an activity that changes nothing until this installation has ended it. An effect is not repeated: the flow looks
 * it up.
 * @param options those of the activities
 */
export function untilTrusted<A extends Record<keyof A, (...args: never[]) => Promise<unknown>>>(
  activities: A,
  { scheduleToCloseTimeout }: Pick<PollOptions, 'scheduleToCloseTimeout'> = {},
): A {
  const hasTimeout = scheduleToCloseTimeout !== undefined;
  return new Proxy(activities, {
    get(target, name: keyof A & string) {
      const activity = target[name];
      return async (...args: Parameters<typeof activity>) => {
        for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
          try {
            return await activity(...args);
          } catch (error) {
            if (!isUntrusted(error) && !isImpossibleTimeout(error, hasTimeout)) throw error;
          }
          await unlessEnding();
          await sleep(pauseMs);
        }
      };
    },
  });
}

/**
 * Repeats work that changes nothing when it is repeated, until it succeeds. For workflows that must not end: they repeat
 * also what Temporal does not, such as a bug in an activity.
 */
export async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_LONG_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
      log.warn('Repeats what has failed', { error: error instanceof Error ? error.name : typeof error });
    }
    await sleep(pauseMs);
  }
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

type FlowQueueActivity = 'followFlowEnd' | 'watchSession' | 'followHolderEnd' | 'watchLane' | 'admitFlow';

/**
 * Polls that send no request to the API. They run as regular activities, because Temporal's server does not retry local
 * ones.
 */
export function flowQueueActivities(entity: string): Pick<LocalActivities, FlowQueueActivity> {
  return untilTrusted(
    proxyActivities<LocalActivities>({
      ...OPTIONS.poll,
      taskQueue: flowQueue(entity),
      startToCloseTimeout: '10 seconds',
    }),
  );
}
