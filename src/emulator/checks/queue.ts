import { CHAINS } from '../../domain/chains';
import { queueBound } from '../chains/profiles';
import { Refusal } from '../refusal';
import { pendingOf } from '../senderQueue';
import type { WalletRow } from '../store';
import type { World } from '../world';

/**
 * Whether a wallet may send one more.
 * @throws Refusal 155505 an SCA wallet's first transaction is not queued yet, 155264 too many are waiting
 */
export function requireRoom({ store }: World, wallet: WalletRow): void {
  const { blockchain, accountType } = wallet.resource;
  const pending = pendingOf(store, wallet);
  if (accountType === 'SCA' && !wallet.queuedOnce && pending.size > 0) throw new Refusal(155505);
  if (CHAINS[blockchain].family === 'evm' && pending.size >= queueBound(blockchain)) throw new Refusal(155264);
}
