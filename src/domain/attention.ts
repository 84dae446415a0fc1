import type { Person } from './person';

/** A flow waits for a person at the integrator (DESIGN section 1). */
export interface Attention {
  /** Constant that says what it is about (`InsufficientFunds`, `FeeAboveLimit`); the search attribute `FlowAttention`. */
  name: string;
  /** Code of the API that made the flow stop, where there is one. */
  code?: number;
  reason: string;
  remedy: string;
  /** What `decide` may choose; each is handled by the flow that shows it. */
  options: readonly DecisionOption[];
}

/** A choice offered to a person. `retry`, `lookAgain`, `giveUp`, `accelerate`, `cancelTransaction`, `keepWaiting`. */
export interface DecisionOption {
  choice: string;
  /** What happens when it is chosen, one line. */
  effect: string;
}

/** A decision as recorded in the flow: once, by whom. */
export interface Decision {
  choice: string;
  by: Person;
}
