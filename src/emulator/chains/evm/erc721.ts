import type { Hex } from 'viem';
import { assetOf, partsOf } from '../../ledger';
import { ERC721_ABI } from './abis';
import { MAX_UINT256, ZERO, type Execution } from './execution';
import { emit, native, same, slot, tokenOfContract, type Frame } from './native';
import { supportsInterface } from './interfaces';
import { Revert } from './revert';

/** Of the standard: one unit of each id. The catalogue's sample lets anybody mint, a template's its admin. */
export const ERC721 = native(ERC721_ABI, {
  name: (frame) => tokenOfContract(frame).name ?? '',
  symbol: (frame) => tokenOfContract(frame).symbol ?? '',
  totalSupply: (frame) => idsOf(frame).reduce((sum, id) => sum + frame.execution.supply(assetIn(frame, id)), 0n),
  nextTokenIdToMint: (frame) => nextId(frame),
  balanceOf: (frame, owner) =>
    idsOf(frame).reduce((sum, id) => sum + frame.execution.balance(owner, assetIn(frame, id)), 0n),
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
    if (!same(owner, frame.sender) && !isOperator(frame, owner, frame.sender)) throw notApproved();
    // Together with the owner who gave it: a later owner has not.
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

/** Approved for all that an owner has in the contract; of ERC-1155 too. */
export function isOperator(frame: Frame, owner: Hex, operator: Hex): boolean {
  return frame.execution.read(slot(frame, 'operator', owner, operator)) === 'true';
}

export function setOperator(frame: Frame, operator: Hex, isApproved: boolean): void {
  frame.execution.write(slot(frame, 'operator', frame.sender, operator), String(isApproved));
}

/** Whether the caller may mint. @throws Revert */
export function requireMinter({ contract, sender }: Frame): void {
  const { admin } = contract;
  if (admin !== undefined && !same(admin, sender)) throw new Revert('caller is not a minter');
}

/** Ids that there have ever been. */
export function idsOf({ execution, contract }: Frame): string[] {
  const { outside, faucet } = holdingsOutside(execution);
  const ids = [...outside, ...faucet].flatMap((asset) => {
    const { tokenId, nftTokenId } = partsOf(asset);
    return tokenId === contract.tokenId && nftTokenId !== undefined ? [nftTokenId] : [];
  });
  return [...new Set(ids)];
}

/** One above the largest id. */
export function nextId(frame: Frame): bigint {
  const known = idsOf(frame).flatMap((id) => (/^\d+$/.test(id) ? [BigInt(id)] : []));
  const next = known.reduce((above, id) => (id >= above ? id + 1n : above), 0n);
  if (next > MAX_UINT256) throw new Revert('arithmetic overflow');
  return next;
}

function holdingsOutside({ world, transfers }: Execution) {
  const { ledger } = world.store;
  const minted = transfers.filter(({ from }) => from === ZERO).map(({ asset }) => asset);
  return {
    outside: [...ledger.holdings('outside').map(([asset]) => asset), ...minted],
    faucet: ledger.holdings('faucet').map(([asset]) => asset),
  };
}

function mint(frame: Frame, to: Hex, tokenId: bigint): void {
  requireMinter(frame);
  if (same(to, ZERO)) throw new Revert('ERC721: mint to the zero address');
  if (frame.execution.holderOf(assetIn(frame, tokenId)) !== undefined) throw new Revert('ERC721: token already minted');
  transfer(frame, ZERO, to, tokenId);
}

function move(frame: Frame, from: Hex, to: Hex, tokenId: bigint): void {
  const owner = ownerOf(frame, tokenId);
  requireApproved(frame, owner, tokenId);
  if (!same(owner, from)) throw new Revert('ERC721: transfer from incorrect owner');
  if (same(to, ZERO)) throw new Revert('ERC721: transfer to the zero address');
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
  if (same(owner, sender) || isOperator(frame, owner, sender) || (spender && same(spender, sender))) return;
  throw notApproved();
}

function approved(frame: Frame, tokenId: bigint): Hex | undefined {
  const [owner, spender] = (frame.execution.read(slot(frame, 'approved', String(tokenId))) ?? '').split(' ');
  return owner && same(owner as Hex, ownerOf(frame, tokenId)) ? (spender as Hex) : undefined;
}

function assetIn({ contract }: Frame, id: string | bigint): string {
  return assetOf(contract.tokenId ?? '', String(id));
}

const notApproved = () => new Revert('ERC721: caller is not token owner or approved', 155206);
