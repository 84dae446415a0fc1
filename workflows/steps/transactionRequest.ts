import type { WalletFacts } from '../../activities';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { SentEffect } from '../../src/domain/effect';
import type { FeeChoice, FeeQuote } from '../../src/domain/networkFee';
import type { FeeLevel } from '../../src/domain/policy';
import type { ExpectedTransaction } from '../../src/domain/sentTransaction';

/** Step of the effect that a flow is started for: part of its idempotency key and its `refId`. */
export const SUBMIT = 'submit';

/** A transaction as a flow asks the API for it. The gate, the submission and the lookup of a flow share one. */
export interface TransactionRequest {
  readonly wallet: WalletFacts;
  readonly fee: FeeChoice;
  /** What the transaction that the flow follows must show, and what a lookup compares with what it finds. */
  readonly expected: ExpectedTransaction;
  /** The API's estimates for these levels. */
  estimate(levels: readonly FeeLevel[]): Promise<FeeQuote[]>;
  /** Sends it from a developer wallet. */
  send(effect: SentEffect): Promise<TransactionFacts>;
  /** Opens the challenge of the user of the wallet. `body` has no `idempotencyKey` and no `refId`. */
  readonly challenge: {
    readonly call: 'createUserTransfer' | 'createUserContractExecution';
    readonly body: object;
  };
}
