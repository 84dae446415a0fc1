import { secp256k1 } from '@noble/curves/secp256k1';
import { hashMessage, hexToBytes, isHex, publicKeyToAddress } from 'viem/utils';
import { fieldRefusal } from '../../fieldRefusal';
import type { OwnershipProof } from '../state';
import { familiesOf, spellingOf, type Asset } from './assets';

interface Given {
  transactionAsset: Asset;
  address: string;
  type: OwnershipProof['type'];
  proof: string;
  attestation?: string | undefined;
}

/**
 * Whether a proof is verified by computing. Only signatures can be; the others are kept for people to look at.
 * @throws Refusal 2 when a signature is not one of the address, or of a text that is about another address
 */
export function verifyProof({ transactionAsset, address, type, proof, attestation = '' }: Given): boolean {
  if (type !== 'eip-191') return false;
  if (!familiesOf(transactionAsset).includes('evm')) throw fieldRefusal('type', 'is for addresses of EVM blockchains');
  // A signature for one address must not do for another (field case TR-06).
  if (!attestation.toLowerCase().includes(address.toLowerCase())) {
    throw fieldRefusal('attestation', 'does not name the address');
  }
  const signer = signerOf(attestation, proof);
  if (signer === undefined || spellingOf(signer) !== spellingOf(address)) {
    throw fieldRefusal('proof', 'is no signature of the attestation by the address');
  }
  return true;
}

/** Address that signed a text (EIP-191), if it was signed at all. */
function signerOf(text: string, signature: string): string | undefined {
  if (!isHex(signature)) return undefined;
  const bytes = hexToBytes(signature);
  const v = bytes[64];
  if (bytes.length !== 65 || (v !== 27 && v !== 28)) return undefined;
  try {
    const point = secp256k1.Signature.fromCompact(bytes.subarray(0, 64))
      .addRecoveryBit(v - 27)
      .recoverPublicKey(hexToBytes(hashMessage(text)));
    return publicKeyToAddress(`0x${point.toHex(false)}`);
  } catch {
    return undefined;
  }
}
