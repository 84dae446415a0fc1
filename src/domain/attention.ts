import type { Actor } from './actor';
import type { DecodedCall } from './callMovements';

/** Why a flow stopped. An attention shows it; if nothing can be done, it becomes the outcome `failed`. */
export interface Problem {
  /** What it is about, as a constant (`InsufficientFunds`, `FeeAboveLimit`). Also the search attribute `FlowAttention`. */
  name: string;
  /** The API's error code that stopped the flow, if there is one. */
  code?: number;
  /** Why the flow stopped, in one line. */
  reason: string;
  /** What to do about it, in one line. It names no option: a flow that gives up reports it as well. */
  remedy: string;
}

/** A question to the integrator's staff. The flow waits for their decision, one of the choices `C`. */
export interface Attention<C extends string = string> extends Problem {
  /** What `decide` accepts. Empty if there is nothing to decide and the flow continues automatically. */
  options: readonly DecisionOption<C>[];
}

/** An attention that a flow shows. */
export interface OpenAttention<C extends string = string> extends Attention<C> {
  /**
   * Identifies this question among all of the flow. `decide` names the question that the person saw: the flow may ask
   * another one by then. Empty if no worker responded.
   */
  id: string;
  /** What the flow's contract call does: who receives what. */
  call?: DecodedCall;
}

/** One option of an attention. */
export interface DecisionOption<C extends string = string> {
  /** The argument of `decide`, such as `retry` or `giveUp`. */
  choice: C;
  /** What the flow does if it is chosen, in one line. */
  effect: string;
}

/** An option whose choice is a literal type, so a flow cannot mistype it. */
export function option<const C extends string>(choice: C, effect: string): DecisionOption<C> {
  return { choice, effect };
}

/** A decision as the flow recorded it. A flow records one decision for each attention. */
export interface Decision<C extends string = string> {
  choice: C;
  by: Actor;
}
