import type { Blockchain } from '../domain/chains';
import type { Action } from './chains/evm/action';
import { EvmState } from './chains/evm/state';
import type { Fee } from './chains/fees';
import type { AccountKey } from './chains/keys';
import { Compliance } from './compliance/state';
import { CrossChain } from './crossChain/state';
import { Landings } from './landings';
import { Ledger, type Account, type Movement } from './ledger';
import { Ramp } from './ramp/state';
import type { Contract, EventLog, EventMonitor, Token, Transaction, Wallet, WalletSet } from './resources';
import { Table } from './table';
import { CATALOGUE } from './tokensCatalogue';
import { People } from './users/rows';

/** Rows hold what the API shows, `resource`, and beside it what only the emulator knows. */
export interface WalletSetRow {
  readonly id: string;
  resource: WalletSet;
  /** Wallets that were ever made in it (`155502`). */
  walletCount: number;
  /** Most that there may be. */
  capacity: number;
  /** Where to look for the next free key index, by blockchain and account type. */
  readonly nextIndexes: Map<string, number>;
}

export interface WalletRow {
  readonly id: string;
  resource: Wallet;
  /** Position in its set: one key for all blockchains of a family. */
  readonly keyIndex: number;
  readonly key: AccountKey;
  /** A transaction of it has been queued; until then an SCA wallet takes no second one (`155505`). */
  queuedOnce: boolean;
  /** An SCA wallet's contract is on the blockchain: from its first transaction that lands. */
  deployed: boolean;
  /** Somebody transferred the ownership of the SCA wallet's contract: its key signs for it no more (`155512`). */
  ownerGone: boolean;
  /** When something it holds last changed. */
  balancesDate: string;
}

/** What a test wants of a transaction, set by the control API. */
export interface Plan {
  /** Too cheap to be mined: `STUCK` instead of a block. */
  stuck?: boolean;
  /** Ends `FAILED` instead of in a block. */
  fail?: { errorReason: string; errorDetails?: string };
  /** Ends `DENIED` instead of `CLEARED`. */
  deny?: boolean;
  /** From `SENT` to the block, in place of the blockchain's pace. */
  confirmAfterMs?: number;
}

export interface TransactionRow {
  readonly id: string;
  resource: Transaction;
  readonly wallet: WalletRow;
  /** What lands with it, fees apart. */
  readonly movements: readonly Movement[];
  /** A contract call, or deployment. */
  readonly action?: Action | undefined;
  /** Outbound only. */
  fee?: Fee;
  /** The wallet pays no fee: an SCA wallet on a testnet. */
  readonly sponsored: boolean;
  /** Core that the SCA wallet has from when it lands: an upgrade. */
  readonly newScaCore?: string;
  /** Set when it is sent; orders the transactions of one EVM address. */
  nonce?: number;
  /** Its movements are in the ledger. */
  landed: boolean;
  /** Somebody has spent what was set apart for it, on the blockchain itself: native tokens, or what moves. */
  uncovered?: 'native' | 'token';
  plan: Plan;
  /** A cancellation is on its way. */
  cancelling: boolean;
  /** A state that nobody has heard of, shown in place of the real one while the transaction stands still. */
  label?: string;
  /** Its time has come, but something before it has to move first. */
  held: boolean;
  /** Takes back what the clock has in store for it. */
  timer?: () => void;
}

/** Something that has come to an account, in its block. */
export interface Landed {
  movement: Movement;
  sourceAddress: string;
  txHash: string;
}

/** A contract that the entity has imported or deployed. */
export interface ContractRow {
  readonly id: string;
  /** Without what follows from its deployment's transaction: see `shownContract`. */
  resource: Contract;
}

export interface EventMonitorRow {
  readonly id: string;
  resource: EventMonitor;
}

export interface EventLogRow {
  readonly id: string;
  readonly resource: EventLog;
}

export interface Monitoring {
  /** Absent until something is configured: then the feature is off. */
  scope?: 'SELECTED' | 'MONITOR_ALL';
  tokenIds: Set<string>;
}

/** All data of one world. Plain tables: a world is thrown away with everything in it. */
export class Store {
  readonly walletSets = new Table<WalletSetRow>();
  readonly wallets = new Table<WalletRow>();
  /** Wallets by blockchain and address: `accountOf`. */
  readonly walletsByAccount = new Map<string, WalletRow>();
  readonly tokens = new Table<Token>(CATALOGUE);
  readonly transactions = new Table<TransactionRow>();
  /** Transactions by sending account that are not in a block yet, in the order of their acceptance. */
  readonly queues = new Map<string, Set<TransactionRow>>();
  /** Next nonce by sending account. */
  readonly nonces = new Map<string, number>();
  /** Nonces by sending account that were used past the API, and how many of them are not final yet. */
  readonly outsideNonces = new Map<string, { used: number[]; open: number }>();
  /** Metadata of NFT contracts by token id; null where the contract has none. */
  readonly nftMetadata = new Map<string, string | null>();
  readonly ledger = new Ledger();
  readonly monitoring: Monitoring = { tokenIds: new Set() };
  /** Times of the faucet's drips by account. */
  readonly drips = new Map<string, Date[]>();
  /** From `SENT` to the block, where a test wants another pace than the blockchain's. */
  readonly paces = new Map<Blockchain, number>();
  /** EVM blockchains beside balances: contracts and their storage. */
  readonly evm = new EvmState();
  readonly contracts = new Table<ContractRow>();
  readonly eventMonitors = new Table<EventMonitorRow>();
  readonly eventLogs = new Table<EventLogRow>();
  /** Templates that can't be deployed, or estimated, for now. */
  readonly templateStates = new Map<string, { enabled: boolean; estimable: boolean }>();
  /** Burns, their attestations and mints. */
  readonly crossChain = new CrossChain();
  /** Users, their tokens, devices and challenges. */
  readonly people = new People();
  /** Quotes and sessions for buying and selling USDC. */
  readonly ramp = new Ramp();
  /** What transactions have done in their blocks. */
  readonly landings = new Landings();
  /**
   * Who waits for deposits to an account that is no wallet: told of each in its block, and called back once that is
   * final.
   */
  readonly watched = new Map<Account, (landed: Landed) => (() => void) | undefined>();
  /** Screening lists, and everything of the travel rule. */
  readonly compliance = new Compliance();
  /** For the transactions that are accepted next, one each. */
  readonly plans: Plan[] = [];
}
