/**
 * States of a transaction at the API (api-facts 4), in the order in which they move. Events may come twice, late or
 * never: a state only moves forward along `rank`, and a final state never moves (DESIGN rule 6).
 */
export const TRANSACTION_STATES = {
  INITIATED: { rank: 0, final: false, cancellable: true, acceleratable: false },
  PENDING_RISK_SCREENING: { rank: 1, final: false, cancellable: false, acceleratable: false },
  WAITING: { rank: 1, final: false, cancellable: false, acceleratable: false },
  CLEARED: { rank: 2, final: false, cancellable: false, acceleratable: false },
  QUEUED: { rank: 3, final: false, cancellable: true, acceleratable: false },
  SENT: { rank: 4, final: false, cancellable: true, acceleratable: true },
  STUCK: { rank: 4, final: false, cancellable: true, acceleratable: true },
  CONFIRMED: { rank: 5, final: false, cancellable: false, acceleratable: false },
  COMPLETE: { rank: 6, final: true, cancellable: false, acceleratable: false },
  FAILED: { rank: 6, final: true, cancellable: false, acceleratable: false },
  DENIED: { rank: 6, final: true, cancellable: false, acceleratable: false },
  CANCELLED: { rank: 6, final: true, cancellable: false, acceleratable: false },
} as const;

export type TransactionState = keyof typeof TRANSACTION_STATES;

export function isKnownState(state: string): state is TransactionState {
  return Object.hasOwn(TRANSACTION_STATES, state);
}

/** An unknown state is "not final yet": the API may add labels (field case CL-10). */
export function isFinal(state: string): boolean {
  return isKnownState(state) && TRANSACTION_STATES[state].final;
}

/** Whether a state that was told later is news after `known`: further along, and nothing is after a final one. */
export function isForward(known: string, told: string): boolean {
  if (isFinal(known)) return false;
  if (!isKnownState(told)) return false;
  return !isKnownState(known) || TRANSACTION_STATES[told].rank > TRANSACTION_STATES[known].rank;
}
