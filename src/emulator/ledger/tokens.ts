import { type Blockchain, sameAddress } from '../../domain/chains';
import { fromBaseUnits, toBaseUnits } from '../../domain/money';
import { isViewOfNative } from '../../domain/stablecoins';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Table } from '../kit/table';
import { type Asset, assetOf, parseAsset } from './ledger';
import type { Token } from './resources';

/** The part of a world's store that these functions read. */
interface TokenStore {
  readonly tokens: Table<Token>;
}

/** The token behind an asset of the ledger. */
export function tokenOf(store: TokenStore, asset: Asset): Token {
  const { tokenId } = parseAsset(asset);
  const token = store.tokens.get(tokenId);
  if (!token) throw new Error(`The ledger has a token that the store does not have: ${tokenId}`);
  return token;
}

/** The tokens that show the balance of an asset: the native USDC of ARC is also shown by its contract. */
export function tokensOf(store: TokenStore, asset: Asset): Token[] {
  const token = tokenOf(store, asset);
  if (!token.isNative) return [token];
  return [token, ...store.tokens.all().filter((view) => view.blockchain === token.blockchain && isViewOfNative(view))];
}

/** @throws ApiErrorResponse 156002 */
export function tokenById(store: TokenStore, id: string): Token {
  const token = store.tokens.get(id);
  if (!token) throw new ApiErrorResponse(156002);
  return token;
}

/** Undefined for `EVM` and `EVM-TESTNET`, whose wallets only sign. */
export function findNativeToken(store: TokenStore, blockchain: Blockchain): Token | undefined {
  return store.tokens.all().find((entry) => entry.blockchain === blockchain && entry.isNative);
}

export function nativeToken(store: TokenStore, blockchain: Blockchain): Token {
  const token = findNativeToken(store, blockchain);
  if (!token) throw new Error(`${blockchain} has no native token`);
  return token;
}

/** How the ledger counts a token. */
export interface TokenUnits {
  asset: Asset;
  /** Units of the asset in one base unit of the token. */
  scale: bigint;
}

/** A token is its own asset, except USDC's contract on ARC: it shows the native balance with fewer decimals. */
export function ledgerUnitsOf(store: TokenStore, token: Token, nftTokenId?: string): TokenUnits {
  if (!isViewOfNative(token)) return { asset: assetOf(token.id, nftTokenId), scale: 1n };
  const native = nativeToken(store, token.blockchain);
  return { asset: assetOf(native.id), scale: 10n ** BigInt((native.decimals ?? 0) - (token.decimals ?? 0)) };
}

/** An amount of a token in units of the ledger. @throws RangeError see `toBaseUnits` */
export function toUnits(store: TokenStore, token: Token, amount: string): bigint {
  return toBaseUnits(amount, token.decimals ?? 0) * ledgerUnitsOf(store, token).scale;
}

/** Units of the ledger as an amount of the token. A view of the native token cuts what its decimals cannot show. */
export function fromUnits(store: TokenStore, token: Token, units: bigint): string {
  return fromBaseUnits(units / ledgerUnitsOf(store, token).scale, token.decimals ?? 0);
}

export function tokenAt(store: TokenStore, blockchain: Blockchain, tokenAddress: string): Token | undefined {
  return store.tokens
    .all()
    .find(
      (entry) =>
        entry.blockchain === blockchain &&
        entry.tokenAddress !== undefined &&
        sameAddress(blockchain, entry.tokenAddress, tokenAddress),
    );
}

export function isNft({ standard = '' }: Token): boolean {
  return standard === 'ERC721' || standard === 'ERC1155' || standard.includes('NonFungible');
}
