import {
  ActivityFailure,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../activities';
import { DELIVERY_SIGNALS, type FlowEvent } from '../src/domain/flowEvent';
import { localActivities, untilTrusted } from './kit/activities';
import { mustContinueAsNew } from './kit/runAge';

/** The state of a delivery, which one run passes to the next. */
export interface DeliveryState {
  queue?: QueuedEvent[];
  /** Of the latest event that was enqueued. */
  newest?: Pick<FlowEvent, 'sequence' | 'timestamp'>;
}

interface QueuedEvent {
  event: FlowEvent;
  /** Epoch milliseconds. */
  enqueuedAt: number;
}

/** How long an event is retried after it was enqueued. */
const RETRY_WINDOW_MS = 3 * 24 * 60 * 60_000;
/** The minimum for each event, however long it waited behind earlier ones. */
const MIN_RETRY_WINDOW_MS = 10 * 60_000;
/** Bounds the history: after this many deliveries, the workflow continues as new with the rest of the queue. */
const MAX_DELIVERIES_PER_RUN = 200;

const RETRY = { initialInterval: '5 seconds', backoffCoefficient: 3, maximumInterval: '3 hours' } as const;

const enqueueSignal = defineSignal<[FlowEvent[]]>(DELIVERY_SIGNALS.enqueue);
const redeliverSignal = defineSignal<[FlowEvent[]]>(DELIVERY_SIGNALS.redeliver);

/**
 * Delivers the events of one flow in order and retries each until the endpoint accepts it. An event that is not
 * accepted within three days moves to the held events `dead`, and the next one follows. The workflow ends when its
 * queue is empty; a later event starts it again.
 */
export async function eventDelivery({ queue = [], newest }: DeliveryState = {}): Promise<void> {
  const enqueue = (events: FlowEvent[]) => queue.push(...events.map((event) => ({ event, enqueuedAt: Date.now() })));
  setHandler(enqueueSignal, (events) => {
    const newEvents = events.filter((event) => !newest || isLater(event, newest));
    const last = newEvents.at(-1);
    if (last) newest = { sequence: last.sequence, timestamp: last.timestamp };
    enqueue(newEvents);
  });
  setHandler(redeliverSignal, (events) => void enqueue(events));
  for (let delivered = 0; queue[0]; delivered++) {
    if (delivered === MAX_DELIVERIES_PER_RUN || mustContinueAsNew()) {
      await continueAsNew<typeof eventDelivery>({ queue, ...(newest && { newest }) });
    }
    await deliver(queue[0]);
    queue.shift();
  }
}

/**
 * Recognizes a duplicate, sent again because the response to the signal was lost. A flow that was reset reuses some
 * sequence numbers, but with a later timestamp.
 */
function isLater(event: FlowEvent, newest: NonNullable<DeliveryState['newest']>): boolean {
  return event.sequence > newest.sequence || event.timestamp > newest.timestamp;
}

async function deliver({ event, enqueuedAt }: QueuedEvent): Promise<void> {
  const scheduleToCloseTimeout = Math.max(enqueuedAt + RETRY_WINDOW_MS - Date.now(), MIN_RETRY_WINDOW_MS);
  // Longer than the endpoint's 5 s, so that an attempt ends before Temporal times it out.
  const options = { startToCloseTimeout: '10 seconds', scheduleToCloseTimeout, retry: RETRY } as const;
  try {
    await untilTrusted(proxyActivities<DeliveryActivities>(options)).deliverEvent(event);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const reason = error.cause?.message ?? error.message;
    await localActivities.holdEvent('dead', {
      id: event.id,
      at: new Date().toISOString(),
      type: event.type,
      reason,
      payload: event,
    });
  }
}
