import { checkAddress } from '../../crypto/addresses';
import { type Blockchain, type Chain, CHAINS } from '../../domain/chains';
import { isDecimal, toBaseUnits } from '../../domain/money';
import { GAS } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Revert } from '../evm/revert';
import { revertOfTransfer } from '../evm/transferRevert';
import { accountOf, type Movement } from '../ledger/ledger';
import type { Token } from '../ledger/resources';
import { isNft, ledgerUnitsOf, nativeToken, tokenAt, type TokenUnits } from '../ledger/tokens';
import type { Sender } from '../wallets/sender';
import type { World } from '../world/world';
import { requireDecimals } from './decimals';

export interface TransferFields {
  destinationAddress: string;
  amounts: (string | number)[];
  nftTokenIds?: string[] | undefined;
  tokenId?: string | undefined;
  tokenAddress?: string | undefined;
}

export interface CheckedTransfer {
  token: Token;
  movements: Movement[];
  gas: bigint;
  /** Set if the transfer would revert. */
  reverted: Revert | undefined;
}

/** Token standards that can be transferred, by blockchain family. Native tokens have no standard. */
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
/** Token contracts store their decimals as an unsigned 8-bit number. */
const MAX_DECIMALS = 255;

/**
 * Checks a transfer and returns its movements.
 * @throws ApiErrorResponse 155510, 155219, 156002, 155220, 155228, 155239, 155240, 155241, 155218, 155221, 155224,
 * 155242, 155222 the NFT contract has no metadata, 156011 the NFT was never minted
 */
export function transferOf(world: World, sender: Sender, body: TransferFields): CheckedTransfer {
  const { blockchain, account: from } = sender;
  const chain: Chain = CHAINS[blockchain];
  if (!chain.transfers) throw new ApiErrorResponse(155510);
  if (checkAddress(chain.family, body.destinationAddress) !== undefined) throw new ApiErrorResponse(155219);
  const token = findToken(world, blockchain, body);
  if (!token.isNative && !TRANSFERABLE[chain.family].includes(token.standard ?? '')) throw new ApiErrorResponse(155240);
  const { decimals } = token;
  if (decimals === undefined || decimals < 0 || decimals > MAX_DECIMALS) throw new ApiErrorResponse(155241);

  const to = accountOf(blockchain, body.destinationAddress);
  const counted = ledgerUnits(world, token, body);
  const movements = counted.map(({ asset, scale }, index) => {
    const units = unitsOf(body.amounts[index] ?? '', decimals, `amounts[${index}]`);
    if (token.standard === 'ERC721' && units !== 1n) throw new ApiErrorResponse(155221);
    return { from, to, asset, units: units * scale };
  });
  if (isNft(token)) requireNfts(world, token, movements);
  return { token, movements, gas: gasOf(token, movements.length), reverted: revertOfTransfer(token, body) };
}

function findToken({ store }: World, blockchain: Blockchain, { tokenId, tokenAddress }: TransferFields): Token {
  if (tokenId !== undefined) {
    const token = store.tokens.get(tokenId);
    if (!token) throw new ApiErrorResponse(156002);
    if (token.blockchain !== blockchain) throw new ApiErrorResponse(155220);
    return token;
  }
  if (tokenAddress === undefined) throw new ApiErrorResponse(155228);
  if (tokenAddress === '') return nativeToken(store, blockchain);
  const token = tokenAt(store, blockchain, tokenAddress);
  if (!token || checkAddress(CHAINS[blockchain].family, tokenAddress) !== undefined) throw new ApiErrorResponse(155239);
  return token;
}

/** How the ledger counts each amount of a transfer. */
function ledgerUnits({ store }: World, token: Token, { amounts, nftTokenIds }: TransferFields): TokenUnits[] {
  if (!isNft(token)) {
    if (nftTokenIds !== undefined) throw new ApiErrorResponse(155218);
    if (amounts.length !== 1) throw new ApiErrorResponse(155221);
    return [ledgerUnitsOf(store, token)];
  }
  if (nftTokenIds === undefined) throw new ApiErrorResponse(155228);
  if (nftTokenIds.length !== amounts.length) throw new ApiErrorResponse(155242);
  if (nftTokenIds.length > 1 && token.standard !== 'ERC1155') throw new ApiErrorResponse(155218);
  if (new Set(nftTokenIds).size !== nftTokenIds.length) throw new ApiErrorResponse(155218);
  return nftTokenIds.map((id) => ledgerUnitsOf(store, token, id));
}

function requireNfts({ store }: World, token: Token, movements: readonly Movement[]): void {
  if (store.nftMetadata.get(token.id) === null) throw new ApiErrorResponse(155222);
  if (!movements.every(({ asset }) => store.ledger.hasSeen(asset))) throw new ApiErrorResponse(156011);
}

/** Amounts are never rounded. More decimals than the token has, or an amount of 0, is an error. */
function unitsOf(amount: string | number, decimals: number, field: string): bigint {
  const text = String(amount);
  if (!isDecimal(text)) throw new ApiErrorResponse(155224);
  requireDecimals(text, decimals, { code: 155221, field, most: 'the token has' });
  const units = toBaseUnits(text, decimals);
  if (units === 0n) throw new ApiErrorResponse(155221, { message: `${field} must be above zero` });
  return units;
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
