/**
 * One thing a flow wants done once at the API. `ordinal` counts from 1 within its step; a new one is a new thing with a
 * new idempotency key, allowed only when the API said that nothing was created or a person decided it (DESIGN rule 2).
 */
export interface EffectId {
  step: string;
  ordinal: number;
}

/** What an activity needs, beside the entity it serves, to derive the effect's idempotency key and `refId`. */
export interface EffectRef extends EffectId {
  /** Kind and ref of the flow: its workflow id is `<entity>/<flow>/<ref>`. */
  flow: string;
  ref: string;
  /** Key of the ring that was current when the flow was started: the same in every attempt, replay and reset. */
  keyId: string;
}
