import { checkAddress } from '../../crypto/addresses';
import { CHAINS } from '../../domain/chains';
import type { RampBlockchain } from '../../domain/ramp';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { isEmulated, keyKind } from './blockchains';
import { isStellarAddress } from './stellar';

/** @throws ApiErrorResponse 156006: a test key with a mainnet, or a live key with a testnet */
export function requireRampKeyKind({ kind }: World, blockchain: RampBlockchain): void {
  if (keyKind(blockchain) !== kind) throw new ApiErrorResponse(156006);
}

/** @throws ApiErrorResponse 2 the address is invalid on the blockchain */
export function requireRampAddress(blockchain: RampBlockchain, address: string): void {
  const isAddress = isEmulated(blockchain)
    ? checkAddress(CHAINS[blockchain].family, address) === undefined
    : isStellarAddress(address);
  if (isAddress) return;
  const location = 'walletAddress.address';
  throw new ApiErrorResponse(2, {
    message: 'API parameter invalid',
    errors: [{ error: 'invalid_value', message: `${location} is not a valid address on ${blockchain}`, location }],
  });
}
