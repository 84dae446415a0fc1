import type { Hex } from 'viem';
import { type Account, type Asset, assetOf, EXTERNAL_ACCOUNTS, parseAsset } from '../../ledger/ledger';
import { type Execution, MAX_UINT256, ZERO } from '../execution';
import { Revert } from '../revert';
import { ERC721_ABI } from './abis';
import { supportsInterface } from './interfaceIds';
import { emit, type Frame, nativeContract, sameHex, slot, tokenOfContract } from './nativeContract';

/**
 * The ERC-721 standard: one unit of each id. Anyone can mint the catalogue's sample; a template's token has an admin.
 */
export const ERC721 = nativeContract(ERC721_ABI, {
  name: (frame) => tokenOfContract(frame).name ?? '',
  symbol: (frame) => tokenOfContract(frame).symbol ?? '',
  totalSupply: (frame) => mintedIds(frame).reduce((sum, id) => sum + frame.execution.supply(assetIn(frame, id)), 0n),
  nextTokenIdToMint: (frame) => nextId(frame),
  balanceOf: (frame, owner) =>
    mintedIds(frame).reduce((sum, id) => sum + frame.execution.balance(owner, assetIn(frame, id)), 0n),
  ownerOf: (frame, tokenId) => ownerOf(frame, tokenId),
  tokenURI(frame, tokenId) {
    ownerOf(frame, tokenId);
    return frame.execution.read(slot(frame, 'uri', String(tokenId))) ?? '';
  },
  getApproved(frame, tokenId) {
    ownerOf(frame, tokenId);
    return approved(frame, tokenId) ?? ZERO;
  },
  isApprovedForAll: (frame, owner, operator) => isOperator(frame, owner, operator),
  supportsInterface: (_frame, interfaceId) => supportsInterface('ERC721', interfaceId),
  approve(frame, to, tokenId) {
    const owner = ownerOf(frame, tokenId);
    if (!sameHex(owner, frame.sender) && !isOperator(frame, owner, frame.sender)) throw notApproved();
    // Stored with the owner, so that a transfer to another owner voids the approval.
    frame.execution.write(slot(frame, 'approved', String(tokenId)), `${owner} ${to}`);
    emit(frame, ERC721_ABI, 'Approval', { owner, approved: to, tokenId });
  },
  setApprovalForAll(frame, operator, isApproved) {
    setOperator(frame, operator, isApproved);
    emit(frame, ERC721_ABI, 'ApprovalForAll', { owner: frame.sender, operator, approved: isApproved });
  },
  transferFrom: (frame, from, to, tokenId) => move(frame, from, to, tokenId),
  safeTransferFrom: (frame, ...[from, to, tokenId]) => move(frame, from, to, tokenId),
  mint: (frame, to, tokenId) => mint(frame, to, tokenId),
  mintTo(frame, to, uri) {
    const tokenId = nextId(frame);
    mint(frame, to, tokenId);
    frame.execution.write(slot(frame, 'uri', String(tokenId)), uri);
    return tokenId;
  },
  burn(frame, tokenId) {
    const owner = ownerOf(frame, tokenId);
    requireApproved(frame, owner, tokenId);
    transfer(frame, owner, ZERO, tokenId);
  },
});

/** Whether an operator is approved for all tokens of an owner in the contract. ERC-1155 uses it too. */
export function isOperator(frame: Frame, owner: Hex, operator: Hex): boolean {
  return frame.execution.read(slot(frame, 'operator', owner, operator)) === 'true';
}

export function setOperator(frame: Frame, operator: Hex, isApproved: boolean): void {
  frame.execution.write(slot(frame, 'operator', frame.sender, operator), String(isApproved));
}

/** @throws Revert if the contract has an admin and the caller is not it */
export function requireMinter({ contract, sender }: Frame): void {
  const { admin } = contract;
  if (admin !== undefined && !sameHex(admin, sender)) throw new Revert('caller is not a minter');
}

/** All ids that were ever minted. */
export function mintedIds({ execution, contract }: Frame): string[] {
  const ids = issuedAssets(execution).flatMap((asset) => {
    const { tokenId, nftTokenId } = parseAsset(asset);
    return tokenId === contract.tokenId && nftTokenId !== undefined ? [nftTokenId] : [];
  });
  return [...new Set(ids)];
}

/** One above the largest minted id. */
export function nextId(frame: Frame): bigint {
  const known = mintedIds(frame).flatMap((id) => (/^\d+$/.test(id) ? [BigInt(id)] : []));
  const next = known.reduce((above, id) => (id >= above ? id + 1n : above), 0n);
  if (next > MAX_UINT256) throw new Revert('arithmetic overflow');
  return next;
}

/** Assets that the external account, the faucet or this call has issued. */
function issuedAssets({ world, transfers }: Execution): Asset[] {
  const { ledger } = world.store;
  const issuedBy = (account: Account) => ledger.balancesOf(account).map(([asset]) => asset);
  const minted = transfers.filter(({ from }) => from === ZERO).map(({ asset }) => asset);
  return [...issuedBy(EXTERNAL_ACCOUNTS.external), ...minted, ...issuedBy(EXTERNAL_ACCOUNTS.faucet)];
}

function mint(frame: Frame, to: Hex, tokenId: bigint): void {
  requireMinter(frame);
  if (sameHex(to, ZERO)) throw new Revert('ERC721: mint to the zero address');
  if (frame.execution.holderOf(assetIn(frame, tokenId)) !== undefined) throw new Revert('ERC721: token already minted');
  transfer(frame, ZERO, to, tokenId);
}

function move(frame: Frame, from: Hex, to: Hex, tokenId: bigint): void {
  const owner = ownerOf(frame, tokenId);
  requireApproved(frame, owner, tokenId);
  if (!sameHex(owner, from)) throw new Revert('ERC721: transfer from incorrect owner');
  if (sameHex(to, ZERO)) throw new Revert('ERC721: transfer to the zero address');
  transfer(frame, from, to, tokenId);
}

function transfer(frame: Frame, from: Hex, to: Hex, tokenId: bigint): void {
  frame.execution.move({ from, to, asset: assetIn(frame, tokenId), units: 1n }, notApproved);
  emit(frame, ERC721_ABI, 'Transfer', { from, to, tokenId });
}

function ownerOf(frame: Frame, tokenId: bigint): Hex {
  const owner = frame.execution.holderOf(assetIn(frame, tokenId));
  if (owner === undefined) throw new Revert('ERC721: invalid token ID');
  return owner;
}

function requireApproved(frame: Frame, owner: Hex, tokenId: bigint): void {
  const { sender } = frame;
  const spender = approved(frame, tokenId);
  if (sameHex(owner, sender) || isOperator(frame, owner, sender) || (spender && sameHex(spender, sender))) return;
  throw notApproved();
}

function approved(frame: Frame, tokenId: bigint): Hex | undefined {
  const [owner, spender] = (frame.execution.read(slot(frame, 'approved', String(tokenId))) ?? '').split(' ');
  return owner && sameHex(owner as Hex, ownerOf(frame, tokenId)) ? (spender as Hex) : undefined;
}

function assetIn({ contract }: Frame, id: string | bigint): string {
  return assetOf(contract.tokenId ?? '', String(id));
}

const notApproved = () => new Revert('ERC721: caller is not token owner or approved', 155206);
