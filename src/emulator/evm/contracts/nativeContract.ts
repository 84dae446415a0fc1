import type { Abi, AbiStateMutability, ContractFunctionArgs, ContractFunctionName, Hex } from 'viem';
import type { Token } from '../../ledger/resources';
import type { ContractCode } from '../../world/evmAction';
import type { Execution } from '../execution';
import { encodeLog, findEvent } from '../logs';
import { slotName } from '../state';

/** The context of one call of a contract. */
export interface Frame {
  execution: Execution;
  contract: ContractCode;
  /** The caller: `msg.sender`. */
  sender: Hex;
}

/** A contract whose functions the emulator implements instead of running bytecode. The functions throw `Revert`. */
export interface NativeContract {
  abi: Abi;
  functions: Readonly<Record<string, (frame: Frame, ...args: never[]) => unknown>>;
}

/** Type-checks a contract: one implementation for every function of its ABI, with the right arguments. */
export function nativeContract<const A extends Abi>(
  abi: A,
  functions: {
    [N in ContractFunctionName<A>]: (
      frame: Frame,
      ...args: Extract<ContractFunctionArgs<A, AbiStateMutability, N>, readonly unknown[]>
    ) => unknown;
  },
): NativeContract {
  return { abi, functions: functions as unknown as NativeContract['functions'] };
}

/** Logs an event of the contract's ABI. */
export function emit({ execution, contract }: Frame, abi: Abi, name: string, args: Record<string, unknown>): void {
  execution.log(encodeLog(contract.address, findEvent(abi, name), args));
}

export function tokenOfContract({ execution, contract }: Frame): Token {
  const token = execution.world.store.tokens.get(contract.tokenId ?? '');
  if (!token) throw new Error(`The contract ${contract.address} has no token`);
  return token;
}

/** The name of a storage slot of the contract. */
export function slot({ contract }: Frame, ...path: string[]): string {
  return slotName(contract.blockchain, contract.address, ...path);
}

/** Whether two addresses are the same. */
export function sameHex(a: Hex, b: Hex): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
