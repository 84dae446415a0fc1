import type { Fee } from '../chains/fees';
import type { Movement } from '../ledger/ledger';
import type { Transaction } from '../ledger/resources';
import type { Action } from './evmAction';
import type { WalletRow } from './walletRows';

/** The outcome that a test plans for a transaction through the control API. */
export interface PlannedOutcome {
  /** Too cheap to be mined: `STUCK` instead of a block. */
  stuck?: boolean;
  /** Ends `FAILED` instead of in a block. */
  fail?: { errorReason: string; errorDetails?: string };
  /** Ends `DENIED` instead of `CLEARED`. */
  deny?: boolean;
  /** From `SENT` to the block, in place of the blockchain's own delay. */
  confirmAfterMs?: number;
}

export interface TransactionRow {
  readonly id: string;
  resource: Transaction;
  readonly wallet: WalletRow;
  /** The ledger movements that it makes in its block, without fees. */
  readonly movements: readonly Movement[];
  /** A contract call or deployment. */
  readonly action?: Action | undefined;
  /** Outbound only. */
  fee?: Fee;
  /** The wallet pays no fee: an SCA wallet on a testnet. */
  readonly sponsored: boolean;
  /** An upgrade: the core of the SCA wallet once the transaction is in its block. */
  readonly newScaCore?: string;
  /** Set when it is sent; orders the transactions of one EVM address. */
  nonce?: number;
  /** Its movements are in the ledger. */
  settled: boolean;
  /** The funds reserved for it were spent out-of-band: native tokens, or the token that it moves. */
  underfunded?: 'native' | 'token';
  planned: PlannedOutcome;
  /** A cancellation is under way. */
  cancelling: boolean;
  /** A state that the API does not document, shown in place of the real one while the transaction is frozen. */
  shownState?: string;
  /** Its next step is due, but an earlier transaction of the same sender has to move first. */
  blocked: boolean;
  /** Cancels its next scheduled step. */
  timer?: () => void;
}

/** A transfer that has reached an account in its block. */
export interface ReceivedDeposit {
  movement: Movement;
  sourceAddress: string;
  txHash: string;
}
