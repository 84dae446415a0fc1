import type { Person } from './person';

export const OUTCOMES = ['completed', 'denied', 'failed', 'cancelled', 'expired'] as const;
export type OutcomeStatus = (typeof OUTCOMES)[number];

/**
 * How a flow ended. A refusal is a result, not an exception (DESIGN rule 12): a workflow that fails is a bug or an
 * outage, never the API's "no".
 */
export interface Outcome<R = unknown> {
  status: OutcomeStatus;
  /** Code of the API behind the ending, where it gave one. */
  code?: number;
  /** Why, in one line; e.g. the transaction's `errorReason`. Absent when completed. */
  reason?: string;
  /** Who cancelled it. */
  by?: Person;
  /** What can be done about it. */
  remedy?: string;
  /** What the flow reports: present when completed, and wherever something exists at the API. */
  result?: R;
}
