import { sameAddress } from '../../domain/chains';
import type { Token, Transaction } from '../ledger/resources';
import { ZERO } from './execution';
import { Revert } from './revert';

/** The revert of an ERC token's contract for a transfer to the zero address; undefined for any other transfer. */
export function revertOfTransfer(
  { standard, isNative, blockchain }: Token,
  { destinationAddress = '' }: Pick<Transaction, 'destinationAddress'>,
): Revert | undefined {
  if (isNative || !standard?.startsWith('ERC') || !sameAddress(blockchain, destinationAddress, ZERO)) return undefined;
  return new Revert(`${standard}: transfer to the zero address`);
}
