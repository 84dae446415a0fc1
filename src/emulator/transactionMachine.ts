import type { Blockchain } from '../domain/chains';
import { fromBaseUnits } from '../domain/money';
import { TRANSACTION_STATES, isFinal, type TransactionState } from '../domain/transactionState';
import { currentBlock, newTxHash } from './chains/blocks';
import type { Action } from './chains/evm/action';
import { landAction, placeOf } from './chains/evm/landing';
import { recordLogs } from './chains/evm/logs';
import { transferLogs } from './chains/evm/transferLogs';
import { GAS, feeAtLevel, nativeDecimals, type Fee } from './chains/fees';
import { profileOf } from './chains/profiles';
import { isEip1559 } from './chains/eip1559';
import { accountOf, partsOf, type Movement } from './ledger';
import { Refusal } from './refusal';
import type { Transaction } from './resources';
import { isEvm, isHeld, isPending, nextNonce, queueOf } from './senderQueue';
import { chargeFee, moveAll, reserveFee } from './settlement';
import type { Plan, TransactionRow, WalletRow } from './store';
import { tokenOf } from './tokens';
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

/** A cancellation is a transaction of its own that outbids the one it replaces: it is quick. */
const CANCEL_AFTER_MS = 1_000;
/** A replacement has to offer more than what it replaces, or nodes don't take it. */
const REPLACEMENT_PERCENT = 110n;

/** What a new outbound transaction consists of; everything has been checked. */
export interface Draft {
  wallet: WalletRow;
  movements: readonly Movement[];
  fee: Fee;
  sponsored: boolean;
  action?: Action | undefined;
  /** What the action takes from the wallet, set apart like what moves. */
  setAside?: readonly Movement[] | undefined;
  /** What the request said. */
  shown: Partial<Transaction>;
}

/** Accepts an outbound transaction: sets its funds apart and lets the clock carry it on. */
export function submit(world: World, draft: Draft): TransactionRow {
  const { wallet, movements, fee, sponsored, action, setAside = [], shown } = draft;
  const { store, random } = world;
  const { blockchain, address, custodyType, userId } = wallet.resource;
  const id = random.uuid();
  const at = now(world);
  const row: TransactionRow = {
    id,
    resource: {
      id,
      blockchain,
      state: 'INITIATED',
      transactionType: 'OUTBOUND',
      custodyType,
      walletId: wallet.id,
      userId,
      sourceAddress: address,
      estimatedFee: fee.shown,
      feeLevel: fee.level,
      createDate: at,
      updateDate: at,
      ...shown,
    },
    wallet,
    movements,
    action,
    fee,
    sponsored,
    landed: false,
    plan: store.plans.shift() ?? {},
    cancelling: false,
    held: false,
  };
  for (const { from, asset, units } of [...movements, ...setAside]) store.ledger.reserve(id, from, asset, units);
  reserveFee(world, row, fee.most);
  store.transactions.add(row);
  queueOf(store, row).add(row);
  schedule(world, row);
  return row;
}

/** Something reaches a blockchain from outside the wallets: after the chain's pace it is in a block. */
export function receive(world: World, blockchain: Blockchain, arrival: Arrival): void {
  const txHash = newTxHash(world, blockchain);
  world.clock.after(world.store.paces.get(blockchain) ?? profileOf(blockchain).confirmMs, () => {
    moveAll(world, arrival.movements);
    const place = { blockchain, txHash, userOpHash: '', block: currentBlock(world, blockchain) };
    recordLogs(world, transferLogs(world, arrival), place);
    announce(world, { ...arrival, ...place });
  });
}

export interface Arrival {
  movements: readonly Movement[];
  sourceAddress: string;
  destinationAddress: string;
}

/** Sends it again with the fee of level HIGH, and at least a tenth more than before. The id stays. */
export function accelerate(world: World, row: TransactionRow): void {
  const fee = acceleratedFee(world, row);
  reserveFee(world, row, fee.most - (row.fee?.most ?? 0n));
  row.fee = fee;
  row.resource.feeLevel = 'HIGH';
  row.resource.estimatedFee = fee.shown;
  row.plan = { ...row.plan, stuck: false };
  enter(world, row, 'SENT');
}

/** What `accelerate` will set apart beyond what is already. */
export function accelerationCost(world: World, row: TransactionRow): bigint {
  return row.sponsored ? 0n : acceleratedFee(world, row).most - (row.fee?.most ?? 0n);
}

