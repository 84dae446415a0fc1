/**
 * One change that a flow makes in the API exactly once. `ordinal` counts from 1 within a step. A new ordinal means a
 * new change with a new idempotency key. When a flow may use a new ordinal: docs/architecture.md#effects-happen-once.
 */
export interface EffectId {
  step: string;
  ordinal: number;
}

/** Everything that an activity needs, besides its entity, to derive an effect's idempotency key and `refId`. */
export interface EffectRef extends EffectId {
  /** Name of the flow. Its workflow id is `<entity>/<flow>/<ref>`. */
  flow: string;
  ref: string;
}

/** An effect that an activity may send. */
export interface SentEffect extends EffectRef {
  /**
   * The run of the flow that may send it without a lookup: the first one, or a later one that has looked it up. A later
   * run does not know what an earlier one sent after the point of its reset.
   */
  senderRunId: string;
}
