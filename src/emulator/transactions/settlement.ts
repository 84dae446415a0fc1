import { CHAINS } from '../../domain/chains';
import { currentBlock } from '../chains/blocks';
import { IN_BLOCK } from '../errors/errorReasons';
import { hashesOf } from '../evm/executeAction';
import { recordLogs } from '../evm/logs';
import { transferLogs } from '../evm/transferLogs';
import type { SideEffect, TransactionEffects } from '../ledger/effectLog';
import type { TransactionRow } from '../world/transactionRows';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';
import { cancellationFee } from './feeBump';
import type { ConfirmedTransfer } from './inbound';
import { chargeFee, moveFunds } from './moveFunds';

const NO_CALL_EFFECTS: TransactionEffects = { movements: [], touchedSlots: new Set(), sideEffects: [] };

/**
 * Settles a transaction in the current block: releases its reserves, moves its funds and charges the fee. Returns its
 * transfer; undefined if it moves nothing itself.
 * @param callEffects the effects of its call or deployment
 */
export function settle(
  world: World,
  row: TransactionRow,
  callEffects = NO_CALL_EFFECTS,
): ConfirmedTransfer | undefined {
  row.settled = true;
  const { resource, fee, movements, wallet } = row;
  const block = assignBlock(world, row);
  const moved = [...movements, ...callEffects.movements];
  world.store.ledger.release(row.id);
  moveFunds(world, moved);
  if (fee) chargeFee(world, row, fee.expected);
  const sideEffects = [...callEffects.sideEffects];
  if (row.newScaCore !== undefined) sideEffects.push(upgradeCore(wallet, row.newScaCore));
  world.store.effectLog.add(resource.blockchain, resource.txHash ?? '', {
    ...callEffects,
    movements: moved,
    sideEffects,
  });
  if (movements.length === 0) return undefined;
  const { blockchain, sourceAddress = '', destinationAddress = resource.contractAddress ?? '' } = resource;
  const transfer = { movements, sourceAddress, destinationAddress };
  const location = { ...hashesOf(row), blockchain, block };
  recordLogs(world, transferLogs(world, { ...transfer, tokenId: resource.tokenId }), location);
  return { ...transfer, ...location };
}

/**
 * Settles a failed transaction. A failure in a block costs the expected fee. Otherwise, on EVM blockchains, a
 * replacement fills the nonce and costs its fee.
 */
export function settleFailed(world: World, row: TransactionRow): void {
  const { resource, fee } = row;
  world.store.ledger.release(row.id);
  if (row.nonce === undefined) return;
  if (IN_BLOCK.has(resource.errorReason ?? '')) {
    assignBlock(world, row);
    chargeFee(world, row, fee?.expected ?? 0n);
  } else if (CHAINS[resource.blockchain].family === 'evm') {
    fillNonce(world, row);
  }
}

/** Settles a cancelled transaction. If it was sent, the replacement costs its fee. */
export function settleCancelled(world: World, row: TransactionRow): void {
  world.store.ledger.release(row.id);
  if (row.nonce !== undefined) fillNonce(world, row);
}

function upgradeCore(wallet: WalletRow, scaCore: string): SideEffect {
  const previous = wallet.resource.scaCore;
  wallet.resource = { ...wallet.resource, scaCore };
  return {
    isUsed: () => wallet.resource.scaCore !== scaCore,
    undo() {
      wallet.resource = { ...wallet.resource, scaCore: previous };
    },
  };
}

function fillNonce(world: World, row: TransactionRow): void {
  // Even an empty operation deploys a smart-contract wallet.
  row.wallet.deployed = true;
  chargeFee(world, row, cancellationFee(world, row));
}

function assignBlock(world: World, { resource, wallet }: TransactionRow) {
  const block = currentBlock(world, resource.blockchain);
  Object.assign(resource, block, { firstConfirmDate: world.clock.now().toISOString() });
  wallet.deployed = true;
  return block;
}
