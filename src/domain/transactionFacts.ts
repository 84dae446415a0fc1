/** What flows act on and report of a transaction, whoever tells it. */
export interface TransactionFacts {
  id: string;
  state: string;
  txHash?: string;
  /** Paid in native tokens, decimal string. */
  networkFee?: string;
  errorReason?: string;
  errorDetails?: string;
}