/** Tries to undo it: before it is sent at once, after that by a replacement, which the block may still forestall. */
export function cancel(world: World, row: TransactionRow): void {
  row.cancelling = true;
  touch(world, row);
  if (row.nonce === undefined) halt(row);
  world.clock.after(CANCEL_AFTER_MS, () => {
    if (isPending(row)) enter(world, row, 'CANCELLED');
    else row.cancelling = false;
  });
}

export function fail(
  world: World,
  row: TransactionRow,
  { errorReason, errorDetails }: NonNullable<Plan['fail']>,
): void {
  Object.assign(row.resource, { errorReason, errorDetails });
  enter(world, row, 'FAILED');
}

export function deny(world: World, row: TransactionRow): void {
  enter(world, row, 'DENIED');
}

export function stick(world: World, row: TransactionRow): void {
  row.plan = { ...row.plan, stuck: true };
  if (row.resource.state === 'SENT') enter(world, row, 'STUCK');
}

/** Changes the time from `SENT` to the block; of one that is sent already it counts from now. */
export function setPace(world: World, row: TransactionRow, confirmAfterMs: number): void {
  row.plan = { ...row.plan, confirmAfterMs };
  if (row.resource.state === 'SENT') schedule(world, row);
}

/** Shows a state that nobody has heard of for a while, in which the transaction stands still (field case CL-10). */
export function label(world: World, row: TransactionRow, state: string, durationMs: number): void {
  row.label = state;
  touch(world, row);
  world.clock.after(durationMs, () => {
    delete row.label;
    touch(world, row);
    if (row.held) step(world, row);
  });
}

/** As the API shows it. */
export function shownTransaction({
  resource,
  label: shown,
}: TransactionRow): Omit<Transaction, 'state'> & { state: string } {
  return shown === undefined ? { ...resource } : { ...resource, state: shown };
}

function halt(row: TransactionRow): void {
  row.timer?.();
  row.held = false;
}

function schedule(world: World, row: TransactionRow): void {
  halt(row);
  const { state, blockchain } = row.resource;
  const { next, afterMs } = STEPS[state] ?? {};
  if (!next) return;
  row.timer = world.clock.after(afterMs ?? paceOf(world, row, blockchain), () => step(world, row));
}

function paceOf({ store }: World, row: TransactionRow, blockchain: Blockchain): number {
  const { confirmMs, finalMs, instant } = profileOf(blockchain);
  if (row.resource.state === 'CONFIRMED') return finalMs;
  return (row.plan.confirmAfterMs ?? store.paces.get(blockchain) ?? confirmMs) + (instant ? finalMs : 0);
}

/** The transaction's time has come: it moves on, unless something has to move before it. */
function step(world: World, row: TransactionRow): void {
  row.held = isHeld(world.store, row);
  if (row.held) return;
  const { state, blockchain } = row.resource;
  const { stuck, fail: failure, deny: denied } = row.plan;
  if (state === 'INITIATED' && denied) return deny(world, row);
  if (state === 'SENT' && (stuck || row.fee?.underpriced)) return enter(world, row, 'STUCK');
  if (state === 'SENT' && failure) return fail(world, row, failure);
  const next = STEPS[state]?.next;
  if (!next) return;
  if (next === 'CONFIRMED') return mine(world, row, profileOf(blockchain).instant ? 'COMPLETE' : next);
  enter(world, row, next);
}

/** A block takes it. A call that reverts there is in the block too, and has paid for it. */
function mine(world: World, row: TransactionRow, state: TransactionState): void {
  if (!row.action) return enter(world, row, state);
  world.store.ledger.release(row.id);
  const landed = landAction(world, row, row.action);
  if ('failure' in landed) return fail(world, row, landed.failure);
  row.called = landed.movements;
  enter(world, row, state);
  const { blockchain, txHash = '' } = row.resource;
  const block = currentBlock(world, blockchain);
  for (const arrival of landed.arrivals) announce(world, { ...arrival, blockchain, txHash, block });
}

const EFFECTS: Partial<Record<TransactionState, (world: World, row: TransactionRow) => void>> = {
  QUEUED(_world, row) {
    row.wallet.queuedOnce = true;
  },
  SENT(world, row) {
    row.resource.txHash = newTxHash(world, row.resource.blockchain);
    row.nonce ??= nextNonce(world.store, row);
  },
  CONFIRMED: land,
  COMPLETE: land,
  FAILED(world, row) {
    end(world, row, row.fee?.expected);
  },
  CANCELLED(world, row) {
    end(world, row, cancellationFee(world, row));
  },
  DENIED(world, row) {
    end(world, row, undefined);
  },
};

