import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';
import { type AccessFilter, ANY_OWNER } from './access';

/** @throws ApiErrorResponse 156001 */
export function walletOf({ store }: World, id: string, access: AccessFilter = ANY_OWNER): WalletRow {
  const row = store.wallets.get(id);
  if (!row || !access(row.resource)) throw new ApiErrorResponse(156001);
  return row;
}
