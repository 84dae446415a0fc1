import { ApiErrorResponse } from '../errors/apiErrorResponse';

/** A signed transaction, in the encodings of its blockchain. */
export interface SignedTransaction {
  signature: string;
  signedTransaction: string;
  /** Absent on Solana, where the first signature is the transaction id. */
  txHash?: string;
}

/**
 * Maximum size of a transaction in bytes: the limit of nodes on EVM blockchains, of a packet on Solana, of the protocol on
 * NEAR. The API reference does not publish numbers.
 */
export const MAX_BYTES = { evm: 128 * 1024, solana: 1_232, near: 1_572_864 } as const;

/** @throws ApiErrorResponse 155806 too large */
export function requireSize(family: keyof typeof MAX_BYTES, { length }: Uint8Array): void {
  if (length > MAX_BYTES[family]) throw new ApiErrorResponse(155806);
}
