import type { Blockchain } from '../../domain/chains';

/** How a blockchain of the emulator behaves: its pace and what it charges. */
export interface ChainProfile {
  /** Time between blocks. */
  blockMs: number;
  /** From `SENT` to the block: `CONFIRMED`. */
  confirmMs: number;
  /** From the block to finality: `COMPLETE`. */
  finalMs: number;
  /** A block is final at once: `CONFIRMED` is skipped (api-facts 4). */
  instant: boolean;
  /** Whether fees are `maxFee` and `priorityFee`; else `gasPrice`. A world can say otherwise. EVM only. */
  eip1559: boolean;
  /** Price of a unit of gas in gwei: the block's base fee, and the tip at level MEDIUM. EVM only. */
  baseFee: string;
  priorityFee: string;
  /** Price of a transfer in native tokens at level MEDIUM. Other families only: they charge no gas by the unit. */
  flatFee: string;
  /** Transactions of one EOA that are in the mempool at a time; more wait as `QUEUED` (api-facts 4). */
  slots: number;
}

const evm = (blockMs: number, finalMs: number, baseFee: string, priorityFee: string, slots = 32): ChainProfile => ({
  blockMs,
  confirmMs: blockMs,
  finalMs,
  instant: false,
  eip1559: true,
  baseFee,
  priorityFee,
  flatFee: '0',
  slots,
});
const other = (blockMs: number, finalMs: number, flatFee: string, instant = false): ChainProfile => ({
  blockMs,
  confirmMs: blockMs,
  finalMs,
  instant,
  eip1559: false,
  baseFee: '0',
  priorityFee: '0',
  flatFee,
  slots: Infinity,
});

/** By the part of a blockchain's name before the dash: a testnet is as quick as its mainnet. Times: api-facts 4. */
const PROFILES: Record<string, ChainProfile> = {
  ETH: evm(12_000, 144_000, '12', '1'),
  AVAX: evm(2_000, 2_000, '25', '1'),
  MATIC: evm(2_000, 100_000, '30', '30', 16),
  ARB: evm(1_000, 210_000, '0.1', '0'),
  BASE: evm(2_000, 210_000, '0.05', '0.001'),
  OP: evm(2_000, 210_000, '0.05', '0.001'),
  UNI: evm(1_000, 180_000, '0.05', '0.001'),
  ARC: { ...evm(1_000, 0, '20', '1'), instant: true },
  MONAD: evm(1_000, 1_000, '50', '2'),
  SOL: other(1_000, 13_000, '0.000005'),
  APTOS: other(500, 0, '0.0005', true),
  NEAR: other(1_000, 2_000, '0.0001'),
};

export function profileOf(blockchain: Blockchain): ChainProfile {
  const [name = ''] = blockchain.split('-');
  const profile = PROFILES[name];
  if (!profile) throw new Error(`The emulator has no profile of the blockchain ${blockchain}`);
  return profile;
}

/**
 * Pending transactions (`INITIATED` to `STUCK`) that one EVM address may have before `155264`: what the blockchain takes
 * at a time, and three times that in the service's own queue. The API gives no number for its bound; this one is ours.
 */
const QUEUE_FACTOR = 4;

export function queueBound(blockchain: Blockchain): number {
  return profileOf(blockchain).slots * QUEUE_FACTOR;
}
