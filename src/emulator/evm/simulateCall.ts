import type { AbiFunction, Hex } from 'viem';
import { decodeFunctionData, encodeFunctionResult, size, sliceHex, toFunctionSelector } from 'viem/utils';
import type { Blockchain } from '../../domain/chains';
import type { ContractKind } from '../world/evmAction';
import type { World } from '../world/world';
import { codeAt } from './contractCode';
import { AIRDROP } from './contracts/airdrop';
import { MESSENGER, TRANSMITTER } from './contracts/cctpContracts';
import { ERC1155 } from './contracts/erc1155';
import { ERC20 } from './contracts/erc20';
import { ERC721 } from './contracts/erc721';
import type { NativeContract } from './contracts/nativeContract';
import { Execution } from './execution';
import { Revert } from './revert';

const NATIVE_CONTRACTS: Record<Exclude<ContractKind, 'opaque'>, NativeContract> = {
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
 * Simulates a call. A call to an address without a contract, or to an opaque contract, succeeds and does nothing.
 * @throws Revert
 */
export function simulateCall(
  world: World,
  { blockchain, sender, to, data, value }: EvmCall,
): {
  execution: Execution;
  returned: Hex;
} {
  const execution = new Execution(world, blockchain);
  const contract = codeAt(world, blockchain, to);
  if (!contract || contract.kind === 'opaque') return { execution, returned: '0x' };
  const { abi, functions } = NATIVE_CONTRACTS[contract.kind];
  const item = functionOf(abi, data);
  if (!item || value > 0n) throw new Revert('execution reverted');
  const run = functions[item.name];
  if (!run) throw new Error(`The contract has no function ${item.name}`);
  const result = run({ execution, contract, sender }, ...(argumentsOf(item, data) as never[]));
  return { execution, returned: encodeResult(item, result) };
}

/** The function whose selector starts the call data; undefined if the ABI has no such function. */
export function functionOf(abi: readonly { type: string }[], data: Hex): AbiFunction | undefined {
  if (size(data) < SELECTOR_BYTES) return undefined;
  const selector = sliceHex(data, 0, SELECTOR_BYTES);
  return abi.find((item): item is AbiFunction => {
    return item.type === 'function' && toFunctionSelector(item as AbiFunction) === selector;
  });
}

/** @throws Revert if a number exceeds 256 bits, which only balances created by controls can add up to */
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
