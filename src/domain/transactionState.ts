/**
 * States of a transaction at the API (docs/api-behavior.md#transaction-states). Events may arrive late, twice or never, so
 * flows accept a state only if its `rank` is higher than that of the known state. A final state never changes.
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

/** An unknown state is treated as not final, because the API may add states. */
export function isFinal(state: string): boolean {
  return isKnownState(state) && TRANSACTION_STATES[state].final;
}

const OUTSTANDING: ReadonlySet<string> = new Set<TransactionState>(['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'STUCK']);

/** Whether a transaction counts towards the limits of its wallet: it is not in a block yet (docs/api-behavior.md#transaction-states). */
export function isOutstanding(state: string): boolean {
  return OUTSTANDING.has(state);
}

/** Whether a transaction in this state has moved its amount, or still may. */
export function mayMove(state: string): boolean {
  return !isFinal(state) || state === 'COMPLETE';
}

/** Whether `incoming` comes after the known state. Nothing comes after a final state. */
export function isForward(known: string, incoming: string): boolean {
  if (isFinal(known)) return false;
  if (!isKnownState(incoming)) return false;
  return !isKnownState(known) || TRANSACTION_STATES[incoming].rank > TRANSACTION_STATES[known].rank;
}

/**
 * Until when a transaction is followed:
 *
 * - `final`        a final state
 * - `stuck`        a final state, or `STUCK`
 * - `mined`        a final state, or in a block
 * - `cancellable`  a state that tells whether the API still cancels the transaction. `CLEARED`, for example, does not: the
 *                  next state is cancellable again
 * - `queued`       `QUEUED` or a state after it: none of them becomes cancellable again
 */
export const FOLLOW_UNTIL = ['final', 'mined', 'stuck', 'cancellable', 'queued'] as const;
export type FollowUntil = (typeof FOLLOW_UNTIL)[number];

export function isFollowedTo(until: FollowUntil, state: string): boolean {
  if (until === 'cancellable') return isCancellable(state) || isMined(state);
  if (until === 'queued')
    return isKnownState(state) && TRANSACTION_STATES[state].rank >= TRANSACTION_STATES.QUEUED.rank;
  if (until === 'mined') return isMined(state);
  return isFinal(state) || (until === 'stuck' && state === 'STUCK');
}

/** Whether the API accepts a cancellation. */
export function isCancellable(state: string): boolean {
  return isKnownState(state) && TRANSACTION_STATES[state].cancellable;
}

/** In a block, or final. */
export function isMined(state: string): boolean {
  return isKnownState(state) && TRANSACTION_STATES[state].rank >= TRANSACTION_STATES.CONFIRMED.rank;
}
