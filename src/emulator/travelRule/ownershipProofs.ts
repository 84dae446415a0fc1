import { secp256k1 } from '@noble/curves/secp256k1';
import { hashMessage, hexToBytes, isHex, publicKeyToAddress } from 'viem/utils';
import { invalidField } from '../errors/invalidField';
import { canonicalAddress, familiesOf, type TravelRuleAsset } from './assets';
import type { OwnershipProof } from './state';

interface ProofFields {
  transactionAsset: TravelRuleAsset;
  address: string;
  type: OwnershipProof['type'];
  proof: string;
  attestation?: string | undefined;
}

/**
 * Verifies a signature. Proofs of other types cannot be checked here: they are stored, for humans to review.
 * @returns whether the proof was verified
 * @throws ApiErrorResponse 2 if the signature is not by the address, or its text does not contain the address
 */
export function verifyProof({ transactionAsset, address, type, proof, attestation = '' }: ProofFields): boolean {
  if (type !== 'eip-191') return false;
  if (!familiesOf(transactionAsset).includes('evm'))
    throw invalidField('type', 'is only valid for addresses on EVM blockchains');
  // A signature that was created for one address must not prove another.
  if (!attestation.toLowerCase().includes(address.toLowerCase())) {
    throw invalidField('attestation', 'must contain the address');
  }
  const signer = signerOf(attestation, proof);
  if (signer === undefined || canonicalAddress(signer) !== canonicalAddress(address)) {
    throw invalidField('proof', 'is not a signature of the attestation by the address');
  }
  return true;
}

/** The address that signed a string (EIP-191); undefined if the signature is malformed. */
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
