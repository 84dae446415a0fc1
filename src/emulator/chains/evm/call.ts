import type { AbiFunction, Hex } from 'viem';
import { decodeFunctionData, encodeFunctionResult, size, sliceHex, toFunctionSelector } from 'viem/utils';
import type { Blockchain } from '../../../domain/chains';
import type { World } from '../../world';
import { AIRDROP } from './airdrop';
import { codeAt } from './code';
import { MESSENGER, TRANSMITTER } from './crossChain';
import { ERC1155 } from './erc1155';
import { ERC20 } from './erc20';
import { ERC721 } from './erc721';
import { Execution } from './execution';
import type { NativeContract } from './native';
import { Revert } from './revert';
import type { CodeKind } from './state';

const NATIVE: Record<Exclude<CodeKind, 'opaque'>, NativeContract> = {
  ERC20,
  ERC721,
  ERC1155,
  airdrop: AIRDROP,
  messenger: MESSENGER,
  transmitter: TRANSMITTER,
};

export interface EvmCall {
  blockchain: Blockchain;
  sender: Hex;
  to: Hex;
  data: Hex;
  /** Base units of the native token. */
  value: bigint;
}

const SELECTOR_BYTES = 4;

/**
 * Tries a call out. What is at no contract, or at one whose code isn't known, succeeds and does nothing.
 * @throws Revert
 */
export function tryCall(
  world: World,
  { blockchain, sender, to, data, value }: EvmCall,
): {
  execution: Execution;
  returned: Hex;
} {
  const execution = new Execution(world, blockchain);
  const contract = codeAt(world, blockchain, to);
  if (!contract || contract.kind === 'opaque') return { execution, returned: '0x' };
  const { abi, functions } = NATIVE[contract.kind];
  const item = functionOf(abi, data);
  if (!item || value > 0n) throw new Revert('execution reverted');
  const run = functions[item.name];
  if (!run) throw new Error(`The contract has no function ${item.name}`);
  const result = run({ execution, contract, sender }, ...(argumentsOf(item, data) as never[]));
  return { execution, returned: encodeResult(item, result) };
}

/** The function that call data names by its selector. */
export function functionOf(abi: readonly { type: string }[], data: Hex): AbiFunction | undefined {
  if (size(data) < SELECTOR_BYTES) return undefined;
  const selector = sliceHex(data, 0, SELECTOR_BYTES);
  return abi.find((item): item is AbiFunction => {
    return item.type === 'function' && toFunctionSelector(item as AbiFunction) === selector;
  });
}

/** @throws Revert for a number above 256 bits: only what came in by controls can add up to that */
function encodeResult(item: AbiFunction, result: unknown): Hex {
  if (item.outputs.length === 0) return '0x';
  try {
    return encodeFunctionResult({ abi: [item], result } as never);
  } catch {
    throw new Revert('arithmetic overflow');
  }
}

function argumentsOf(item: AbiFunction, data: Hex): readonly unknown[] {
  try {
    return decodeFunctionData({ abi: [item], data }).args ?? [];
  } catch {
    throw new Revert('execution reverted');
  }
}
