import type { Handlers } from '../area';
import { page } from '../paging';
import { Refusal } from '../refusal';
import type { WalletSet } from '../resources';
import type { WalletSetRow } from '../store';
import type { World } from '../world';

/** Spec, Limits. */
const WALLETS_PER_SET = 1_000_000;

export const walletSets: Handlers<'walletSets'> = {
  createWalletSet({ world, body }) {
    const id = body.id?.toLowerCase() ?? world.random.uuid();
    requireNewId(world, id);
    return { status: 201, body: answer(addWalletSet(world, id, { custodyType: 'DEVELOPER', name: body.name })) };
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

/** A set of the entity, or of one user. */
export function addWalletSet(
  { store, clock }: World,
  id: string,
  shown: Pick<WalletSet, 'custodyType' | 'userId' | 'name'>,
): WalletSetRow {
  const at = clock.now().toISOString();
  return store.walletSets.add({
    id,
    resource: { id, ...shown, createDate: at, updateDate: at },
    walletCount: 0,
    capacity: WALLETS_PER_SET,
    nextIndexes: new Map(),
  });
}

/** @throws Refusal 156005 */
export function walletSetOf({ store }: World, id: string): WalletSetRow {
  const row = store.walletSets.get(id);
  if (!row) throw new Refusal(156005);
  return row;
}

/** @throws Refusal 155601 a wallet set of the entity has the id, 156021 something else has it, a user's wallet set too */
function requireNewId({ store }: World, id: string): void {
  if (store.walletSets.get(id)?.resource.custodyType === 'DEVELOPER') throw new Refusal(155601);
  const tables = [store.walletSets, store.wallets, store.tokens, store.transactions];
  if (tables.some((table) => table.get(id) !== undefined)) throw new Refusal(156021);
}

function answer({ resource }: WalletSetRow) {
  return { data: { walletSet: resource } };
}
