import { CHAINS } from '../../domain/chains';
import { isOutstanding } from '../../domain/transactionState';
import { profileOf } from '../chains/profiles';
import { accountOf } from '../ledger/ledger';
import type { Store } from '../world/store';
import type { TransactionRow } from '../world/transactionRows';
import type { WalletRow } from '../world/walletRows';

export function isPending(row: TransactionRow): boolean {
  return isOutstanding(row.resource.state);
}

/** The transactions of a wallet that are not in a block yet. */
export function pendingOf(store: Store, wallet: WalletRow): ReadonlySet<TransactionRow> {
  return store.queues.get(accountOf(wallet.resource.blockchain, wallet.resource.address)) ?? new Set();
}

/** The nonce of a wallet's next transaction. */
export function nextNonce(store: Store, { resource }: WalletRow): number {
  return store.nonces.get(accountOf(resource.blockchain, resource.address)) ?? 0;
}

/** Takes the next nonce of a wallet. */
export function takeNonce(store: Store, wallet: WalletRow): number {
  const nonce = nextNonce(store, wallet);
  store.nonces.set(accountOf(wallet.resource.blockchain, wallet.resource.address), nonce + 1);
  return nonce;
}

/** The queue of a transaction's sender: transactions that are not in a block yet. Created on first use. */
export function queueOf(store: Store, { wallet }: TransactionRow): Set<TransactionRow> {
  const account = accountOf(wallet.resource.blockchain, wallet.resource.address);
  const queue = store.queues.get(account) ?? new Set();
  store.queues.set(account, queue);
  return queue;
}

/**
 * Whether a transaction must wait for earlier ones of its sender. Nodes accept a limited number of pending transactions
 * per EVM address (one for a smart-contract wallet) and mine them in nonce order: a stuck one blocks all later ones.
 */
export function isBlocked(store: Store, row: TransactionRow): boolean {
  const { state, transactionType } = row.resource;
  if (row.shownState !== undefined) return true;
  if (transactionType === 'INBOUND' || !isEvm(row)) return false;
  const sent = [...queueOf(store, row)].filter((other) => other.nonce !== undefined);
  if (state === 'QUEUED') return sent.length >= mempoolSlots(row);
  return state === 'SENT' && sent.some(({ nonce = 0 }) => nonce < (row.nonce ?? 0));
}

function mempoolSlots({ wallet, resource }: TransactionRow): number {
  return wallet.resource.accountType === 'SCA' ? 1 : profileOf(resource.blockchain).mempoolSlots;
}

export function isEvm({ resource }: TransactionRow): boolean {
  return CHAINS[resource.blockchain].family === 'evm';
}
