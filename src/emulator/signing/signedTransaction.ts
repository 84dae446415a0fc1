import { Refusal } from '../refusal';

/** What signing a transaction makes, in the encodings of its blockchain. */
export interface SignedTransaction {
  signature: string;
  signedTransaction: string;
  /** Absent on Solana, where the first signature is the id. */
  txHash?: string;
}

/**
 * Most bytes of a transaction: what nodes take on EVM blockchains and a packet on Solana; the spec
 * gives no numbers. NEAR's runtime takes more than one request to the emulator can hold.
 */
export const MAX_BYTES = { evm: 128 * 1024, solana: 1_232 } as const;

/** @throws Refusal 155806 */
export function requireSize(family: keyof typeof MAX_BYTES, { length }: Uint8Array): void {
  if (length > MAX_BYTES[family]) throw new Refusal(155806);
}
