import { type Blockchain, sameAddress } from '../../domain/chains';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Table } from '../kit/table';
import { type Asset, parseAsset } from './ledger';
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
