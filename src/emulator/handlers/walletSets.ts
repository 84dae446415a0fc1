import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { page } from '../requests/paging';
import { addWalletSet, walletSetOf } from '../wallets/walletSets';
import type { WalletSetRow } from '../world/walletRows';
import type { World } from '../world/world';

export const walletSets: Handlers<'walletSets'> = {
  createWalletSet({ world, body }) {
    const id = body.id?.toLowerCase() ?? world.random.uuid();
    requireNewId(world, id);
    return { status: 201, body: walletSetBody(addWalletSet(world, id, { custodyType: 'DEVELOPER', name: body.name })) };
  },

  updateWalletSet({ world, params, body }) {
    const row = walletSetOf(world, params.id);
    const { name = row.resource.name } = body;
    row.resource = { ...row.resource, name, updateDate: world.clock.now().toISOString() };
    return { body: walletSetBody(row) };
  },

  listWalletSets(call) {
    const { rows, headers } = page(call, {
      rows: call.world.store.walletSets.all(),
      idOf: ({ id }) => id,
      dateOf: ({ resource }) => resource.createDate,
    });
    return { headers, body: { data: { walletSets: rows.map(({ resource }) => resource) } } };
  },

  getWalletSet({ world, params }) {
    return { body: walletSetBody(walletSetOf(world, params.id)) };
  },
};

/** @throws ApiErrorResponse 155601 the id belongs to a wallet set of the entity, 156021 to anything else, such as a user's set */
function requireNewId({ store }: World, id: string): void {
  if (store.walletSets.get(id)?.resource.custodyType === 'DEVELOPER') throw new ApiErrorResponse(155601);
  const tables = [store.walletSets, store.wallets, store.tokens, store.transactions];
  if (tables.some((table) => table.get(id) !== undefined)) throw new ApiErrorResponse(156021);
}

function walletSetBody({ resource }: WalletSetRow) {
  return { data: { walletSet: resource } };
}
