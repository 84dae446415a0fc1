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
