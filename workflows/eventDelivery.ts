import {
  ActivityFailure,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../activities';
import { DELIVERY_SIGNALS, type FlowEvent } from '../src/domain/flowEvent';
import { local } from './kit/activities';

/** What a delivery begins with, and carries into its next run. */
export interface DeliveryState {
  waiting?: WaitingEvent[];
  /** The newest event that it was given. */
  newest?: Pick<FlowEvent, 'sequence' | 'timestamp'>;
}

interface WaitingEvent {
  event: FlowEvent;
  /** Epoch milliseconds, when it was handed over. */
  since: number;
}

/** So long an event is tried, from when it was handed over. */
const TRIED_MS = 3 * 24 * 60 * 60_000;
/** Each is tried so long at least, however long it waited behind those before it. */
const TRIED_LEAST_MS = 10 * 60_000;
/** A run's history ends at so many events delivered: the next run begins with those that wait. */
const MOST_DELIVERED = 200;

const RETRY = { initialInterval: '5 seconds', backoffCoefficient: 3, maximumInterval: '3 hours' } as const;

const putSignal = defineSignal<[FlowEvent[]]>(DELIVERY_SIGNALS.put);
const againSignal = defineSignal<[FlowEvent[]]>(DELIVERY_SIGNALS.again);

/**
 * Delivers the events of one flow in their order, each until the endpoint has taken it; one that it does not take in three
 * days is put aside for operators, and the next one's turn comes. Begun by the flow's first event, and again by one that
 * comes after it has ended: it ends when nothing waits.
 */
export async function eventDelivery({ waiting = [], newest }: DeliveryState = {}): Promise<void> {
  const take = (events: FlowEvent[]) => waiting.push(...events.map((event) => ({ event, since: Date.now() })));
  setHandler(putSignal, (events) => {
    const news = events.filter((event) => !newest || isLater(event, newest));
    const last = news.at(-1);
    if (last) newest = { sequence: last.sequence, timestamp: last.timestamp };
    take(news);
  });
  setHandler(againSignal, (events) => void take(events));
  for (let delivered = 0; waiting[0]; delivered++) {
    if (delivered === MOST_DELIVERED || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof eventDelivery>({ waiting, ...(newest && { newest }) });
    }
    await deliver(waiting[0]);
    waiting.shift();
  }
}

/** A hand-over whose reply was lost comes twice. A flow that was reset counts some numbers again, at a later time. */
function isLater(event: FlowEvent, newest: NonNullable<DeliveryState['newest']>): boolean {
  return event.sequence > newest.sequence || event.timestamp > newest.timestamp;
}

async function deliver({ event, since }: WaitingEvent): Promise<void> {
  const scheduleToCloseTimeout = Math.max(since + TRIED_MS - Date.now(), TRIED_LEAST_MS);
  // Longer than the five seconds that the endpoint has, so that an attempt ends by itself.
  const options = { startToCloseTimeout: '10 seconds', scheduleToCloseTimeout, retry: RETRY } as const;
  try {
    await proxyActivities<DeliveryActivities>(options).deliverEvent(event);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const about = error.cause?.message ?? error.message;
    await local.putInBox('dead', {
      id: event.id,
      at: new Date().toISOString(),
      kind: event.type,
      about,
      payload: event,
    });
  }
}
