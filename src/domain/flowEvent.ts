import type { Attention, Decision } from './attention';
import type { Outcome } from './outcome';
import type { Resources, StepProgress } from './progress';
import type { FlowName } from './ref';

/** Workflow type that delivers the events of one flow (DESIGN section 4, "Out to the integrator"). */
export const EVENT_DELIVERY = 'eventDelivery';

/**
 * What a delivery hears, with events as its argument: one definition for workflow and senders (field case WF-02).
 * `put`: by the flow. `again`: by a person, events that were put before.
 */
export const DELIVERY_SIGNALS = { put: 'put', again: 'again' } as const;

/**
 * What a flow tells the integrator, by type:
 *
 * - `attention`  a person is needed, and: no longer
 * - `ended`      the flow has ended; nothing comes after it
 * - `step`       a step begins or is over; only where the entity's configuration asks for it
 * - `reminder`   the flow still waits for somebody
 */
export const FLOW_EVENT_TYPES = ['attention', 'ended', 'step', 'reminder'] as const;
export type FlowEventType = (typeof FLOW_EVENT_TYPES)[number];

/** A person is needed. `options` is empty where there is nothing to decide and the flow goes on waiting by itself. */
export interface AttentionOpened extends Attention {
  state: 'opened';
}

/** A person is no longer needed. */
export interface AttentionClosed {
  state: 'closed';
  /** Of the attention that was opened. */
  name: string;
  /** What was decided; absent when the flow was cancelled, or went on without anybody. */
  choice?: Decision['choice'];
  /** Who decided, or cancelled. */
  by?: Decision['by'];
}

/** A decision that the flow acted on. */
export interface DecisionMade extends Decision {
  /** Name of the attention that asked for it. */
  attention: string;
  /** ISO 8601. */
  at: string;
}

/** How a flow ended: its outcome, and everything that it noted on the way. */
export interface Ended extends Outcome {
  /** Policy and version that it ran under, `retail-eu@3`. */
  policy?: string;
  resources: Resources;
  decisions: DecisionMade[];
}

/** The flow still waits for somebody. Times are ISO 8601. */
export interface Reminder {
  waitingFor: string;
  since: string;
  /** When it stops waiting, where it does. */
  until?: string;
}

export interface FlowEventData {
  attention: AttentionOpened | AttentionClosed;
  ended: Ended;
  step: Pick<StepProgress, 'name' | 'state'>;
  reminder: Reminder;
}

/** An event as it is sent: the body of the request, in the form that Standard Webhooks recommends. */
export interface FlowEventOf<T extends FlowEventType> {
  /** `<flow>/<ref>/<sequence>`: the same in every delivery, and the header `webhook-id`. */
  id: string;
  type: T;
  /** ISO 8601, when it happened in the flow. */
  timestamp: string;
  entity: string;
  flow: string;
  ref: string;
  /** Counts from 1 in each flow, without gaps. */
  sequence: number;
  data: FlowEventData[T];
}

export type FlowEvent = { [T in FlowEventType]: FlowEventOf<T> }[FlowEventType];

/** Which events an entity's endpoint wants; a flow learns it once, when it begins. */
export interface WantedEvents {
  steps: boolean;
}

export function eventId(flow: string, ref: string, sequence: number): string {
  return `${flow}/${ref}/${sequence}`;
}

/** Workflow id of the delivery of a flow's events. No flow's: a ref has no `~`. */
export function deliveryId({ entity, flow, ref }: FlowName): string {
  return `${entity}/${EVENT_DELIVERY}/${flow}~${ref}`;
}
