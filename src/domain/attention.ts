import type { Actor } from './actor';

/** A question to the integrator's staff. The flow waits for their decision. */
export interface Attention {
  /** What it is about, as a constant (`InsufficientFunds`, `FeeAboveLimit`). Also the search attribute `FlowAttention`. */
  name: string;
  /** The API's error code that stopped the flow, if there is one. */
  code?: number;
  /** Why the flow stopped, in one line. */
  reason: string;
  /** What to do before deciding, in one line. It names no option: a flow that gives up reports it as well. */
  remedy: string;
  /** What `decide` accepts. Empty if there is nothing to decide and the flow continues automatically. */
  options: readonly DecisionOption[];
}

/** One option of an attention. */
export interface DecisionOption {
  /** The argument of `decide`, such as `retry` or `giveUp`. */
  choice: string;
  /** What the flow does if it is chosen, in one line. */
  effect: string;
}

/** A decision as the flow recorded it. A flow records one decision for each attention. */
export interface Decision {
  choice: string;
  by: Actor;
}
