import type { Blockchain } from '../domain/chains';
import { isFinal, type TransactionState } from '../domain/transactionState';
import { currentBlock, newTxHash } from './chains/blocks';
import { landAction } from './chains/evm/landing';
import { profileOf } from './chains/profiles';
import { screenTransaction } from './compliance/transactionScreening';
import { addInbound, type Landed } from './inbound';
import type { Effect } from './landings';
import { whyNotLanded, whyNotSent } from './findings';
import { endCancelled, endFailed, land } from './landing';
import type { Transaction } from './resources';
import { isHeld, isPending, queueOf, takeNonce } from './senderQueue';
import type { Plan, TransactionRow } from './store';
import type { World } from './world';

/**
 * The life of a transaction on the world's clock (api-facts 4). Where a row has no time, the blockchain's pace counts.
 * `INITIATED → CLEARED → QUEUED → SENT → CONFIRMED → COMPLETE`; an inbound one is first seen in its block.
 */
const STEPS: Partial<Record<TransactionState, { next: TransactionState; afterMs?: number }>> = {
  INITIATED: { next: 'CLEARED', afterMs: 200 },
  CLEARED: { next: 'QUEUED', afterMs: 300 },
  QUEUED: { next: 'SENT', afterMs: 500 },
  SENT: { next: 'CONFIRMED' },
  CONFIRMED: { next: 'COMPLETE' },
};

/** States that webhooks tell of (api-facts 8); the others can only be polled. */
const NOTIFIED: ReadonlySet<TransactionState> = new Set([
  'QUEUED',
  'SENT',
  'CONFIRMED',
  'COMPLETE',
  'FAILED',
  'DENIED',
  'CANCELLED',
]);

const EFFECTS: Partial<Record<TransactionState, (world: World, row: TransactionRow) => void>> = {
  QUEUED(_world, row) {
    row.wallet.queuedOnce = true;
  },
  SENT(world, row) {
    row.resource.txHash = newTxHash(world, row.resource.blockchain);
    row.nonce ??= takeNonce(world.store, row.wallet);
  },
  CONFIRMED: reachBlock,
  COMPLETE: reachBlock,
  FAILED: endFailed,
  CANCELLED: endCancelled,
  DENIED({ store }, { id }) {
    store.ledger.release(id);
  },
};

/** Puts a transaction into a state, with all that follows from it; one that is over stays as it is. */
export function enter(world: World, row: TransactionRow, state: TransactionState): void {
  if (isFinal(row.resource.state)) return;
  row.resource.state = state;
  touch(world, row);
  EFFECTS[state]?.(world, row);
  if (NOTIFIED.has(state)) {
    world.webhooks.emit(`transactions.${row.resource.transactionType.toLowerCase()}`, shownTransaction(row));
  }
  schedule(world, row);
  if (row.resource.transactionType === 'INBOUND' || isPending(row)) return;
  const queue = queueOf(world.store, row);
  queue.delete(row);
  for (const other of queue) if (other.held) step(world, other);
}

/** Lets the clock move the transaction on when its time has come. */
export function schedule(world: World, row: TransactionRow): void {
  halt(row);
  const { state, blockchain } = row.resource;
  const { next, afterMs } = STEPS[state] ?? {};
  if (!next) return;
  row.timer = world.clock.after(afterMs ?? paceOf(world, row, blockchain), () => step(world, row));
}

/** The transaction's time has come: it moves on, unless something has to move before it. */
export function step(world: World, row: TransactionRow): void {
  row.held = isHeld(world.store, row);
  if (row.held) return;
  const { state, blockchain } = row.resource;
  const { stuck, fail: planned, deny: denied } = row.plan;
  if (state === 'INITIATED' && (denied || !screenTransaction(world, row))) return enter(world, row, 'DENIED');
  if (state === 'SENT' && (stuck || row.fee?.underpriced)) return enter(world, row, 'STUCK');
  const failure = failureAt(world, row, planned);
  if (failure) return fail(world, row, failure);
  const next = STEPS[state]?.next;
  if (next === 'CONFIRMED') mine(world, row, profileOf(blockchain).instant ? 'COMPLETE' : next);
  else if (next) enter(world, row, next);
}

/** A block takes it. A call that reverts there is in the block too, and has paid for it. */
function mine(world: World, row: TransactionRow, state: TransactionState): void {
  if (!row.action) return enter(world, row, state);
  world.store.ledger.release(row.id);
  const landed = landAction(world, row, row.action);
  if ('failure' in landed) return fail(world, row, landed.failure);
  const arrival = land(world, row, landed.landing);
  enter(world, row, state);
  if (arrival) appear(world, arrival);
  const { blockchain, txHash = '' } = row.resource;
  const block = currentBlock(world, blockchain);
  for (const arrival of landed.arrivals) appear(world, { ...arrival, blockchain, txHash, block });
}

export function fail(
  world: World,
  row: TransactionRow,
  { errorReason, errorDetails }: NonNullable<Plan['fail']>,
): void {
  Object.assign(row.resource, { errorReason, errorDetails });
  enter(world, row, 'FAILED');
}

/** What has arrived is seen by who waits for it, and by the wallet that it arrived at. */
export function appear(world: World, landed: Landed): void {
  const { movements, sourceAddress, txHash } = landed;
  for (const movement of movements) {
    const whenFinal = world.store.watched.get(movement.to)?.({ movement, sourceAddress, txHash });
    if (whenFinal) atFinality(world, landed, whenFinal);
  }
  const inbound = addInbound(world, landed);
  if (!inbound) return;
  screenTransaction(world, inbound);
  enter(world, inbound, profileOf(landed.blockchain).instant ? 'COMPLETE' : 'CONFIRMED');
}

/** Calls back when the block is final, unless it is replaced before. */
export function atFinality(world: World, { blockchain, txHash }: Landed, what: () => void): void {
  const { finalMs, instant } = profileOf(blockchain);
  if (instant) return what();
  let isFinalNow = false;
  const cancel = world.clock.after(finalMs, () => {
    isFinalNow = true;
    what();
  });
  const effect: Effect = { isUsed: () => isFinalNow, undo: cancel };
  world.store.landings.get(blockchain, txHash)?.effects.push(effect);
}

/** The clock has nothing in store for it any more. */
export function halt(row: TransactionRow): void {
  row.timer?.();
  row.held = false;
}

export function touch(world: World, row: TransactionRow): void {
  row.resource.updateDate = world.clock.now().toISOString();
}

/** As the API shows it. */
export function shownTransaction({
  resource,
  label: shown,
}: TransactionRow): Omit<Transaction, 'state'> & { state: string } {
  return shown === undefined ? { ...resource } : { ...resource, state: shown };
}

function failureAt(world: World, row: TransactionRow, planned: Plan['fail']): Plan['fail'] {
  if (row.resource.state === 'QUEUED') return whyNotSent(world, row);
  return row.resource.state === 'SENT' ? (planned ?? whyNotLanded(world, row)) : undefined;
}

function reachBlock(world: World, row: TransactionRow): void {
  if (row.landed) return;
  const landed = land(world, row);
  if (landed) appear(world, landed);
}

function paceOf({ store }: World, row: TransactionRow, blockchain: Blockchain): number {
  const { confirmMs, finalMs, instant } = profileOf(blockchain);
  if (row.resource.state === 'CONFIRMED') return finalMs;
  return (row.plan.confirmAfterMs ?? store.paces.get(blockchain) ?? confirmMs) + (instant ? finalMs : 0);
}