function enter(world: World, row: TransactionRow, state: TransactionState): void {
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

/** Its block is there: what was set apart moves, and wallets that receive something see it. */
function land(world: World, row: TransactionRow): void {
  if (row.landed) return;
  row.landed = true;
  const { resource, fee } = row;
  const block = currentBlock(world, resource.blockchain);
  Object.assign(resource, block, { firstConfirmDate: now(world) });
  world.store.ledger.release(row.id);
  moveAll(world, [...row.movements, ...(row.called ?? [])]);
  if (fee) chargeFee(world, row, fee.expected);
  row.wallet.deployed = true;
  if (row.movements.length === 0) return;
  const { blockchain, sourceAddress = '', destinationAddress = resource.contractAddress ?? '' } = resource;
  const arrival = { movements: row.movements, sourceAddress, destinationAddress };
  const place = { ...placeOf(row), blockchain, block };
  recordLogs(world, transferLogs(world, arrival), place);
  announce(world, { ...arrival, ...place });
}

/** It will never be in a block; if it was sent, what took its place there has cost gas. */
function end(world: World, row: TransactionRow, cost: bigint | undefined): void {
  world.store.ledger.release(row.id);
  if (row.nonce !== undefined && cost !== undefined) chargeFee(world, row, cost);
}

/** The inbound transaction of a wallet of ours, if the destination is one. */
function announce(
  world: World,
  arrival: Arrival & Pick<Transaction, 'blockchain'> & { txHash: string; block: ReturnType<typeof currentBlock> },
): void {
  const { movements, sourceAddress, destinationAddress, blockchain, txHash, block } = arrival;
  const { store, random } = world;
  const wallet = store.walletsByAccount.get(accountOf(blockchain, destinationAddress));
  const [first] = movements;
  if (!wallet || !first) return;
  const token = tokenOf(store, first.asset);
  const nfts = movements.flatMap(({ asset }) => partsOf(asset).nftTokenId ?? []);
  const id = random.uuid();
  const at = now(world);
  const row: TransactionRow = {
    id,
    resource: {
      id,
      blockchain,
      state: 'CONFIRMED',
      transactionType: 'INBOUND',
      operation: 'TRANSFER',
      custodyType: wallet.resource.custodyType,
      walletId: wallet.id,
      userId: wallet.resource.userId,
      sourceAddress,
      destinationAddress: wallet.resource.address,
      tokenId: token.id,
      amounts: movements.map(({ units }) => fromBaseUnits(units, token.decimals ?? 0)),
      nfts: nfts.length > 0 ? nfts.map((nftTokenId) => JSON.stringify({ nftTokenId })) : undefined,
      txHash,
      ...block,
      firstConfirmDate: at,
      createDate: at,
      updateDate: at,
    },
    wallet,
    movements,
    sponsored: true,
    landed: true,
    plan: {},
    cancelling: false,
    held: false,
  };
  store.transactions.add(row);
  enter(world, row, profileOf(blockchain).instant ? 'COMPLETE' : 'CONFIRMED');
}

function acceleratedFee(world: World, { resource, fee }: TransactionRow): Fee {
  const { blockchain } = resource;
  const gas = BigInt(fee?.shown.gasLimit ?? 0);
  const high = feeAtLevel(blockchain, 'HIGH', gas, isEip1559(world, blockchain));
  const least = ((fee?.most ?? 0n) * REPLACEMENT_PERCENT) / 100n;
  if (high.most >= least) return high;
  return {
    ...high,
    most: least,
    shown: { ...high.shown, networkFee: fromBaseUnits(least, nativeDecimals(blockchain)) },
  };
}

/** A transfer of nothing to oneself at level HIGH. It takes the place, and the reserve, of the transaction. */
function cancellationFee(world: World, { resource, fee }: TransactionRow): bigint {
  const { blockchain } = resource;
  const { expected } = feeAtLevel(blockchain, 'HIGH', GAS.native, isEip1559(world, blockchain));
  const most = fee?.most ?? 0n;
  return expected < most ? expected : most;
}

function touch(world: World, row: TransactionRow): void {
  row.resource.updateDate = now(world);
}

function now(world: World): string {
  return world.clock.now().toISOString();
}

/** Whether an operation of the state table is open to a transaction. @throws Refusal 155215, 155227, 155229 */
export function requireOpen(row: TransactionRow, operation: 'cancellable' | 'acceleratable'): void {
  const { state, transactionType } = row.resource;
  if (transactionType === 'INBOUND') throw new Refusal(155227);
  if (isFinal(state) || (operation === 'acceleratable' && !isEvm(row))) throw new Refusal(155215);
  if (!TRANSACTION_STATES[state][operation] || row.cancelling) throw new Refusal(155229);
}
