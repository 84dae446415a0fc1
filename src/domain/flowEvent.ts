import type { Actor } from './actor';
import type { Decision, OpenAttention } from './attention';
import type { FlowId } from './flowId';
import type { Outcome } from './outcome';
import type { Resources, StepProgress } from './progress';

/** Workflow type that delivers the events of one flow (docs/architecture.md#events-for-the-integrator). */
export const EVENT_DELIVERY = 'eventDelivery';

/**
 * Signals of a delivery; the argument is a list of events. Defined once for the workflow and its senders: a signal under
 * a name that only one side knows would be lost without an error.
 *
 * - `enqueue`    new events, from the flow
 * - `redeliver`  events that were not accepted, from an operator
 */
export const DELIVERY_SIGNALS = { enqueue: 'enqueue', redeliver: 'redeliver' } as const;

/**
 * Types of the events that a flow sends to the integrator's endpoint:
 *
 * - `attention`  the flow needs a decision, or no longer needs it
 * - `ended`      the flow has ended; the last event of a flow
 * - `step`       a step has begun or ended; only if the entity's configuration sets `events.steps`
 * - `reminder`   the flow still waits for its user
 */
export const FLOW_EVENT_TYPES = ['attention', 'ended', 'step', 'reminder'] as const;
export type FlowEventType = (typeof FLOW_EVENT_TYPES)[number];

/**
 * The flow needs a decision. If `options` is empty, there is nothing to decide and the flow continues automatically.
 */
export interface AttentionOpened extends OpenAttention {
  state: 'opened';
}

/** The flow no longer needs the decision. */
export interface AttentionClosed {
  state: 'closed';
  /** As in the event that opened it. */
  id: string;
  /** Name of the attention that was opened. */
  name: string;
  /** The decision. Absent if the flow was cancelled, or continued without a decision. */
  choice?: Decision['choice'];
  /** Who decided or cancelled. Absent if the flow continued without a decision. */
  by?: Decision['by'];
}

/** A decision that the flow acted on. */
export interface RecordedDecision extends Decision {
  /** Name of the attention that it answered. */
  attention: string;
  /** ISO 8601. */
  at: string;
}

/** How a flow ended: its outcome, and what it recorded until then. */
export type FlowEnded = Outcome & {
  /** Who started it. Absent if the workers trust no issuer, or did not accept the token. */
  startedBy?: Actor;
  /** Name and version of its policy, such as `retail-eu@3`. Absent if the flow ended before it read the policy. */
  policy?: string;
  resources: Resources;
  decisions: RecordedDecision[];
};

/** The flow still waits for its user. Times are ISO 8601. */
export interface Reminder {
  /** What the flow waits for, in one line. */
  waitingFor: string;
  since: string;
  /** The deadline. Absent if the flow waits indefinitely. */
  until?: string;
}

export interface FlowEventData {
  attention: AttentionOpened | AttentionClosed;
  ended: FlowEnded;
  step: Pick<StepProgress, 'name' | 'state'>;
  reminder: Reminder;
}

/** An event of one type: the JSON body of the request, in the form that Standard Webhooks recommends. */
export interface FlowEventOf<T extends FlowEventType> {
  /** `<flow>/<ref>/<sequence>`. The same in every delivery, and equal to the header `webhook-id`. */
  id: string;
  type: T;
  /** ISO 8601: when it happened in the flow. */
  timestamp: string;
  entity: string;
  flow: string;
  ref: string;
  /** Numbers the events of a flow from 1, without gaps. */
  sequence: number;
  data: FlowEventData[T];
}

/** An event of any type; `type` tells the shape of `data`. Delivered at least once: `id` recognizes a duplicate. */
export type FlowEvent = { [T in FlowEventType]: FlowEventOf<T> }[FlowEventType];

/** Which events an entity's endpoint receives. A flow reads it once, when it begins. */
export interface EventSubscription {
  steps: boolean;
}

export function eventId(flow: string, ref: string, sequence: number): string {
  return `${flow}/${ref}/${sequence}`;
}

/** Workflow id of the delivery of a flow's events. It cannot be the id of a flow, because a ref contains no `~`. */
export function eventDeliveryId({ entity, flow, ref }: FlowId): string {
  return `${entity}/${EVENT_DELIVERY}/${flow}~${ref}`;
}
