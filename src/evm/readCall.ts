import { checkAddress, checksumAddress } from '../crypto/addresses';
import type { DecodedCall } from '../domain/callMovements';
import { callDataOf, type CallForm } from './callData';
import { CallDataError } from './callDataError';
import { decodeCall } from './decodeCall';

export { CallDataError } from './callDataError';

/**
 * Encodes a call, whatever form it has, and decodes what it does.
 * @param value native tokens, in their smallest unit @throws CallDataError
 */
export function readCall(blockchain: string, call: CallForm & { contractAddress: string }, value: bigint): DecodedCall {
  const { contractAddress } = call;
  const problem = checkAddress('evm', contractAddress);
  if (problem !== undefined) throw new CallDataError('contractAddress', problem, 'correct the address');
  const contract = checksumAddress(contractAddress) as `0x${string}`;
  return decodeCall(blockchain, { contract, data: callDataOf(call), value });
}
