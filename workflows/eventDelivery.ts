import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../activities';
import { DELIVERY_SIGNALS, eventDeliveryId, type FlowEvent } from '../src/domain/flowEvent';
import {
  anyValue,
  type Form,
  integer,
  listOf,
  number,
  objectOf,
  optional,
  orElse,
  readableOf,
  readForm,
  time,
} from '../src/domain/forms';
import { flowEventForm } from '../src/domain/messageForms';
import { localActivities, untilDone, untilTrusted } from './kit/activities';
import { onSignal, warnDropped } from './kit/receive';
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

const enqueueSignal = defineSignal<[unknown[]]>(DELIVERY_SIGNALS.enqueue);
const redeliverSignal = defineSignal<[unknown[]]>(DELIVERY_SIGNALS.redeliver);

/** Each event is read by itself, so one of an unknown form does not hold up the others. */
const eventsForm = listOf<unknown>(anyValue);
/** Events of an unknown form must not stop the others, or new ones. */
const stateForm: Form<DeliveryState> = orElse(
  objectOf<DeliveryState>({
    queue: readableOf(objectOf<QueuedEvent>({ event: flowEventForm, enqueuedAt: number })),
    newest: orElse(
      optional(objectOf<NonNullable<DeliveryState['newest']>>({ sequence: integer, timestamp: time })),
      undefined,
    ),
  }),
  {},
);

/**
 * Delivers the events of one flow in order and retries each until the endpoint accepts it. An event that is not
 * accepted within three days moves to the held events `dead`, and the next one follows. The workflow ends when its
 * queue is empty; a later event starts it again.
 */
export async function eventDelivery(carried?: DeliveryState): Promise<void> {
  const { queue = [], newest: latest } = stateForm(carried);
  let newest = latest;
  const enqueue = (events: FlowEvent[]) => queue.push(...events.map((event) => ({ event, enqueuedAt: Date.now() })));
  onSignal(enqueueSignal, eventsForm, (list) => {
    const newEvents = readEvents(DELIVERY_SIGNALS.enqueue, list).filter((event) => !newest || isLater(event, newest));
    const last = newEvents.at(-1);
    if (last) newest = { sequence: last.sequence, timestamp: last.timestamp };
    enqueue(newEvents);
  });
  onSignal(redeliverSignal, eventsForm, (list) => void enqueue(readEvents(DELIVERY_SIGNALS.redeliver, list)));
  // A cancelled delivery would drop the events that wait.
  await CancellationScope.nonCancellable(() => deliverAll(queue, () => newest));
}

async function deliverAll(queue: QueuedEvent[], newest: () => DeliveryState['newest']): Promise<void> {
  for (let delivered = 0; queue[0]; delivered++) {
    if (delivered === MAX_DELIVERIES_PER_RUN || mustContinueAsNew()) {
      await continueAsNew<typeof eventDelivery>({ queue, newest: newest() });
    }
    await deliver(queue[0]);
    queue.shift();
    // Events that have arrived while a local activity ran.
    await condition(allHandlersFinished);
  }
}

/** The events of this workflow's flow in the list. */
function readEvents(signal: string, list: readonly unknown[]): FlowEvent[] {
  const { workflowId } = workflowInfo();
  return list.flatMap((entry) => {
    const { value: event, problem } = readForm(flowEventForm, entry);
    if (event && eventDeliveryId(event) === workflowId) return [event];
    warnDropped(signal, problem ?? 'the event belongs to another flow');
    return [];
  });
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
    await untilTrusted(proxyActivities<DeliveryActivities>(options), options).deliverEvent(event);
  } catch (error) {
    const failure = error instanceof ActivityFailure ? (error.cause ?? error) : error;
    const reason = failure instanceof Error ? failure.message : 'it was not delivered';
    const held = { id: event.id, at: new Date().toISOString(), type: event.type, reason, payload: event };
    await untilDone(() => localActivities.holdEvent('dead', held));
  }
}
