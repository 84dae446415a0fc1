import { sameAddress, type Blockchain } from '../domain/chains';
import { partsOf, type Asset } from './ledger';
import type { Token } from './resources';
import type { Store } from './store';

/** The token behind an asset of the ledger. */
export function tokenOf(store: Store, asset: Asset): Token {
  const { tokenId } = partsOf(asset);
  const token = store.tokens.get(tokenId);
  if (!token) throw new Error(`The ledger knows a token that the store does not: ${tokenId}`);
  return token;
}

/** None where wallets only sign: `EVM`, `EVM-TESTNET`. */
export function findNativeToken(store: Store, blockchain: Blockchain): Token | undefined {
  return store.tokens.all().find((entry) => entry.blockchain === blockchain && entry.isNative);
}

export function nativeToken(store: Store, blockchain: Blockchain): Token {
  const token = findNativeToken(store, blockchain);
  if (!token) throw new Error(`${blockchain} has no native token`);
  return token;
}

export function tokenAt(store: Store, blockchain: Blockchain, tokenAddress: string): Token | undefined {
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
