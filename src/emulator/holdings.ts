import { sameAddress } from '../domain/chains';
import { fromBaseUnits } from '../domain/money';
import { isMonitored } from './areas/monitoredTokens';
import { tokenById } from './areas/tokens';
import { accountOf, partsOf } from './ledger';
import type { Token } from './resources';
import type { WalletRow } from './store';
import { isNft, tokenOf } from './tokens';
import type { World } from './world';

export interface HoldingFilters {
  includeAll?: boolean | undefined;
  name?: string | undefined;
  tokenAddress?: string | undefined;
  standard?: string | undefined;
}

export interface Holding {
  token: Token;
  amount: string;
  nftTokenId?: string;
}

/** What a wallet holds: zero balances only of tokens that are monitored (spec; api-facts 13). */
export function holdings(world: World, { resource }: WalletRow, filters: HoldingFilters = {}): Holding[] {
  const { store } = world;
  const { blockchain, address } = resource;
  const units = new Map(store.ledger.holdings(accountOf(blockchain, address)));
  const { scope, tokenIds } = store.monitoring;
  if (scope !== undefined) {
    for (const id of tokenIds) {
      const token = tokenById(world, id);
      if (token.blockchain === blockchain && !isNft(token) && !units.has(id)) units.set(id, 0n);
    }
  }
  return [...units].flatMap(([asset, amount]) => {
    const token = tokenOf(store, asset);
    if (amount === 0n && (scope === undefined || !tokenIds.has(token.id))) return [];
    if (!filters.includeAll && !isMonitored(world, token.id)) return [];
    if (filters.name !== undefined && token.name !== filters.name) return [];
    if (filters.standard !== undefined && token.standard !== filters.standard) return [];
    if (
      filters.tokenAddress !== undefined &&
      !sameAddress(blockchain, token.tokenAddress ?? '', filters.tokenAddress)
    ) {
      return [];
    }
    const { nftTokenId } = partsOf(asset);
    return [{ token, amount: fromBaseUnits(amount, token.decimals ?? 0), nftTokenId }];
  });
}
