import type { Blockchain } from '../../domain/chains';
import type { Settings } from '../settings';
import { profileOf } from './profiles';

/** Whether fees on a blockchain are EIP-1559 ones, by the world's settings or else by the chain's profile. */
export function isEip1559({ settings }: { readonly settings: Settings }, blockchain: Blockchain): boolean {
  return settings.eip1559[blockchain] ?? profileOf(blockchain).eip1559;
}
