import { CHAINS } from '../domain/chains';
import type { TransactionState } from '../domain/transactionState';
import { profileOf } from './chains/profiles';
import { accountOf } from './ledger';
import type { Store, TransactionRow, WalletRow } from './store';

/** Waiting for a block: what the queue bounds count. */
const PENDING: ReadonlySet<TransactionState> = new Set(['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'STUCK']);

export function isPending(row: TransactionRow): boolean {
  return PENDING.has(row.resource.state);
}

/** Transactions of a sender that are not in a block yet. */
export function pendingOf(store: Store, wallet: WalletRow): ReadonlySet<TransactionRow> {
  return store.queues.get(accountOf(wallet.resource.blockchain, wallet.resource.address)) ?? new Set();
}

/** The nonce that the next transaction of a wallet will have. */
export function nextNonce(store: Store, { resource }: WalletRow): number {
  return store.nonces.get(accountOf(resource.blockchain, resource.address)) ?? 0;
}

/** Uses it. */
export function takeNonce(store: Store, wallet: WalletRow): number {
  const nonce = nextNonce(store, wallet);
  store.nonces.set(accountOf(wallet.resource.blockchain, wallet.resource.address), nonce + 1);
  return nonce;
}

/** Its sender's transactions that are not in a block yet, itself among them until it is. */
export function queueOf(store: Store, { wallet }: TransactionRow): Set<TransactionRow> {
  const account = accountOf(wallet.resource.blockchain, wallet.resource.address);
  const queue = store.queues.get(account) ?? new Set();
  store.queues.set(account, queue);
  return queue;
}

/**
 * A blockchain takes only so many of one address at a time (of a smart-contract wallet one), and mines those of an EVM
 * address in the order of their nonces: one that is stuck holds up all behind it.
 */
export function isHeld(store: Store, row: TransactionRow): boolean {
  const { state, transactionType } = row.resource;
  if (row.label !== undefined) return true;
  if (transactionType === 'INBOUND' || !isEvm(row)) return false;
  const sent = [...queueOf(store, row)].filter((other) => other.nonce !== undefined);
  if (state === 'QUEUED') return sent.length >= slotsOf(row);
  return state === 'SENT' && sent.some(({ nonce = 0 }) => nonce < (row.nonce ?? 0));
}

function slotsOf({ wallet, resource }: TransactionRow): number {
  return wallet.resource.accountType === 'SCA' ? 1 : profileOf(resource.blockchain).slots;
}

export function isEvm({ resource }: TransactionRow): boolean {
  return CHAINS[resource.blockchain].family === 'evm';
}
