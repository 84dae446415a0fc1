import { hashMessage } from 'viem/utils';
import { invalidField } from '../errors/invalidField';
import { signerOf } from '../signing/signatures';
import type { World } from '../world/world';
import { canonicalAddress, familiesOf, symbolOf, type TravelRuleAsset } from './assets';
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
 * @throws ApiErrorResponse 2 if the signature is not by the address, or if its text does not contain the address and the
 * token, or proved something before
 */
export function verifyProof(
  { travelRule }: World,
  { transactionAsset, address, type, proof, attestation = '' }: ProofFields,
): boolean {
  if (type !== 'eip-191') return false;
  if (!familiesOf(transactionAsset).includes('evm'))
    throw invalidField('type', 'is only valid for addresses on EVM blockchains');
  // A signature that was created for one address, token or time must not prove another.
  if (!attestation.toLowerCase().includes(address.toLowerCase())) {
    throw invalidField('attestation', 'must contain the address');
  }
  const symbol = symbolOf(transactionAsset);
  if (!attestation.split(/[^\p{L}\p{N}]+/u).includes(symbol)) {
    throw invalidField('attestation', `must contain the token ${symbol} as a word`);
  }
  if (travelRule.attestations.has(attestation)) {
    throw invalidField('attestation', 'was uploaded before; have a new text signed');
  }
  const signer = signerOf(hashMessage(attestation), proof);
  if (signer === undefined || canonicalAddress(signer) !== canonicalAddress(address)) {
    throw invalidField('proof', 'is not a signature of the attestation by the address');
  }
  travelRule.attestations.add(attestation);
  return true;
}
