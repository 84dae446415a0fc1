import { checkAddress } from '../../crypto/addresses';
import { CHAINS, type Blockchain, type Chain } from '../../domain/chains';
import { isDecimal, toBaseUnits } from '../../domain/money';
import type { Revert } from '../chains/evm/revert';
import { revertOfTransfer } from '../chains/evm/transferRevert';
import { GAS } from '../chains/fees';
import { accountOf, assetOf, type Movement } from '../ledger';
import { Refusal } from '../refusal';
import type { Token } from '../resources';
import { isNft, nativeToken, tokenAt } from '../tokens';
import type { World } from '../world';
import type { Source } from './source';

export interface TransferFields {
  destinationAddress: string;
  amounts: (string | number)[];
  nftTokenIds?: string[] | undefined;
  tokenId?: string | undefined;
  tokenAddress?: string | undefined;
}

export interface Transfer {
  token: Token;
  movements: Movement[];
  gas: bigint;
  /** Why it would have no effect. */
  reverted: Revert | undefined;
}

/** Standards that can be transferred, by family of blockchains; a native token has none. */
const TRANSFERABLE: Record<Chain['family'], readonly string[]> = {
  evm: ['ERC20', 'ERC721', 'ERC1155'],
  solana: [
    'Fungible',
    'NonFungible',
    'NonFungibleEdition',
    'ProgrammableNonFungible',
    'ProgrammableNonFungibleEdition',
  ],
  aptos: ['FungibleAsset'],
  near: ['Fungible'],
};
/** More would not fit an unsigned 8-bit number, which is what tokens keep their decimals in. */
const MOST_DECIMALS = 255;

/**
 * What a transfer moves.
 * @throws Refusal 155510, 155219, 156002, 155220, 155228, 155239, 155240, 155241, 155218, 155221, 155242, 155222 the NFT
 * contract has no metadata, 156011 nobody has this NFT
 */
export function transferOf(world: World, source: Source, body: TransferFields): Transfer {
  const { blockchain, account: from } = source;
  const chain: Chain = CHAINS[blockchain];
  if (!chain.transfers) throw new Refusal(155510);
  if (checkAddress(chain.family, body.destinationAddress) !== undefined) throw new Refusal(155219);
  const token = findToken(world, blockchain, body);
  if (!token.isNative && !TRANSFERABLE[chain.family].includes(token.standard ?? '')) throw new Refusal(155240);
  const { decimals } = token;
  if (decimals === undefined || decimals < 0 || decimals > MOST_DECIMALS) throw new Refusal(155241);

  const to = accountOf(blockchain, body.destinationAddress);
  const assets = assetsOf(token, body);
  const movements = assets.map((asset, index) => {
    const units = unitsOf(body.amounts[index] ?? '', decimals);
    if (token.standard === 'ERC721' && units !== 1n) throw new Refusal(155221);
    return { from, to, asset, units };
  });
  if (isNft(token)) requireNfts(world, token, assets);
  return { token, movements, gas: gasOf(token, assets.length), reverted: revertOfTransfer(token, body) };
}

function findToken({ store }: World, blockchain: Blockchain, { tokenId, tokenAddress }: TransferFields): Token {
  if (tokenId !== undefined) {
    const token = store.tokens.get(tokenId);
    if (!token) throw new Refusal(156002);
    if (token.blockchain !== blockchain) throw new Refusal(155220);
    return token;
  }
  if (tokenAddress === undefined) throw new Refusal(155228);
  if (tokenAddress === '') return nativeToken(store, blockchain);
  const token = tokenAt(store, blockchain, tokenAddress);
  if (!token || checkAddress(CHAINS[blockchain].family, tokenAddress) !== undefined) throw new Refusal(155239);
  return token;
}

/** One asset per amount (field case SB-04). */
function assetsOf(token: Token, { amounts, nftTokenIds }: TransferFields): string[] {
  if (!isNft(token)) {
    if (nftTokenIds !== undefined) throw new Refusal(155218);
    if (amounts.length !== 1) throw new Refusal(155221);
    return [assetOf(token.id)];
  }
  if (nftTokenIds === undefined) throw new Refusal(155228);
  if (nftTokenIds.length !== amounts.length) throw new Refusal(155242);
  if (nftTokenIds.length > 1 && token.standard !== 'ERC1155') throw new Refusal(155218);
  if (new Set(nftTokenIds).size !== nftTokenIds.length) throw new Refusal(155218);
  return nftTokenIds.map((id) => assetOf(token.id, id));
}

function requireNfts({ store }: World, token: Token, assets: readonly string[]): void {
  if (store.nftMetadata.get(token.id) === null) throw new Refusal(155222);
  if (!assets.every((asset) => store.ledger.knows(asset))) throw new Refusal(156011);
}

/** Amounts are never rounded: more decimals than the token's are as wrong as nothing at all (field case CL-08). */
function unitsOf(amount: string | number, decimals: number): bigint {
  const text = String(amount);
  if (!isDecimal(text)) throw new Refusal(155224);
  const units = parse(text, decimals);
  if (units === undefined || units === 0n) throw new Refusal(155221);
  return units;
}

function parse(text: string, decimals: number): bigint | undefined {
  try {
    return toBaseUnits(text, decimals);
  } catch {
    return undefined;
  }
}

function gasOf(token: Token, assets: number): bigint {
  switch (token.standard) {
    case 'ERC721':
      return GAS.ERC721;
    case 'ERC1155':
      return GAS.ERC1155 + GAS.ERC1155Id * BigInt(assets);
    default:
      return token.isNative ? GAS.native : GAS.ERC20;
  }
}
