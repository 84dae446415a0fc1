import type { Blockchain } from '../../domain/chains';
import { profileOf } from '../chains/profiles';
import type { Settings } from '../settings';

/** Whether a blockchain uses EIP-1559 fees, by the world's settings or by the chain's profile. */
export function isEip1559({ settings }: { readonly settings: Settings }, blockchain: Blockchain): boolean {
  return settings.eip1559[blockchain] ?? profileOf(blockchain).eip1559;
}
