import { secp256k1 } from '@noble/curves/secp256k1';
import { sign } from 'node:crypto';
import type { Hex } from 'viem';
import { concatHex, hexToBytes, isHex, publicKeyToAddress, toHex } from 'viem/utils';
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

/** The address whose key signed a hash, from a signature of 65 bytes (r, s, v); undefined if it is malformed. */
export function signerOf(hash: Hex, signature: string): Hex | undefined {
  if (!isHex(signature)) return undefined;
  const bytes = hexToBytes(signature);
  const v = bytes[64];
  if (bytes.length !== 65 || (v !== 27 && v !== 28)) return undefined;
  try {
    const point = secp256k1.Signature.fromCompact(bytes.subarray(0, 64))
      .addRecoveryBit(v - 27)
      .recoverPublicKey(hexToBytes(hash));
    return publicKeyToAddress(`0x${point.toHex(false)}`);
  } catch {
    return undefined;
  }
}

/** Signs the whole message, without hashing it first (RFC 8032). @returns 64 bytes */
export function signEd25519({ privateKey }: AccountKey, message: Uint8Array): Buffer {
  return sign(undefined, message, ed25519PrivateKey(privateKey));
}
