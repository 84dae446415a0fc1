import { transaction } from '../../api/contract/resources';
import type { Blockchain } from '../../domain/chains';
import { isFinal, type TransactionState } from '../../domain/transactionState';
import { currentBlock, newTxHash } from '../chains/blocks';
import { profileOf } from '../chains/profiles';
import { executeAction, hashesOf } from '../evm/executeAction';
import { withSentNulls } from '../ledger/sentNulls';
import type { SideEffect } from '../ledger/effectLog';
import type { Transaction } from '../ledger/resources';
import { applyScreening, screenTransaction } from '../screening/transactionScreening';
import type { PlannedOutcome, TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { executionFailure, sendFailure } from './failureCauses';
import { addInbound, type ConfirmedTransfer } from './inbound';
import { isBlocked, isPending, queueOf, takeNonce } from './senderQueue';
import { settle, settleCancelled, settleFailed } from './settlement';

/**
 * The steps of a transaction on the world's clock: docs/api-behavior.md#transaction-states. A step without `afterMs`
 * takes the blockchain's own time. An inbound transaction starts `CONFIRMED`.
 */
const STEPS: Partial<Record<TransactionState, { next: TransactionState; afterMs?: number }>> = {
  INITIATED: { next: 'CLEARED', afterMs: 200 },
  CLEARED: { next: 'QUEUED', afterMs: 300 },
  QUEUED: { next: 'SENT', afterMs: 500 },
  SENT: { next: 'CONFIRMED' },
  CONFIRMED: { next: 'COMPLETE' },
};

/** States that webhooks report (docs/api-behavior.md#webhooks). The others can only be polled. */
const NOTIFIED: ReadonlySet<TransactionState> = new Set([
  'QUEUED',
  'SENT',
  'CONFIRMED',
  'COMPLETE',
  'FAILED',
  'DENIED',
  'CANCELLED',
]);

const STATE_ACTIONS: Partial<Record<TransactionState, (world: World, row: TransactionRow) => void>> = {
  QUEUED(_world, row) {
    row.wallet.hasQueued = true;
  },
  SENT(world, row) {
    row.resource.txHash = newTxHash(world, row.resource.blockchain);
    row.resource.userOpHash = hashesOf(row).userOpHash || undefined;
    row.nonce ??= takeNonce(world.store, row.wallet);
  },
  CONFIRMED: includeInBlock,
  COMPLETE: includeInBlock,
  FAILED: settleFailed,
  CANCELLED: settleCancelled,
  DENIED({ store }, { id }) {
    store.ledger.release(id);
  },
};

/** Puts a transaction into a state and applies the consequences. A transaction in a final state does not change. */
export function enter(world: World, row: TransactionRow, state: TransactionState): void {
  if (isFinal(row.resource.state)) return;
  row.resource.state = state;
  touch(world, row);
  STATE_ACTIONS[state]?.(world, row);
  if (NOTIFIED.has(state)) {
    const type = row.resource.transactionType.toLowerCase();
    world.webhooks.emit(`transactions.${type}`, withSentNulls(transaction, presentNotification(row)) as object);
  }
  schedule(world, row);
  if (row.resource.transactionType === 'INBOUND' || isPending(row)) return;
  const queue = queueOf(world.store, row);
  queue.delete(row);
  for (const other of queue) if (other.blocked) advance(world, other);
}

/** Schedules the next step of a transaction. */
export function schedule(world: World, row: TransactionRow): void {
  cancelTimer(row);
  const { state, blockchain } = row.resource;
  const { next, afterMs } = STEPS[state] ?? {};
  if (!next) return;
  row.timer = world.clock.after(afterMs ?? delayOf(world, row, blockchain), () => advance(world, row));
}

/** Runs the next step of a transaction, unless it must wait for another one of its sender. */
export function advance(world: World, row: TransactionRow): void {
  row.blocked = isBlocked(world.store, row);
  if (row.blocked) return;
  const { state, blockchain } = row.resource;
  const { stuck, fail: planned, deny: denied } = row.planned;
  if (state === 'INITIATED' && (denied || !applyScreening(world, row))) return enter(world, row, 'DENIED');
  if (state === 'SENT' && (stuck || row.fee?.underpriced)) return enter(world, row, 'STUCK');
  const failure = failureAt(world, row, planned);
  if (failure) return fail(world, row, failure);
  const next = STEPS[state]?.next;
  if (next === 'CONFIRMED') mine(world, row, profileOf(blockchain).instantFinality ? 'COMPLETE' : next);
  else if (next) enter(world, row, next);
}

/** Mines a transaction. A call that reverts is mined as well, and pays its fee. */
function mine(world: World, row: TransactionRow, state: TransactionState): void {
  if (!row.action) return enter(world, row, state);
  world.store.ledger.release(row.id);
  const result = executeAction(world, row, row.action);
  if ('failure' in result) return fail(world, row, result.failure);
  const ownTransfer = settle(world, row, result.effects);
  enter(world, row, state);
  if (ownTransfer) creditRecipients(world, ownTransfer);
  const { blockchain, txHash = '' } = row.resource;
  const block = currentBlock(world, blockchain);
  for (const transfer of result.transfers) creditRecipients(world, { ...transfer, blockchain, txHash, block });
}

export function fail(
  world: World,
  row: TransactionRow,
  { errorReason, errorDetails }: NonNullable<PlannedOutcome['fail']>,
): void {
  Object.assign(row.resource, { errorReason, errorDetails });
  enter(world, row, 'FAILED');
}

/** Notifies the deposit watchers of the recipients, and adds an inbound transaction to the receiving wallet. */
export function creditRecipients(world: World, transfer: ConfirmedTransfer): void {
  const { movements, sourceAddress, txHash } = transfer;
  for (const movement of movements) {
    const whenFinal = world.store.depositWatchers.get(movement.to)?.({ movement, sourceAddress, txHash });
    if (whenFinal) atFinality(world, transfer, whenFinal);
  }
  const inbound = addInbound(world, transfer);
  if (!inbound) return;
  screenTransaction(world, inbound);
  applyScreening(world, inbound);
  enter(world, inbound, profileOf(transfer.blockchain).instantFinality ? 'COMPLETE' : 'CONFIRMED');
}

/** Runs a function when the block is final, unless the block is replaced before. */
export function atFinality(world: World, { blockchain, txHash }: ConfirmedTransfer, run: () => void): void {
  const { finalMs, instantFinality } = profileOf(blockchain);
  if (instantFinality) return run();
  let isFinalNow = false;
  const cancel = world.clock.after(finalMs, () => {
    isFinalNow = true;
    run();
  });
  const effect: SideEffect = { isUsed: () => isFinalNow, undo: cancel };
  world.store.effectLog.get(blockchain, txHash)?.sideEffects.push(effect);
}

/** Cancels the next step of a transaction. */
export function cancelTimer(row: TransactionRow): void {
  row.timer?.();
  row.blocked = false;
}

export function touch(world: World, row: TransactionRow): void {
  row.resource.updateDate = world.clock.now().toISOString();
}

/**
 * The transaction as the API shows it: empty texts for an unused reference and for a fee that is not known yet. A call
 * without native tokens has an empty list of amounts, and null once it has failed.
 */
export function presentTransaction({
  resource,
  shownState,
}: TransactionRow): Omit<Transaction, 'state'> & { state: string } {
  const { transactionType, refId, networkFee = '', state } = resource;
  const reference = transactionType === 'OUTBOUND' ? { refId: refId ?? '' } : {};
  const amounts = resource.amounts ?? (state === 'FAILED' ? undefined : []);
  return { ...resource, ...reference, amounts, networkFee, state: shownState ?? state };
}

/** The transaction as webhooks show it: a failed one has no amounts (docs/api-behavior.md#webhooks). */
function presentNotification(row: TransactionRow) {
  const shown = presentTransaction(row);
  return shown.state === 'FAILED' ? { ...shown, amounts: undefined } : shown;
}

function failureAt(world: World, row: TransactionRow, planned: PlannedOutcome['fail']): PlannedOutcome['fail'] {
  if (row.resource.state === 'QUEUED') return sendFailure(world, row);
  return row.resource.state === 'SENT' ? (planned ?? executionFailure(world, row)) : undefined;
}

function includeInBlock(world: World, row: TransactionRow): void {
  if (row.settled) return;
  const transfer = settle(world, row);
  if (transfer) creditRecipients(world, transfer);
}

function delayOf({ store }: World, row: TransactionRow, blockchain: Blockchain): number {
  const { confirmMs, finalMs, instantFinality } = profileOf(blockchain);
  if (row.resource.state === 'CONFIRMED') return finalMs;
  return (
    (row.planned.confirmAfterMs ?? store.confirmDelays.get(blockchain) ?? confirmMs) + (instantFinality ? finalMs : 0)
  );
}
