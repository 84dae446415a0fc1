import type { Handlers } from '../area';
import { page } from '../paging';
import { Refusal } from '../refusal';
import type { WalletSetRow } from '../store';
import type { World } from '../world';

/** Spec, Limits. */
const WALLETS_PER_SET = 1_000_000;

export const walletSets: Handlers<'walletSets'> = {
  createWalletSet({ world, body }) {
    const id = world.random.uuid();
    const at = world.clock.now().toISOString();
    const row = world.store.walletSets.add({
      id,
      resource: { id, custodyType: 'DEVELOPER', name: body.name, createDate: at, updateDate: at },
      walletCount: 0,
      capacity: WALLETS_PER_SET,
      nextIndexes: new Map(),
    });
    return { status: 201, body: answer(row) };
  },

  updateWalletSet({ world, params, body }) {
    const row = walletSetOf(world, params.id);
    const { name = row.resource.name } = body;
    row.resource = { ...row.resource, name, updateDate: world.clock.now().toISOString() };
    return { body: answer(row) };
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
    return { body: answer(walletSetOf(world, params.id)) };
  },
};

/** @throws Refusal 156005 */
export function walletSetOf({ store }: World, id: string): WalletSetRow {
  const row = store.walletSets.get(id);
  if (!row) throw new Refusal(156005);
  return row;
}

function answer({ resource }: WalletSetRow) {
  return { data: { walletSet: resource } };
}
