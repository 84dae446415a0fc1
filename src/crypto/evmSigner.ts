import type { Hex, Signature, TransactionSerializable, TransactionSerialized } from 'viem';

/** What an EVM wallet was asked to sign, in the fields of the API. */
export type EvmPayload =
  | { kind: 'message'; message: string; encodedByHex?: boolean | undefined }
  | { kind: 'typedData'; data: string }
  | { kind: 'transaction'; rawTransaction?: string | undefined; transaction?: string | undefined };

/** A signature as the API returns it: hex. */
export interface EvmSignature {
  signature: string;
  /** Of a transaction. */
  signedTransaction?: string | undefined;
}

/**
 * The address whose key has signed the payload (EIP-191, EIP-712, EIP-2718), in its EIP-55 form.
 * @returns undefined if it is not a signature of this payload
 */
export async function signerOf(payload: EvmPayload, signed: EvmSignature): Promise<string | undefined> {
  try {
    return await recover(payload, signed);
  } catch {
    // viem and JSON.parse throw their own errors for everything that they cannot read.
    return undefined;
  }
}

async function recover(payload: EvmPayload, signed: EvmSignature): Promise<string | undefined> {
  const viem = viemUtils();
  const signature = signed.signature as Hex;
  switch (payload.kind) {
    case 'message': {
      const { message, encodedByHex } = payload;
      return viem.recoverMessageAddress({ message: encodedByHex ? { raw: message as Hex } : message, signature });
    }
    case 'typedData':
      return viem.recoverTypedDataAddress({ ...JSON.parse(payload.data), signature });
    case 'transaction': {
      const { r, s, v, yParity, ...content } = viem.parseTransaction(signed.signedTransaction as TransactionSerialized);
      if (r === undefined || s === undefined) return undefined;
      const unsigned = viem.serializeTransaction(content as TransactionSerializable);
      const { rawTransaction, transaction } = payload;
      if (rawTransaction !== undefined && !sameHex(rawTransaction, unsigned)) return undefined;
      if (transaction !== undefined && !isContentOf(JSON.parse(transaction), content)) return undefined;
      return viem.recoverAddress({ hash: viem.keccak256(unsigned), signature: { r, s, v, yParity } as Signature });
    }
  }
}

/** Compares what a transaction does. The JSON form may leave its fee out. */
function isContentOf(asked: Record<string, string | number | undefined>, signed: TransactionSerializable): boolean {
  return (
    sameHex(String(asked.to ?? ''), signed.to ?? '0x') &&
    sameHex(String(asked.data ?? ''), signed.data ?? '0x') &&
    BigInt(asked.value ?? 0) === (signed.value ?? 0n) &&
    BigInt(asked.nonce ?? 0) === BigInt(signed.nonce ?? 0) &&
    BigInt(asked.chainId ?? 0) === BigInt(signed.chainId ?? 0)
  );
}

/** The API takes hex with and without `0x`. */
function sameHex(text: string, hex: Hex): boolean {
  return text.toLowerCase().replace(/^0x/, '') === hex.toLowerCase().slice('0x'.length);
}

/** Loaded for the first signature: it takes 150 ms and 16 MB, and most processes never need it. */
function viemUtils(): typeof import('viem/utils') {
  return require('viem/utils') as typeof import('viem/utils');
}
