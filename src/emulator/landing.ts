import { CHAINS } from '../domain/chains';
import { currentBlock } from './chains/blocks';
import { placeOf } from './chains/evm/landing';
import { recordLogs } from './chains/evm/logs';
import { transferLogs } from './chains/evm/transferLogs';
import { IN_BLOCK } from './errorReasons';
import type { Landed } from './inbound';
import type { Effect, Landing } from './landings';
import { cancellationFee } from './replacement';
import { chargeFee, moveAll } from './settlement';
import type { TransactionRow, WalletRow } from './store';
import type { World } from './world';

const NOTHING_CALLED: Landing = { movements: [], touched: new Set(), effects: [] };

/**
 * Its block is there: what was set apart moves. Gives what arrives somewhere by it, if anything does.
 * @param called what its call or deployment has done
 */
export function land(world: World, row: TransactionRow, called = NOTHING_CALLED): Landed | undefined {
  row.landed = true;
  const { resource, fee, movements, wallet } = row;
  const block = takeBlock(world, row);
  const moved = [...movements, ...called.movements];
  world.store.ledger.release(row.id);
  moveAll(world, moved);
  if (fee) chargeFee(world, row, fee.expected);
  const effects = [...called.effects];
  if (row.newScaCore !== undefined) effects.push(upgrade(wallet, row.newScaCore));
  world.store.landings.add(resource.blockchain, resource.txHash ?? '', { ...called, movements: moved, effects });
  if (movements.length === 0) return undefined;
  const { blockchain, sourceAddress = '', destinationAddress = resource.contractAddress ?? '' } = resource;
  const arrival = { movements, sourceAddress, destinationAddress };
  const place = { ...placeOf(row), blockchain, block };
  recordLogs(world, transferLogs(world, arrival), place);
  return { ...arrival, ...place };
}

/** It has failed. In a block it costs what it was going to; else what fills its nonce costs, where there are nonces. */
export function endFailed(world: World, row: TransactionRow): void {
  const { resource, fee } = row;
  world.store.ledger.release(row.id);
  if (row.nonce === undefined) return;
  if (IN_BLOCK.has(resource.errorReason ?? '')) {
    takeBlock(world, row);
    chargeFee(world, row, fee?.expected ?? 0n);
  } else if (CHAINS[resource.blockchain].family === 'evm') {
    fillNonce(world, row);
  }
}

/** It is cancelled: what took its place, if it was sent, has cost gas. */
export function endCancelled(world: World, row: TransactionRow): void {
  world.store.ledger.release(row.id);
  if (row.nonce !== undefined) fillNonce(world, row);
}

function upgrade(wallet: WalletRow, scaCore: string): Effect {
  const before = wallet.resource.scaCore;
  wallet.resource = { ...wallet.resource, scaCore };
  return {
    isUsed: () => wallet.resource.scaCore !== scaCore,
    undo() {
      wallet.resource = { ...wallet.resource, scaCore: before };
    },
  };
}

function fillNonce(world: World, row: TransactionRow): void {
  // Also an operation that does nothing deploys a smart-contract wallet.
  row.wallet.deployed = true;
  chargeFee(world, row, cancellationFee(world, row));
}

function takeBlock(world: World, { resource, wallet }: TransactionRow) {
  const block = currentBlock(world, resource.blockchain);
  Object.assign(resource, block, { firstConfirmDate: world.clock.now().toISOString() });
  wallet.deployed = true;
  return block;
}
