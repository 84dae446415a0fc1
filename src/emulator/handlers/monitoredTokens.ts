import { sameAddress } from '../../domain/chains';
import type { Handlers } from '../http/handler';
import { tokenById } from '../ledger/tokens';
import { type ListQuery, page } from '../requests/paging';
import type { World } from '../world/world';

/**
 * The configuration handlers that select the balances to show
 * (docs/api-behavior.md#faucet-monitored-tokens-and-wallet-sets).
 */
export const monitoredTokens: Pick<
  Handlers<'configuration'>,
  | 'listMonitoredTokens'
  | 'createMonitoredTokens'
  | 'updateMonitoredTokens'
  | 'updateMonitoredTokensScope'
  | 'deleteMonitoredTokens'
> = {
  listMonitoredTokens({ world, query, url }) {
    const { scope } = world.store.monitoring;
    if (scope === undefined) return { status: 204, body: undefined };
    const { blockchain, tokenAddress, symbol } = query;
    const { rows, headers } = page(
      { query, url },
      {
        rows: selected(world),
        idOf: ({ id }) => id,
        dateOf: ({ createDate }) => createDate,
        filter: (token) =>
          (blockchain === undefined || token.blockchain === blockchain) &&
          (symbol === undefined || token.symbol === symbol) &&
          (tokenAddress === undefined || sameAddress(token.blockchain, token.tokenAddress ?? '', tokenAddress)),
      },
    );
    return { headers, body: { data: { scope, tokens: rows } } };
  },

  createMonitoredTokens({ world, body, url }) {
    const tokens = body.tokenIds.map((id) => tokenById(world.store, id));
    for (const { id } of tokens) world.store.monitoring.tokenIds.add(id);
    world.store.monitoring.scope ??= 'SELECTED';
    return { status: 201, ...firstPage(world, url) };
  },

  updateMonitoredTokens({ world, body, url }) {
    const tokens = (body.tokenIds ?? []).map((id) => tokenById(world.store, id));
    world.store.monitoring.tokenIds = new Set(tokens.map(({ id }) => id));
    world.store.monitoring.scope ??= 'SELECTED';
    return firstPage(world, url);
  },

  updateMonitoredTokensScope({ world, body }) {
    world.store.monitoring.scope = body.scope;
    return { body: undefined };
  },

  deleteMonitoredTokens({ world, body }) {
    const tokens = body.tokenIds.map((id) => tokenById(world.store, id));
    for (const { id } of tokens) world.store.monitoring.tokenIds.delete(id);
    return { body: undefined };
  },
};

function selected({ store }: World) {
  const { tokenIds } = store.monitoring;
  return store.tokens.all().filter(({ id }) => tokenIds.has(id));
}

function firstPage(world: World, url: string) {
  const query: ListQuery = {};
  const { rows } = page({ query, url }, { rows: selected(world), idOf: ({ id }) => id });
  return { body: { data: { scope: world.store.monitoring.scope, tokens: rows } } };
}
