import type { Actor } from './actor';
import type { ScreeningFacts } from './screeningFacts';

export const OUTCOMES = ['completed', 'denied', 'failed', 'cancelled', 'expired'] as const;
export type OutcomeStatus = (typeof OUTCOMES)[number];

/** The flow did what its input asks for. */
export interface CompletedOutcome<R = unknown> {
  status: 'completed';
  result: R;
}

interface Ending<S extends OutcomeStatus> {
  status: S;
  /** Why, in one line, such as the transaction's `errorReason`. */
  reason: string;
  /** What can be done about it, in one line. */
  remedy: string;
}

/** The API denied the transaction, or the user declined the approval. */
interface Denied extends Ending<'denied'> {
  /** The API's error code. Absent if the API sent none. */
  code?: number;
  /**
   * What screening found, if it denied the transaction. Not for the person concerned; left out of `progress`
   * (docs/security.md#where-screening-results-go).
   */
  screening?: ScreeningFacts;
}

/** The flow could not do it. */
interface Failed extends Ending<'failed'> {
  /** The API's error code. Absent if no error of the API ended the flow. */
  code?: number;
}

/** A person cancelled the flow, or the API reports the transaction as cancelled. */
interface Cancelled extends Omit<Ending<'cancelled'>, 'remedy'> {
  /** Who cancelled the flow. Absent if the API reports the transaction as cancelled. */
  by?: Actor;
  /** Absent if a person cancelled the flow. */
  remedy?: string;
}

/** The deadline passed before the user logged in or approved. */
type Expired = Ending<'expired'>;

/** `E`, with the field `result` if something exists at the API. `'result' in outcome` tells. */
type PerhapsWithResult<E, R> = E | (E & { result: R });

/** Every outcome except `completed`. */
export type IncompleteOutcome<R = unknown> = PerhapsWithResult<Denied | Failed | Cancelled | Expired, R>;

/**
 * How a flow ended, by `status`. A refusal is a result, not an exception (docs/architecture.md#a-refusal-is-a-result).
 * `result` can be read once the status is known to be `completed`, or after `'result' in outcome`: a flow that did not
 * complete reports what it has created at the API by then, if anything.
 */
export type Outcome<R = unknown> = CompletedOutcome<R> | IncompleteOutcome<R>;

/** The outcome as `progress` shows it: without what screening found. */
export function withoutScreening<R>(outcome: Outcome<R>): Outcome<R> {
  if (outcome.status !== 'denied') return outcome;
  const { screening: _, ...shown } = outcome;
  return shown;
}
