import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { accountOf, assetOf } from '../ledger/ledger';
import { nativeToken } from '../ledger/tokens';
import { acceleratedFee } from '../transactions/feeBump';
import { requireAllowed } from '../transactions/transactionMachine';
import { type AccessFilter, ANY_OWNER } from '../wallets/access';
import { requireLive } from '../wallets/sender';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { requireFeeBelowMax } from './fee';

/** @throws ApiErrorResponse 156003 */
export function transactionOf({ store }: World, id: string, access: AccessFilter = ANY_OWNER): TransactionRow {
  const row = store.transactions.get(id);
  if (!row || !access(row.resource)) throw new ApiErrorResponse(156003);
  return row;
}

/**
 * @throws ApiErrorResponse 156003, 155215, 155227, 155229, 155501, 155211 the higher fee is above the maximum, 155201
 */
export function requireAcceleratable(world: World, id: string, access: AccessFilter): TransactionRow {
  const row = transactionOf(world, id, access);
  requireAllowed(row, 'acceleratable');
  requireLive(row.wallet);
  const { blockchain, address } = row.wallet.resource;
  const fee = acceleratedFee(row);
  requireFeeBelowMax(world, blockchain, fee);
  if (row.sponsored) return row;
  const native = assetOf(nativeToken(world.store, blockchain).id);
  const available = world.store.ledger.available(accountOf(blockchain, address), native);
  if (available < fee.max - (row.fee?.max ?? 0n)) throw new ApiErrorResponse(155201);
  return row;
}

/** @throws ApiErrorResponse 156003, 155215, 155227, 155229, 155501 */
export function requireCancellable(world: World, id: string, access: AccessFilter): TransactionRow {
  const row = transactionOf(world, id, access);
  requireAllowed(row, 'cancellable');
  requireLive(row.wallet);
  return row;
}
