import { CHAINS } from '../../domain/chains';
import { queueBound } from '../chains/profiles';
import { accountOf } from '../ledger';
import { Refusal } from '../refusal';
import { nextNonce, pendingOf } from '../senderQueue';
import type { WalletRow } from '../store';
import type { World } from '../world';

/**
 * Whether a wallet may send one more.
 * @throws Refusal 155505 an SCA wallet's first transaction is not queued yet; 155203 it is sent and not in a block yet, so
 * that the next one's nonce is above 0 where nothing is deployed; 155202 a nonce was used past the API, and that
 * transaction is not final; 155264 too many are waiting
 */
export function requireRoom({ store }: World, wallet: WalletRow): void {
  const { blockchain, address, accountType } = wallet.resource;
  if (CHAINS[blockchain].family !== 'evm') return;
  const pending = pendingOf(store, wallet);
  if (accountType === 'SCA' && !wallet.deployed) {
    if (!wallet.queuedOnce && pending.size > 0) throw new Refusal(155505);
    if (nextNonce(store, wallet) > 0) throw new Refusal(155203);
  }
  if ((store.outsideNonces.get(accountOf(blockchain, address))?.open ?? 0) > 0) throw new Refusal(155202);
  if (pending.size >= queueBound(blockchain)) throw new Refusal(155264);
}
