import type { Blockchain } from '../../src/domain/chains';
import type { Stack } from './stack';

/** NFTs of one id. */
export interface NftHolding {
  id: string;
  /** Decimal string. */
  amount: string;
}

/** Symbols of the emulator's NFT contracts, on every EVM blockchain. */
export const NFT_SYMBOLS = { erc721: 'SCOL', erc1155: 'SEDN' } as const;

/** The token id of an NFT contract. */
export async function nftContract(
  { world }: Pick<Stack, 'world'>,
  standard: keyof typeof NFT_SYMBOLS,
  blockchain: Blockchain,
): Promise<string> {
  type Tokens = { tokens: { id: string; blockchain: string; symbol?: string }[] };
  const { tokens } = await world.control.call<Tokens>('GET', '/tokens');
  const symbol = NFT_SYMBOLS[standard];
  return tokens.find((token) => token.symbol === symbol && token.blockchain === blockchain)!.id;
}

/** Puts NFTs into a wallet. */
export async function mint(
  { world: { control } }: Pick<Stack, 'world'>,
  walletId: string,
  tokenId: string,
  nfts: readonly NftHolding[],
): Promise<void> {
  for (const { id: nftTokenId, amount } of nfts)
    await control.call('POST', `/wallets/${walletId}/inbound`, { tokenId, nftTokenId, amount });
  await control.advance(30 * 60_000);
}

/** The NFTs of a contract that the API shows in a wallet, in the order of their ids. */
export async function nftsOf({ api }: Pick<Stack, 'api'>, walletId: string, tokenId: string): Promise<NftHolding[]> {
  const query = { includeAll: true, pageSize: 50 };
  const { nfts = [] } = (await api.listNfts({ params: { id: walletId }, query })).data;
  return nfts
    .filter(({ token, amount }) => token.id === tokenId && amount !== '0')
    .map(({ nftTokenId, amount }) => ({ id: nftTokenId!, amount }))
    .sort((one, other) => one.id.localeCompare(other.id));
}
