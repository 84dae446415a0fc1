import { CHAINS } from '../../domain/chains';
import { maxPending } from '../chains/profiles';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { accountOf } from '../ledger/ledger';
import { nextNonce, pendingOf } from '../transactions/senderQueue';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';

/**
 * Checks that a wallet may submit another transaction.
 * @throws ApiErrorResponse 155505 an SCA wallet's first transaction is not queued yet; 155203 the first transaction was
 * sent but is not in a block yet: the next nonce would be above 0 although the wallet is not deployed; 155202 a nonce was
 * used outside the API, and that transaction is not final; 155264 too many pending transactions
 */
export function requireQueueSpace({ store }: World, wallet: WalletRow): void {
  const { blockchain, address, accountType } = wallet.resource;
  if (CHAINS[blockchain].family !== 'evm') return;
  const pending = pendingOf(store, wallet);
  if (accountType === 'SCA' && !wallet.deployed) {
    if (!wallet.hasQueued && pending.size > 0) throw new ApiErrorResponse(155505);
    if (nextNonce(store, wallet) > 0) throw new ApiErrorResponse(155203);
  }
  if ((store.outOfBandNonces.get(accountOf(blockchain, address))?.open ?? 0) > 0) throw new ApiErrorResponse(155202);
  if (pending.size >= maxPending(blockchain)) throw new ApiErrorResponse(155264);
}
