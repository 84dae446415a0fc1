import { hexToBytes, keccak256, type Hex } from 'viem';
import { recover } from 'tiny-secp256k1';
import { checksumAddress } from '../../../src/crypto/addresses';

/**
 * The address whose key signed a hash, by libsecp256k1: another implementation than the one that the emulator signs
 * with. The last of the 65 bytes has to be 27 or 28.
 */
export function signerOf(hash: Hex, signature: string): string {
  const bytes = hexToBytes(signature as Hex);
  const v = bytes[64] ?? 0;
  if (bytes.length !== 65 || (v !== 27 && v !== 28)) throw new Error(`A signature of ${bytes.length} bytes, v ${v}`);
  const publicKey = recover(hexToBytes(hash), bytes.subarray(0, 64), v === 28 ? 1 : 0, false);
  if (!publicKey) throw new Error('No key made this signature');
  return checksumAddress(`0x${keccak256(publicKey.subarray(1)).slice(-40)}`);
}
