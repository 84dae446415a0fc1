import { computeAddress, getBytes, hexlify } from 'ethers';
import { recover } from 'tiny-secp256k1';

/**
 * The address whose key signed a hash, by libsecp256k1: another implementation than the one that the emulator signs
 * with. What is hashed is encoded by ethers in these tests, and by viem in the emulator. The last of the 65 bytes has to
 * be 27 or 28.
 */
export function signerOf(hash: string, signature: string): string {
  const bytes = getBytes(signature);
  const v = bytes[64] ?? 0;
  if (bytes.length !== 65 || (v !== 27 && v !== 28)) throw new Error(`A signature of ${bytes.length} bytes, v ${v}`);
  const publicKey = recover(getBytes(hash), bytes.subarray(0, 64), v === 28 ? 1 : 0, false);
  if (!publicKey) throw new Error('No key made this signature');
  return computeAddress(hexlify(publicKey));
}
