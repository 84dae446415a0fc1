/** The transaction. Present in every outcome if the API has created it. */
export interface TransactionResult {
  transactionId: string;
  /** The transaction's final state at the API. */
  state: string;
  txHash?: string;
  /**
   * What the API says it sent: decimal strings, in tokens, in the API's own form (`10.5` for `10.50`). Of a contract call:
   * the native tokens. Absent if the API reports no amounts.
   */
  amounts?: string[];
  /** Fee paid in native tokens, as a decimal string. */
  networkFee?: string;
  /** The challenge that the user approved. */
  challengeId?: string;
  /** The user approved after the deadline, or after a cancellation was requested. */
  approvedLate?: true;
  evaluation?: LateEvaluation;
}

/**
 * The second check of funds and fee, if the user approved later than the policy's `approvalMaxAge`. It is only reported,
 * because the approval has already sent the transaction.
 */
export interface LateEvaluation {
  /** Milliseconds from the check before the challenge until the flow learned of the approval. */
  approvalAgeMs: number;
  /** `unknown`: the API refused the estimate or the request failed, possibly because of the transfer itself. */
  outcome: 'passed' | 'failed' | 'unknown';
  reason?: string;
}
