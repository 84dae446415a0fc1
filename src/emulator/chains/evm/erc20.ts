import type { Hex } from 'viem';
import { assetOf } from '../../ledger';
import { ERC20_ABI } from './abis';
import { MAX_UINT256, ZERO } from './execution';
import { emit, native, same, slot, tokenOfContract, type Frame } from './native';
import { Revert } from './revert';

/** Fungible tokens: USDC and EURC, whose supply nobody of the emulator can mint, and those of the token template. */
export const ERC20 = native(ERC20_ABI, {
  name: (frame) => tokenOfContract(frame).name ?? '',
  symbol: (frame) => tokenOfContract(frame).symbol ?? '',
  decimals: (frame) => tokenOfContract(frame).decimals ?? 0,
  totalSupply: (frame) => frame.execution.supply(assetIn(frame)),
  balanceOf: (frame, account) => frame.execution.balance(account, assetIn(frame)),
  allowance: (frame, owner, spender) => allowance(frame, owner, spender),
  transfer: (frame, to, value) => move(frame, frame.sender, to, value),
  approve: (frame, spender, value) => setAllowance(frame, frame.sender, spender, value),
  transferFrom(frame, from, to, value) {
    spend(frame, from, value);
    return move(frame, from, to, value);
  },
  increaseAllowance: (frame, spender, increment) =>
    setAllowance(frame, frame.sender, spender, allowance(frame, frame.sender, spender) + increment),
  decreaseAllowance(frame, spender, decrement) {
    const current = allowance(frame, frame.sender, spender);
    if (current < decrement) throw new Revert('ERC20: decreased allowance below zero');
    return setAllowance(frame, frame.sender, spender, current - decrement);
  },
  mint: (frame, to, amount) => mint(frame, to, amount),
  mintTo: (frame, to, amount) => void mint(frame, to, amount),
  burn: (frame, amount) => burnFrom(frame, frame.sender, amount),
  burnFrom(frame, account, amount) {
    spend(frame, account, amount);
    burnFrom(frame, account, amount);
  },
});

/** Takes it from an allowance that `owner` has given to the caller. One of all bits is never used up. */
export function spend(frame: Frame, owner: Hex, value: bigint): void {
  const current = allowance(frame, owner, frame.sender);
  if (current < value) throw new Revert('ERC20: transfer amount exceeds allowance');
  if (current !== MAX_UINT256)
    frame.execution.write(allowanceSlot(frame, owner, frame.sender), String(current - value));
}

export function burnFrom(frame: Frame, account: Hex, amount: bigint): void {
  frame.execution.move({ from: account, to: ZERO, asset: assetIn(frame), units: amount }, tooLittle('burn'));
  emit(frame, ERC20_ABI, 'Transfer', { from: account, to: ZERO, value: amount });
}

/** Makes units out of nothing, for who may: the token's admin, or the cross-chain protocol. */
export function mintTo(frame: Frame, to: Hex, amount: bigint): true {
  if (same(to, ZERO)) throw new Revert('ERC20: mint to the zero address');
  frame.execution.move({ from: ZERO, to, asset: assetIn(frame), units: amount }, tooLittle('mint'));
  emit(frame, ERC20_ABI, 'Transfer', { from: ZERO, to, value: amount });
  return true;
}

function mint(frame: Frame, to: Hex, amount: bigint): true {
  const { admin } = frame.contract;
  if (admin === undefined || !same(admin, frame.sender)) throw new Revert('ERC20: caller is not a minter');
  return mintTo(frame, to, amount);
}

function move(frame: Frame, from: Hex, to: Hex, value: bigint): true {
  if (same(to, ZERO)) throw new Revert('ERC20: transfer to the zero address');
  frame.execution.move({ from, to, asset: assetIn(frame), units: value }, tooLittle('transfer'));
  emit(frame, ERC20_ABI, 'Transfer', { from, to, value });
  return true;
}

function setAllowance(frame: Frame, owner: Hex, spender: Hex, value: bigint): true {
  if (same(spender, ZERO)) throw new Revert('ERC20: approve to the zero address');
  if (value > MAX_UINT256) throw new Revert('ERC20: allowance overflow');
  frame.execution.write(allowanceSlot(frame, owner, spender), String(value));
  emit(frame, ERC20_ABI, 'Approval', { owner, spender, value });
  return true;
}

function allowance(frame: Frame, owner: Hex, spender: Hex): bigint {
  return BigInt(frame.execution.read(allowanceSlot(frame, owner, spender)) ?? 0);
}

function allowanceSlot(frame: Frame, owner: Hex, spender: Hex): string {
  return slot(frame, 'allowance', owner, spender);
}

function assetIn({ contract }: Frame): string {
  return assetOf(contract.tokenId ?? '');
}

const tooLittle = (what: string) => () => new Revert(`ERC20: ${what} amount exceeds balance`, 155205);
