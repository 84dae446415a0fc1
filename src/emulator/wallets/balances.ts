import { sameAddress } from '../../domain/chains';
import { accountOf, parseAsset } from '../ledger/ledger';
import type { Token } from '../ledger/resources';
import { fromUnits, isNft, ledgerUnitsOf, tokenById, tokensOf } from '../ledger/tokens';
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
export function walletBalances(world: World, wallet: WalletRow, filters: BalanceFilters = {}): WalletBalance[] {
  const { blockchain } = wallet.resource;
  return [...heldTokens(world, wallet), ...emptyMonitoredTokens(world, wallet)].filter(
    ({ token }) =>
      (filters.includeAll || isMonitored(world, token.id)) &&
      (filters.name === undefined || token.name === filters.name) &&
      (filters.standard === undefined || token.standard === filters.standard) &&
      (filters.tokenAddress === undefined || sameAddress(blockchain, token.tokenAddress ?? '', filters.tokenAddress)),
  );
}

/** What a wallet holds of a token that is not an NFT: a decimal string. */
export function balanceOf({ store }: World, { resource }: WalletRow, token: Token): string {
  const account = accountOf(resource.blockchain, resource.address);
  return fromUnits(store, token, store.ledger.balance(account, ledgerUnitsOf(store, token).asset));
}

function heldTokens({ store }: World, { resource: { blockchain, address } }: WalletRow): WalletBalance[] {
  return store.ledger
    .balancesOf(accountOf(blockchain, address))
    .filter(([, units]) => units > 0n)
    .flatMap(([asset, units]) => {
      const { nftTokenId } = parseAsset(asset);
      return tokensOf(store, asset).map((token) => ({ token, amount: fromUnits(store, token, units), nftTokenId }));
    });
}

/** Monitored tokens that the wallet does not hold. */
function emptyMonitoredTokens(world: World, wallet: WalletRow): WalletBalance[] {
  const { scope, tokenIds } = world.store.monitoring;
  if (scope === undefined) return [];
  const held = new Set(heldTokens(world, wallet).map(({ token }) => token.id));
  return [...tokenIds]
    .map((id) => tokenById(world.store, id))
    .filter((token) => token.blockchain === wallet.resource.blockchain && !isNft(token) && !held.has(token.id))
    .map((token) => ({ token, amount: '0' }));
}
