import type { Blockchain } from '../domain/chains';
import { TRANSACTION_STATES, isFinal } from '../domain/transactionState';
import { currentBlock, newTxHash } from './chains/blocks';
import type { Action } from './chains/evm/action';
import { recordLogs } from './chains/evm/logs';
import { transferLogs } from './chains/evm/transferLogs';
import type { Fee } from './chains/fees';
import { profileOf } from './chains/profiles';
import type { Arrival } from './inbound';
import type { Effect } from './landings';
import { partsOf, type Movement } from './ledger';
import { Refusal } from './refusal';
import { acceleratedFee } from './replacement';
import type { Transaction } from './resources';
import { isEvm, isPending, queueOf } from './senderQueue';
import { moveAll, reserveFee } from './settlement';
import type { TransactionRow, WalletRow } from './store';
import { appear, atFinality, enter, halt, schedule, step, touch } from './transactionSteps';
import type { World } from './world';

export { fail, shownTransaction } from './transactionSteps';

/** A cancellation is a transaction of its own that outbids the one it replaces: it is quick. */
const CANCEL_AFTER_MS = 1_000;

/** What a new outbound transaction consists of; everything has been checked. */
export interface Draft {
  wallet: WalletRow;
  movements: readonly Movement[];
  fee: Fee;
  sponsored: boolean;
  /** Upgrades of smart-contract wallets only. */
  newScaCore?: string;
  action?: Action | undefined;
  /** What the action takes from the wallet, set apart like what moves. */
  setAside?: readonly Movement[] | undefined;
  /** What the request said. */
  shown: Partial<Transaction>;
}

/** Accepts an outbound transaction: sets its funds apart and lets the clock carry it on. */
export function submit(world: World, draft: Draft): TransactionRow {
  const { wallet, movements, fee, sponsored, action, setAside = [], newScaCore, shown } = draft;
  const { store, random } = world;
  const { blockchain, address, custodyType, userId } = wallet.resource;
  const id = random.uuid();
  const at = world.clock.now().toISOString();
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
    ...(newScaCore !== undefined && { newScaCore }),
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

/** What else there is to something that reaches a blockchain. */
export interface Receipt {
  /** A new one by default. */
  txHash?: string;
  /** What a reorg of it takes back beside what moved. */
  effects?: readonly Effect[];
  /** Called when it is final. */
  whenFinal?: () => void;
}

/**
 * Something reaches a blockchain from outside the wallets: after the chain's pace it is in a block. Returns its hash.
 * What is of a token whose deployment was taken back by then never arrives.
 */
export function receive(world: World, blockchain: Blockchain, arrival: Arrival, receipt: Receipt = {}): string {
  const { txHash = newTxHash(world, blockchain), effects = [], whenFinal } = receipt;
  world.clock.after(world.store.paces.get(blockchain) ?? profileOf(blockchain).confirmMs, () => {
    const { movements } = arrival;
    if (movements.some(({ asset }) => !world.store.tokens.get(partsOf(asset).tokenId))) return;
    moveAll(world, movements);
    world.store.landings.add(blockchain, txHash, { movements, touched: new Set(), effects: [...effects] });
    const place = { blockchain, txHash, userOpHash: '', block: currentBlock(world, blockchain) };
    recordLogs(world, transferLogs(world, arrival), place);
    const landed = { ...arrival, ...place };
    appear(world, landed);
    if (whenFinal) atFinality(world, landed, whenFinal);
  });
  return txHash;
}

/** Sends it again with its accelerated fee. The id stays. */
export function accelerate(world: World, row: TransactionRow): void {
  const fee = acceleratedFee(row);
  reserveFee(world, row, fee.most - (row.fee?.most ?? 0n));
  row.fee = fee;
  row.resource.feeLevel = 'HIGH';
  row.resource.estimatedFee = fee.shown;
  row.plan = { ...row.plan, stuck: false };
  enter(world, row, 'SENT');
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

/** Whether an operation of the state table is open to a transaction. @throws Refusal 155215, 155227, 155229 */
export function requireOpen(row: TransactionRow, operation: 'cancellable' | 'acceleratable'): void {
  const { state, transactionType } = row.resource;
  if (transactionType === 'INBOUND') throw new Refusal(155227);
  if (isFinal(state) || (operation === 'acceleratable' && !isEvm(row))) throw new Refusal(155215);
  if (!TRANSACTION_STATES[state][operation] || row.cancelling) throw new Refusal(155229);
}
