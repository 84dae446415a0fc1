import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { CHAINS, type Blockchain } from '../../domain/chains';
import type { World } from '../world';
import { profileOf } from './profiles';

/** When block 0 of every blockchain was made. */
const GENESIS = Date.UTC(2020, 0, 1);

export interface Block {
  blockHeight: number;
  blockHash: string;
}

/** The block that a world's clock is at. Transactions that land in one block time share it. */
export function currentBlock(world: World, blockchain: Blockchain): Block {
  const blockHeight = heightAt(world, profileOf(blockchain).blockMs);
  const hash = createHash('sha256').update(`${blockchain}/${blockHeight}`).digest();
  return { blockHeight, blockHash: isHex(blockchain) ? `0x${hash.toString('hex')}` : base58.encode(hash) };
}

/** The height that a world's clock is at on a blockchain with this time between blocks. */
export function heightAt(world: World, blockMs: number): number {
  return Math.floor((world.clock.now().getTime() - GENESIS) / blockMs);
}

/** A hash as the blockchain writes it: a Solana one is a signature of 64 bytes. */
export function newTxHash(world: World, blockchain: Blockchain): string {
  if (isHex(blockchain)) return `0x${Buffer.from(world.random.bytes(32)).toString('hex')}`;
  return base58.encode(world.random.bytes(CHAINS[blockchain].family === 'solana' ? 64 : 32));
}

function isHex(blockchain: Blockchain): boolean {
  const { family } = CHAINS[blockchain];
  return family === 'evm' || family === 'aptos';
}
