import { secp256k1 } from '@noble/curves/secp256k1';
import type { Hex } from 'viem';
import { bytesToHex, hexToBytes, keccak256, stringToBytes } from 'viem/utils';

/** Not secret: only the emulator's own blockchains trust these keys. */
const KEYS = ['one', 'two', 'three'].map((name) => keccak256(stringToBytes(`emulated attester ${name}`), 'bytes'));

interface Attester {
  key: Uint8Array;
  /** Uncompressed, `0x04…`. */
  publicKey: Hex;
  /** Lower case. */
  address: Hex;
}

const ATTESTERS: readonly Attester[] = KEYS.map((key) => {
  const publicKey = secp256k1.getPublicKey(key, false);
  return { key, publicKey: bytesToHex(publicKey), address: addressOf(publicKey) };
}).sort((a, b) => (a.address < b.address ? -1 : 1));

/** Number of signatures of an attestation. */
const THRESHOLD = 2;
/** Each signature is r, s and v (27 or 28). */
const SIGNATURE_BYTES = 65;

export const ATTESTER_KEYS: readonly Hex[] = ATTESTERS.map(({ publicKey }) => publicKey);

/** Signs the message's hash with `THRESHOLD` attesters and joins the signatures by ascending signer address. */
export function attest(message: Hex): Hex {
  const hash = keccak256(message, 'bytes');
  const signatures = ATTESTERS.slice(0, THRESHOLD).map(({ key }) => {
    const signature = secp256k1.sign(hash, key, { lowS: true });
    return Buffer.concat([signature.toCompactRawBytes(), Buffer.of(27 + signature.recovery)]);
  });
  return bytesToHex(Buffer.concat(signatures));
}

/** The contract's revert reason for an invalid attestation; undefined if it is valid. */
export function checkAttestation(message: Hex, attestation: Hex): string | undefined {
  const bytes = hexToBytes(attestation);
  if (bytes.length !== THRESHOLD * SIGNATURE_BYTES) return 'Invalid attestation length';
  const hash = keccak256(message, 'bytes');
  let latest = '';
  for (let at = 0; at < bytes.length; at += SIGNATURE_BYTES) {
    const signer = recover(hash, bytes.subarray(at, at + SIGNATURE_BYTES));
    if (signer === undefined) return 'ECDSA: invalid signature';
    if (signer <= latest) return 'Invalid signature order or dupe';
    if (!ATTESTERS.some(({ address }) => address === signer)) return 'Invalid signature: not attester';
    latest = signer;
  }
  return undefined;
}

function recover(hash: Uint8Array, signature: Uint8Array): Hex | undefined {
  try {
    const { r, s } = secp256k1.Signature.fromCompact(signature.subarray(0, 64));
    const point = new secp256k1.Signature(r, s).addRecoveryBit(signature[64]! - 27).recoverPublicKey(hash);
    return addressOf(point.toRawBytes(false));
  } catch {
    return undefined;
  }
}

function addressOf(publicKey: Uint8Array): Hex {
  return `0x${keccak256(publicKey.subarray(1)).slice(-40)}`;
}
