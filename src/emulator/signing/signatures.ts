import { secp256k1 } from '@noble/curves/secp256k1';
import { sign } from 'node:crypto';
import type { Hex } from 'viem';
import { concatHex, hexToBytes, toHex } from 'viem/utils';
import { type AccountKey, ed25519PrivateKey } from '../chains/keys';

export interface EvmSignature {
  r: Hex;
  s: Hex;
  yParity: 0 | 1;
  /** 27 or 28. */
  v: bigint;
}

/** Signs a hash with a deterministic nonce (RFC 6979) and the lower `s` (EIP-2). */
export function signHash({ privateKey }: AccountKey, hash: Hex): EvmSignature {
  const { r, s, recovery } = secp256k1.sign(hexToBytes(hash), privateKey, { lowS: true });
  const yParity = recovery === 0 ? 0 : 1;
  return { r: toHex(r, { size: 32 }), s: toHex(s, { size: 32 }), yParity, v: BigInt(27 + yParity) };
}

/** 65 bytes: r, s and v, which is 27 or 28. */
export function evmSignatureText({ r, s, v }: EvmSignature): Hex {
  return concatHex([r, s, toHex(v)]);
}

/** Signs the whole message, without hashing it first (RFC 8032). @returns 64 bytes */
export function signEd25519({ privateKey }: AccountKey, message: Uint8Array): Buffer {
  return sign(undefined, message, ed25519PrivateKey(privateKey));
}
