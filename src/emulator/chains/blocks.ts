import { base58 } from '@scure/base';
import { createHash } from 'node:crypto';
import { type Blockchain, CHAINS } from '../../domain/chains';
import type { Random } from '../kit/random';
import { profileOf } from './profiles';

/** Time of block 0 of every blockchain. */
const GENESIS = Date.UTC(2020, 0, 1);

/** The part of a world that gives the time. */
interface Clocked {
  readonly clock: { now(): Date };
}

export interface Block {
  blockHeight: number;
  blockHash: string;
}

/** The block at the world's current time. Transactions that settle within one block time share a block. */
export function currentBlock(world: Clocked, blockchain: Blockchain): Block {
  return blockAt(blockchain, heightAt(world, profileOf(blockchain).blockMs));
}

/** The last block that can no longer be replaced: as old as the time from a block to finality. */
export function finalizedHeight({ clock }: Clocked, blockchain: Blockchain): number {
  const { blockMs, finalMs } = profileOf(blockchain);
  return Math.floor((clock.now().getTime() - finalMs - GENESIS) / blockMs);
}

/** When a block was made. */
export function timeOfBlock(blockchain: Blockchain, blockHeight: number): Date {
  return new Date(GENESIS + blockHeight * profileOf(blockchain).blockMs);
}

export function blockAt(blockchain: Blockchain, blockHeight: number): Block {
  const hash = createHash('sha256').update(`${blockchain}/${blockHeight}`).digest();
  return { blockHeight, blockHash: isHex(blockchain) ? `0x${hash.toString('hex')}` : base58.encode(hash) };
}

/** The block height at the world's current time, on a blockchain with this block time. */
export function heightAt({ clock }: Clocked, blockMs: number): number {
  return Math.floor((clock.now().getTime() - GENESIS) / blockMs);
}

/** A transaction hash in the blockchain's own format. On Solana it is a signature of 64 bytes. */
export function newTxHash({ random }: { readonly random: Random }, blockchain: Blockchain): string {
  if (isHex(blockchain)) return `0x${Buffer.from(random.bytes(32)).toString('hex')}`;
  return base58.encode(random.bytes(CHAINS[blockchain].family === 'solana' ? 64 : 32));
}

function isHex(blockchain: Blockchain): boolean {
  const { family } = CHAINS[blockchain];
  return family === 'evm' || family === 'aptos';
}
