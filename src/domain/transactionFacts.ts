import type { ScreeningFacts } from './screeningFacts';
import type { ShownTransaction } from './sentTransaction';

/** The part of a transaction that flows use and report, whether it comes from a read or from a webhook. */
export interface TransactionFacts extends ShownTransaction {
  id: string;
  /** One of `TRANSACTION_STATES`, or a state that this version does not know. */
  state: string;
  /** What the API says it sends: decimal strings, in tokens. Absent if the API reports none. */
  amounts?: string[];
  txHash?: string;
  /** Fee paid in native tokens, as a decimal string. */
  networkFee?: string;
  errorReason?: string;
  errorDetails?: string;
  /** Why screening denied it. Absent in every state except `DENIED`. */
  screening?: ScreeningFacts;
}
