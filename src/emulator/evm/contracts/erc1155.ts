import type { Hex } from 'viem';
import { assetOf } from '../../ledger/ledger';
import { MAX_UINT256, ZERO } from '../execution';
import { Revert } from '../revert';
import { ERC1155_ABI } from './abis';
import { isOperator, nextId, requireMinter, setOperator } from './erc721';
import { supportsInterface } from './interfaceIds';
import { emit, type Frame, nativeContract, sameHex, slot, tokenOfContract } from './nativeContract';

/** The ERC-1155 standard: any number of units of each id. */
export const ERC1155 = nativeContract(ERC1155_ABI, {
  name: (frame) => tokenOfContract(frame).name ?? '',
  symbol: (frame) => tokenOfContract(frame).symbol ?? '',
  totalSupply: (frame, id) => frame.execution.supply(assetIn(frame, id)),
  nextTokenIdToMint: (frame) => nextId(frame),
  balanceOf: (frame, account, id) => frame.execution.balance(account, assetIn(frame, id)),
  balanceOfBatch(frame, accounts, ids) {
    if (accounts.length !== ids.length) throw new Revert('ERC1155: accounts and ids length mismatch');
    return accounts.map((account, n) => frame.execution.balance(account, assetIn(frame, ids[n]!)));
  },
  uri: (frame, id) => frame.execution.read(slot(frame, 'uri', String(id))) ?? '',
  isApprovedForAll: (frame, account, operator) => isOperator(frame, account, operator),
  supportsInterface: (_frame, interfaceId) => supportsInterface('ERC1155', interfaceId),
  setApprovalForAll(frame, operator, approved) {
    setOperator(frame, operator, approved);
    emit(frame, ERC1155_ABI, 'ApprovalForAll', { account: frame.sender, operator, approved });
  },
  safeTransferFrom(frame, from, to, id, amount) {
    requireApproved(frame, from);
    moveOne(frame, from, recipient(to), id, amount);
  },
  safeBatchTransferFrom(frame, from, to, ids, amounts) {
    if (ids.length !== amounts.length) throw new Revert('ERC1155: ids and amounts length mismatch');
    requireApproved(frame, from);
    ids.forEach((id, n) => transfer(frame, from, recipient(to), id, amounts[n]!));
    emit(frame, ERC1155_ABI, 'TransferBatch', { operator: frame.sender, from, to, ids, values: amounts });
  },
  mint(frame, to, id, amount) {
    requireMinter(frame);
    moveOne(frame, ZERO, recipient(to), id, amount);
  },
  mintTo(frame, to, id, uri, amount) {
    requireMinter(frame);
    // The maximum value requests a new id.
    const minted = id === MAX_UINT256 ? nextId(frame) : id;
    moveOne(frame, ZERO, recipient(to), minted, amount);
    frame.execution.write(slot(frame, 'uri', String(minted)), uri);
  },
  burn(frame, account, id, amount) {
    requireApproved(frame, account);
    moveOne(frame, account, ZERO, id, amount);
  },
});

function moveOne(frame: Frame, from: Hex, to: Hex, id: bigint, value: bigint): void {
  transfer(frame, from, to, id, value);
  emit(frame, ERC1155_ABI, 'TransferSingle', { operator: frame.sender, from, to, id, value });
}

function transfer(frame: Frame, from: Hex, to: Hex, id: bigint, units: bigint): void {
  frame.execution.move({ from, to, asset: assetIn(frame, id), units }, insufficientBalance);
}

function requireApproved(frame: Frame, owner: Hex): void {
  if (sameHex(owner, frame.sender) || isOperator(frame, owner, frame.sender)) return;
  throw new Revert('ERC1155: caller is not token owner or approved', 155206);
}

function recipient(to: Hex): Hex {
  if (sameHex(to, ZERO)) throw new Revert('ERC1155: transfer to the zero address');
  return to;
}

function assetIn({ contract }: Frame, id: bigint): string {
  return assetOf(contract.tokenId ?? '', String(id));
}

const insufficientBalance = () => new Revert('ERC1155: insufficient balance for transfer', 155205);
