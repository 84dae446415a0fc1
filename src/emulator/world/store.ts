import type { Blockchain } from '../../domain/chains';
import { Table } from '../kit/table';
import { EffectLog } from '../ledger/effectLog';
import { type Account, Ledger } from '../ledger/ledger';
import type { Token } from '../ledger/resources';
import { TOKEN_CATALOG } from '../ledger/tokenCatalog';
import type { PlannedOutcome, ReceivedDeposit, TransactionRow } from './transactionRows';
import type { WalletRow, WalletSetRow } from './walletRows';

export interface Monitoring {
  /** Absent until something is configured; while absent, the feature is off. */
  scope?: 'SELECTED' | 'MONITOR_ALL';
  tokenIds: Set<string>;
}

/** Wallets, transactions and balances of one world: what every subsystem builds on. Each subsystem has its own state. */
export class Store {
  readonly walletSets = new Table<WalletSetRow>();
  readonly wallets = new Table<WalletRow>();
  /** Wallets by blockchain and address: `accountOf`. */
  readonly walletsByAccount = new Map<string, WalletRow>();
  readonly tokens = new Table<Token>(TOKEN_CATALOG);
  readonly transactions = new Table<TransactionRow>();
  /** Transactions that are not in a block yet, by sending account, in the order of acceptance. */
  readonly queues = new Map<string, Set<TransactionRow>>();
  /** Next nonce by sending account. */
  readonly nonces = new Map<string, number>();
  /** Nonces by sending account that were used out-of-band, and how many of those are not final yet. */
  readonly outOfBandNonces = new Map<string, { used: number[]; open: number }>();
  /** Metadata of NFT contracts by token id; null for a contract without metadata. */
  readonly nftMetadata = new Map<string, string | null>();
  readonly ledger = new Ledger();
  readonly monitoring: Monitoring = { tokenIds: new Set() };
  /** Times of the faucet's drips by account. */
  readonly faucetDrips = new Map<string, Date[]>();
  /** From `SENT` to the block, for blockchains whose delay a test has changed. */
  readonly confirmDelays = new Map<Blockchain, number>();
  /** What transactions have done in their blocks. */
  readonly effectLog = new EffectLog();
  /**
   * Callbacks for deposits to accounts that are not wallets. A callback runs when the deposit is in its block; the
   * function that it returns runs when that block is final.
   */
  readonly depositWatchers = new Map<Account, (deposit: ReceivedDeposit) => (() => void) | undefined>();
  /** For the transactions accepted next, one each. */
  readonly plannedOutcomes: PlannedOutcome[] = [];
}
