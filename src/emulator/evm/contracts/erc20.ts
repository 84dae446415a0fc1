import type { Hex } from 'viem';
import { ledgerUnitsOf, type TokenUnits } from '../../ledger/tokens';
import { MAX_UINT256, ZERO } from '../execution';
import { Revert } from '../revert';
import { ERC20_ABI } from './abis';
import { emit, type Frame, nativeContract, sameHex, slot, tokenOfContract } from './nativeContract';

/** Fungible tokens: USDC and EURC, which have no admin to mint them, and those of the token template. */
export const ERC20 = nativeContract(ERC20_ABI, {
  name: (frame) => tokenOfContract(frame).name ?? '',
  symbol: (frame) => tokenOfContract(frame).symbol ?? '',
  decimals: (frame) => tokenOfContract(frame).decimals ?? 0,
  totalSupply: (frame) => frame.execution.supply(unitsIn(frame).asset) / unitsIn(frame).scale,
  balanceOf: (frame, account) => frame.execution.balance(account, unitsIn(frame).asset) / unitsIn(frame).scale,
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

/** Deducts from the caller's allowance from `owner`. The maximum allowance is unlimited and is not deducted from. */
export function spend(frame: Frame, owner: Hex, value: bigint): void {
  const current = allowance(frame, owner, frame.sender);
  if (current < value) throw new Revert('ERC20: transfer amount exceeds allowance');
  if (current !== MAX_UINT256)
    frame.execution.write(allowanceSlot(frame, owner, frame.sender), String(current - value));
}

export function burnFrom(frame: Frame, account: Hex, amount: bigint): void {
  moveUnits(frame, { from: account, to: ZERO, value: amount }, 'burn');
  emit(frame, ERC20_ABI, 'Transfer', { from: account, to: ZERO, value: amount });
}

/** Mints without checking permission. Callers are the token's admin and the cross-chain protocol. */
export function mintTo(frame: Frame, to: Hex, amount: bigint): true {
  if (sameHex(to, ZERO)) throw new Revert('ERC20: mint to the zero address');
  moveUnits(frame, { from: ZERO, to, value: amount }, 'mint');
  emit(frame, ERC20_ABI, 'Transfer', { from: ZERO, to, value: amount });
  return true;
}

function mint(frame: Frame, to: Hex, amount: bigint): true {
  const { admin } = frame.contract;
  if (admin === undefined || !sameHex(admin, frame.sender)) throw new Revert('ERC20: caller is not a minter');
  return mintTo(frame, to, amount);
}

function move(frame: Frame, from: Hex, to: Hex, value: bigint): true {
  if (sameHex(to, ZERO)) throw new Revert('ERC20: transfer to the zero address');
  moveUnits(frame, { from, to, value }, 'transfer');
  emit(frame, ERC20_ABI, 'Transfer', { from, to, value });
  return true;
}

function setAllowance(frame: Frame, owner: Hex, spender: Hex, value: bigint): true {
  if (sameHex(spender, ZERO)) throw new Revert('ERC20: approve to the zero address');
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

function moveUnits(frame: Frame, { from, to, value }: { from: Hex; to: Hex; value: bigint }, operation: string): void {
  const { asset, scale } = unitsIn(frame);
  frame.execution.move(
    { from, to, asset, units: value * scale },
    () => new Revert(`ERC20: ${operation} amount exceeds balance`, 155205),
  );
}

function unitsIn(frame: Frame): TokenUnits {
  return ledgerUnitsOf(frame.execution.world.store, tokenOfContract(frame));
}
