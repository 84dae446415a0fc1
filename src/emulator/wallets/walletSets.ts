import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { WalletSet } from '../ledger/resources';
import type { WalletSetRow } from '../world/walletRows';
import type { World } from '../world/world';

const WALLETS_PER_SET = 1_000_000;

/** Adds a set of the entity, or of one user. */
export function addWalletSet(
  { store, clock }: World,
  id: string,
  fields: Pick<WalletSet, 'custodyType' | 'userId' | 'name'>,
): WalletSetRow {
  const at = clock.now().toISOString();
  return store.walletSets.add({
    id,
    resource: { id, ...fields, createDate: at, updateDate: at },
    walletCount: 0,
    capacity: WALLETS_PER_SET,
    nextIndexes: new Map(),
  });
}

/** @throws ApiErrorResponse 156005 */
export function walletSetOf({ store }: World, id: string): WalletSetRow {
  const row = store.walletSets.get(id);
  if (!row) throw new ApiErrorResponse(156005);
  return row;
}
