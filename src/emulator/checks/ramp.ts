import { checkAddress } from '../../crypto/addresses';
import { CHAINS } from '../../domain/chains';
import type { RampBlockchain } from '../../domain/ramp';
import { isEmulated, keyKind } from '../ramp/blockchains';
import { isStellarAddress } from '../ramp/stellar';
import { Refusal } from '../refusal';
import type { World } from '../world';

/** @throws Refusal 156006: a test key with a mainnet, or a live key with a testnet */
export function requireRampKeyKind({ kind }: World, blockchain: RampBlockchain): void {
  if (keyKind(blockchain) !== kind) throw new Refusal(156006);
}

/** @throws Refusal 2 */
export function requireRampAddress(blockchain: RampBlockchain, address: string): void {
  const isAddress = isEmulated(blockchain)
    ? checkAddress(CHAINS[blockchain].family, address) === undefined
    : isStellarAddress(address);
  if (isAddress) return;
  const location = 'walletAddress.address';
  throw new Refusal(2, {
    message: 'API parameter invalid',
    errors: [{ error: 'invalid_value', message: `${location} is no address of ${blockchain}`, location }],
  });
}
