import { sameAddress } from '../../domain/chains';
import { fromBaseUnits } from '../../domain/money';
import { accountOf, parseAsset } from '../ledger/ledger';
import type { Token } from '../ledger/resources';
import { isNft, tokenById, tokenOf } from '../ledger/tokens';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';

export interface BalanceFilters {
  includeAll?: boolean | undefined;
  name?: string | undefined;
  tokenAddress?: string | undefined;
  standard?: string | undefined;
}

export interface WalletBalance {
  token: Token;
  amount: string;
  nftTokenId?: string;
}

/** Whether lists show this token's balances and inbound transfers even if the request does not ask for all tokens. */
export function isMonitored({ store }: World, tokenId: string): boolean {
  const { scope, tokenIds } = store.monitoring;
  return scope !== 'SELECTED' || tokenIds.has(tokenId);
}

/**
 * The balances of a wallet. Zero balances only for monitored tokens:
 * docs/api-behavior.md#faucet-monitored-tokens-and-wallet-sets
 */
export function walletBalances(world: World, { resource }: WalletRow, filters: BalanceFilters = {}): WalletBalance[] {
  const { store } = world;
  const { blockchain, address } = resource;
  const units = new Map(store.ledger.balancesOf(accountOf(blockchain, address)));
  const { scope, tokenIds } = store.monitoring;
  if (scope !== undefined) {
    for (const id of tokenIds) {
      const token = tokenById(store, id);
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
    const { nftTokenId } = parseAsset(asset);
    return [{ token, amount: fromBaseUnits(amount, token.decimals ?? 0), nftTokenId }];
  });
}
