import type { Blockchain } from '../../domain/chains';

/** Timing and fees of a blockchain in the emulator. */
export interface ChainProfile {
  /** Time between blocks. */
  blockMs: number;
  /** From `SENT` to the block (`CONFIRMED`). */
  confirmMs: number;
  /** From the block to finality (`COMPLETE`). */
  finalMs: number;
  /** A block is final immediately, so `CONFIRMED` is skipped. */
  instantFinality: boolean;
  /** Fees are `maxFee` and `priorityFee`, otherwise `gasPrice`. The world's `eip1559` setting overrides it. EVM only. */
  eip1559: boolean;
  /** Prices of a unit of gas in gwei: the base fee, and the tip at level MEDIUM. EVM only. */
  baseFee: string;
  priorityFee: string;
  /** Price of a transfer in native tokens, before the fee level's factor. For the other families, which have no gas price. */
  flatFee: string;
  /** Transactions of one EOA in the mempool at a time; more wait as `QUEUED`. */
  mempoolSlots: number;
}

const evm = (
  blockMs: number,
  finalMs: number,
  baseFee: string,
  priorityFee: string,
  mempoolSlots = 32,
): ChainProfile => ({
  blockMs,
  confirmMs: blockMs,
  finalMs,
  instantFinality: false,
  eip1559: true,
  baseFee,
  priorityFee,
  flatFee: '0',
  mempoolSlots,
});
const nonEvm = (blockMs: number, finalMs: number, flatFee: string, instantFinality = false): ChainProfile => ({
  blockMs,
  confirmMs: blockMs,
  finalMs,
  instantFinality,
  eip1559: false,
  baseFee: '0',
  priorityFee: '0',
  flatFee,
  mempoolSlots: Infinity,
});

/** By the blockchain's name up to the dash: a testnet is as fast as its mainnet. docs/api-behavior.md#transaction-states */
const PROFILES: Record<string, ChainProfile> = {
  ETH: evm(12_000, 144_000, '12', '1'),
  AVAX: evm(2_000, 2_000, '25', '1'),
  MATIC: evm(2_000, 100_000, '30', '30', 16),
  ARB: evm(1_000, 210_000, '0.1', '0'),
  BASE: evm(2_000, 210_000, '0.05', '0.001'),
  OP: evm(2_000, 210_000, '0.05', '0.001'),
  UNI: evm(1_000, 180_000, '0.05', '0.001'),
  ARC: { ...evm(1_000, 0, '20', '1'), instantFinality: true },
  MONAD: evm(1_000, 1_000, '50', '2'),
  SOL: nonEvm(1_000, 13_000, '0.000005'),
  APTOS: nonEvm(500, 0, '0.0005', true),
  NEAR: nonEvm(1_000, 2_000, '0.0001'),
};

export function profileOf(blockchain: Blockchain): ChainProfile {
  const [name = ''] = blockchain.split('-');
  const profile = PROFILES[name];
  if (!profile) throw new Error(`The emulator has no profile for the blockchain ${blockchain}`);
  return profile;
}

/**
 * Bounds the pending transactions (`INITIATED` to `STUCK`) of one EVM address; more are `155264`. The emulator assumes that
 * the service queues three times as many as the mempool holds: the API does not publish the number.
 */
const QUEUE_FACTOR = 4;

export function maxPending(blockchain: Blockchain): number {
  return profileOf(blockchain).mempoolSlots * QUEUE_FACTOR;
}
