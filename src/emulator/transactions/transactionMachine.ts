import type { Blockchain } from '../../domain/chains';
import { isFinal, TRANSACTION_STATES } from '../../domain/transactionState';
import { currentBlock, newTxHash } from '../chains/blocks';
import type { Fee } from '../chains/fees';
import { profileOf } from '../chains/profiles';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { recordLogs } from '../evm/logs';
import { transferLogs } from '../evm/transferLogs';
import { screenTransaction } from '../screening/transactionScreening';
import { amountInUSD } from '../ledger/usdPrices';
import type { SideEffect } from '../ledger/effectLog';
import { type Movement, parseAsset } from '../ledger/ledger';
import type { Transaction } from '../ledger/resources';
import type { Action } from '../world/evmAction';
import type { TransactionRow } from '../world/transactionRows';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';
import { acceleratedFee } from './feeBump';
import type { IncomingTransfer } from './inbound';
import { moveFunds, reserveFee } from './moveFunds';
import { isEvm, isPending, queueOf } from './senderQueue';
import { advance, atFinality, cancelTimer, creditRecipients, enter, schedule, touch } from './transactionSteps';

export { fail, presentTransaction } from './transactionSteps';

/** World time until a cancellation takes effect. Short, because the replacement outbids the cancelled transaction. */
const CANCEL_AFTER_MS = 1_000;

/** A new outbound transaction that has passed all checks. */
export interface TransactionDraft {
  wallet: WalletRow;
  movements: readonly Movement[];
  fee: Fee;
  sponsored: boolean;
  /** Only for upgrades of smart-contract wallets. */
  newScaCore?: string;
  action?: Action | undefined;
  /** What the action will take from the wallet. Reserved like `movements`. */
  reserved?: readonly Movement[] | undefined;
  /** Fields from the request. */
  fields: Partial<Transaction>;
}

/** Accepts an outbound transaction: reserves its funds and schedules its first step. */
export function submit(world: World, draft: TransactionDraft): TransactionRow {
  const { wallet, movements, fee, sponsored, action, reserved = [], newScaCore, fields } = draft;
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
      estimatedFee: fee.resource,
      feeLevel: fee.level,
      createDate: at,
      updateDate: at,
      amountInUSD: amountInUSD(store, fields),
      ...fields,
    },
    wallet,
    movements,
    action,
    fee,
    sponsored,
    ...(newScaCore !== undefined && { newScaCore }),
    settled: false,
    planned: store.plannedOutcomes.shift() ?? {},
    cancelling: false,
    blocked: false,
  };
  for (const { from, asset, units } of [...movements, ...reserved]) store.ledger.reserve(id, from, asset, units);
  reserveFee(world, row, fee.max);
  store.transactions.add(row);
  queueOf(store, row).add(row);
  screenTransaction(world, row);
  schedule(world, row);
  return row;
}

/** Options of `receiveTransfer`. */
export interface ReceiveOptions {
  /** Default: a new hash. */
  txHash?: string;
  /** Effects that a reorg undoes in addition to the movements. */
  effects?: readonly SideEffect[];
  /** Called when the transfer is final. */
  whenFinal?: () => void;
}

/**
 * Receives a transfer from outside the API: it is in a block after the blockchain's confirmation time. Returns its
 * hash. A transfer of a token whose deployment has been undone by then never arrives.
 */
export function receiveTransfer(
  world: World,
  blockchain: Blockchain,
  transfer: IncomingTransfer,
  options: ReceiveOptions = {},
): string {
  const { txHash = newTxHash(world, blockchain), effects = [], whenFinal } = options;
  world.clock.after(world.store.confirmDelays.get(blockchain) ?? profileOf(blockchain).confirmMs, () => {
    const { movements } = transfer;
    if (movements.some(({ asset }) => !world.store.tokens.get(parseAsset(asset).tokenId))) return;
    moveFunds(world, movements);
    world.store.effectLog.add(blockchain, txHash, { movements, touchedSlots: new Set(), sideEffects: [...effects] });
    const location = { blockchain, txHash, userOpHash: '', block: currentBlock(world, blockchain) };
    recordLogs(world, transferLogs(world, transfer), location);
    const confirmed = { ...transfer, ...location };
    creditRecipients(world, confirmed);
    if (whenFinal) atFinality(world, confirmed, whenFinal);
  });
  return txHash;
}

/** Sends the transaction again with an accelerated fee. Its id stays the same. */
export function accelerate(world: World, row: TransactionRow): void {
  const fee = acceleratedFee(row);
  reserveFee(world, row, fee.max - (row.fee?.max ?? 0n));
  row.fee = fee;
  row.resource.feeLevel = 'HIGH';
  row.resource.estimatedFee = fee.resource;
  row.planned = { ...row.planned, stuck: false };
  enter(world, row, 'SENT');
}

/**
 * Tries to cancel the transaction. If it was sent, a replacement competes with it: the transaction may still be mined
 * first.
 */
export function cancel(world: World, row: TransactionRow): void {
  row.cancelling = true;
  touch(world, row);
  if (row.nonce === undefined) cancelTimer(row);
  world.clock.after(CANCEL_AFTER_MS, () => {
    if (isPending(row)) enter(world, row, 'CANCELLED');
    else row.cancelling = false;
  });
}

export function deny(world: World, row: TransactionRow): void {
  enter(world, row, 'DENIED');
}

export function makeStuck(world: World, row: TransactionRow): void {
  row.planned = { ...row.planned, stuck: true };
  if (row.resource.state === 'SENT') enter(world, row, 'STUCK');
}

/** Sets the time from `SENT` to the block. If the transaction is already sent, the time counts from now. */
export function setConfirmDelay(world: World, row: TransactionRow, confirmAfterMs: number): void {
  row.planned = { ...row.planned, confirmAfterMs };
  if (row.resource.state === 'SENT') schedule(world, row);
}

/**
 * Shows an arbitrary state for a while, as if the API had introduced a new one. The transaction does not advance during
 * that time.
 */
export function showState(world: World, row: TransactionRow, state: string, durationMs: number): void {
  row.shownState = state;
  touch(world, row);
  world.clock.after(durationMs, () => {
    delete row.shownState;
    touch(world, row);
    if (row.blocked) advance(world, row);
  });
}

/** Checks that the state table allows an operation. @throws ApiErrorResponse 155215, 155227, 155229 */
export function requireAllowed(row: TransactionRow, operation: 'cancellable' | 'acceleratable'): void {
  const { state, transactionType } = row.resource;
  if (transactionType === 'INBOUND') throw new ApiErrorResponse(155227);
  if (isFinal(state) || (operation === 'acceleratable' && !isEvm(row))) throw new ApiErrorResponse(155215);
  if (!TRANSACTION_STATES[state][operation] || row.cancelling) throw new ApiErrorResponse(155229);
}
