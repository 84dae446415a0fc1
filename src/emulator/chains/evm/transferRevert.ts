import { sameAddress } from '../../../domain/chains';
import type { Token, Transaction } from '../../resources';
import { ZERO } from './execution';
import { Revert } from './revert';

/**
 * Why the contract of an ERC token does not carry out a transfer of the API: nobody is at the zero address, and what is
 * to be destroyed is burned.
 */
export function revertOfTransfer(
  { standard, isNative, blockchain }: Token,
  { destinationAddress = '' }: Pick<Transaction, 'destinationAddress'>,
): Revert | undefined {
  if (isNative || !standard?.startsWith('ERC') || !sameAddress(blockchain, destinationAddress, ZERO)) return undefined;
  return new Revert(`${standard}: transfer to the zero address`);
}
