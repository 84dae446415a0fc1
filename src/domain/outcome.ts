import type { Actor } from './actor';

export const OUTCOMES = ['completed', 'denied', 'failed', 'cancelled', 'expired'] as const;
export type OutcomeStatus = (typeof OUTCOMES)[number];

/**
 * How a flow ended. A refusal is a result, not an exception (docs/architecture.md#a-refusal-is-a-result).
 *
 * - `completed`  the flow did what its input asks for
 * - `denied`     the API denied the transaction, or the user declined the approval
 * - `failed`     the flow could not do it; `code`, `reason` and `remedy` say why
 * - `cancelled`  the flow was cancelled, or the API reports the transaction as cancelled
 * - `expired`    the deadline passed before the user approved
 */
export interface Outcome<R = unknown> {
  status: OutcomeStatus;
  /** The API's error code, if an error of the API ended the flow. */
  code?: number;
  /** Why, in one line, such as the transaction's `errorReason`. Absent if completed. */
  reason?: string;
  /** Who cancelled the flow. */
  by?: Actor;
  /** What can be done about it, in one line. */
  remedy?: string;
  /** What the flow reports. Present if completed, and in every other outcome if something exists at the API. */
  result?: R;
}
