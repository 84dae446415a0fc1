import { Refusal } from '../refusal';

/** What signing a transaction makes, in the encodings of its blockchain. */
export interface SignedTransaction {
  signature: string;
  signedTransaction: string;
  /** Absent on Solana, where the first signature is the id. */
  txHash?: string;
}

/**
 * Most bytes of a transaction: what nodes take on EVM blockchains, a packet on Solana, the protocol's bound on NEAR. The
 * spec gives no numbers.
 */
export const MAX_BYTES = { evm: 128 * 1024, solana: 1_232, near: 1_572_864 } as const;

/** @throws Refusal 155806 */
export function requireSize(family: keyof typeof MAX_BYTES, { length }: Uint8Array): void {
  if (length > MAX_BYTES[family]) throw new Refusal(155806);
}
