import type { AccountKey } from '../chains/keys';
import type { Wallet, WalletSet } from '../ledger/resources';

/** Rows hold the resource that the API shows, and next to it what only the emulator knows. */
export interface WalletSetRow {
  readonly id: string;
  resource: WalletSet;
  /** Wallets ever created in the set (`155502`). */
  walletCount: number;
  /** The most wallets that the set may hold. */
  capacity: number;
  /** Where the search for the next free key index starts, by blockchain and account type. */
  readonly nextIndexes: Map<string, number>;
}

export interface WalletRow {
  readonly id: string;
  resource: Wallet;
  /** Position in its set: one key for all blockchains of a family. */
  readonly keyIndex: number;
  readonly key: AccountKey;
  /** A transaction of the wallet is queued; until it moves on, an SCA wallet accepts no other (`155505`). */
  hasQueued: boolean;
  /** An SCA wallet's contract is on the blockchain: its first transaction deploys it. */
  deployed: boolean;
  /** The SCA wallet's contract has a new owner, so the wallet's key can no longer sign for it (`155512`). */
  ownershipTransferred: boolean;
  /** When a balance last changed. */
  balancesDate: string;
}
