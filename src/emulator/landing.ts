import { currentBlock } from './chains/blocks';
import type { Landed } from './inbound';
import { chargeFee, moveAll } from './settlement';
import type { TransactionRow } from './store';
import type { World } from './world';

/** Its block is there: what was set apart moves. Gives what arrives somewhere by it, if anything does. */
export function land(world: World, row: TransactionRow): Landed | undefined {
  row.landed = true;
  const { resource, fee, movements } = row;
  const block = currentBlock(world, resource.blockchain);
  Object.assign(resource, block, { firstConfirmDate: world.clock.now().toISOString() });
  world.store.ledger.release(row.id);
  moveAll(world, movements);
  if (fee) chargeFee(world, row, fee.expected);
  row.wallet.deployed = true;
  if (movements.length === 0) return undefined;
  return {
    movements,
    sourceAddress: resource.sourceAddress ?? '',
    destinationAddress: resource.destinationAddress ?? resource.contractAddress ?? '',
    blockchain: resource.blockchain,
    txHash: resource.txHash ?? '',
    block,
  };
}

/** It will never be in a block; if it was sent, what took its place there has cost gas. */
export function end(world: World, row: TransactionRow, cost: bigint | undefined): void {
  world.store.ledger.release(row.id);
  if (row.nonce !== undefined && cost !== undefined) chargeFee(world, row, cost);
}
