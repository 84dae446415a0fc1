import { computeAddress, getBytes, hexlify } from 'ethers';
import { recover } from 'tiny-secp256k1';

/**
 * Recovers the signer's address from a hash with libsecp256k1, which the emulator does not use to sign. The tests encode the
 * hashed data with ethers, the emulator with viem.
 * @throws Error unless the signature has 65 bytes and the last one is 27 or 28
 */
export function signerOf(hash: string, signature: string): string {
  const bytes = getBytes(signature);
  const v = bytes[64] ?? 0;
  if (bytes.length !== 65 || (v !== 27 && v !== 28)) throw new Error(`A signature of ${bytes.length} bytes, v ${v}`);
  const publicKey = recover(getBytes(hash), bytes.subarray(0, 64), v === 28 ? 1 : 0, false);
  if (!publicKey) throw new Error('No key made this signature');
  return computeAddress(hexlify(publicKey));
}
