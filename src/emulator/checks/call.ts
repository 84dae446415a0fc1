import type { AbiFunction, Hex } from 'viem';
import { encodeFunctionData, parseAbiItem, size } from 'viem/utils';
import { checkAddress, checksumAddress } from '../../crypto/addresses';
import { type Blockchain, type Chain, CHAINS } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import { BLOCK_GAS_LIMIT, GAS, nativeDecimals } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { abiValues } from '../evm/abiValues';
import { movementOf } from '../evm/execution';
import { Revert } from '../evm/revert';
import { type EvmCall, simulateCall } from '../evm/simulateCall';
import { accountOf, assetOf, type Movement } from '../ledger/ledger';
import { nativeToken } from '../ledger/tokens';
import type { Sender } from '../wallets/sender';
import type { Action } from '../world/evmAction';
import type { World } from '../world/world';
import { requireDecimals } from './decimals';

export interface CallFields {
  contractAddress: string;
  abiFunctionSignature?: string | undefined;
  abiParameters?: unknown[] | undefined;
  callData?: string | undefined;
  amount?: string | number | undefined;
}

export interface ContractCall {
  action: Action;
  /** The native value sent along, if any. */
  movements: Movement[];
  /** What the call itself would take from the sender in the current state. Reserved until it is executed. */
  reserved: Movement[];
  gas: bigint;
  /** Set if the call would revert in the current state. */
  reverted: Revert | undefined;
}

const CALL_DATA = /^0x(?:[0-9a-f]{2})*$/i;

/**
 * Checks a contract call and simulates it.
 * @throws ApiErrorResponse 155510 no contracts on this blockchain, 155219 not an address, 155209 parameters can't be
 * encoded, 155245, 155207, 2
 */
export function callOf(world: World, sender: Sender, body: CallFields): ContractCall {
  const { blockchain, account: from, address } = sender;
  requireContracts(sender);
  if (checkAddress('evm', body.contractAddress) !== undefined) throw new ApiErrorResponse(155219);
  const data = callDataOf(body);
  const value = valueOf(body.amount, nativeDecimals(blockchain));
  const to = checksumAddress(body.contractAddress) as Hex;
  const caller = checksumAddress(address) as Hex;
  const simulation = simulate(world, { blockchain, sender: caller, to, data, value });
  const asset = assetOf(nativeToken(world.store, blockchain).id);
  return {
    action: { type: 'call', to, data, value },
    movements: value === 0n ? [] : [{ from, to: accountOf(blockchain, to), asset, units: value }],
    reserved: simulation.movements.filter((movement) => movement.from === from),
    gas: requireBlockGas(GAS.call + GAS.callByte * BigInt(size(data)) + GAS.callLog * simulation.extraLogs),
    reverted: simulation.reverted,
  };
}

/** @throws ApiErrorResponse `code` (155210 by default) if the blockchain's nodes can't be reached */
export function requireReachable({ evm }: World, blockchain: Blockchain, code = 155210): void {
  if (evm.unreachable.has(blockchain)) throw new ApiErrorResponse(code);
}

/** @throws ApiErrorResponse if the call would revert, with the code and the contract's reason */
export function requireNoRevert({ reverted }: Pick<ContractCall, 'reverted'>): void {
  if (reverted) throw new ApiErrorResponse(reverted.code, { message: `The call reverts: ${reverted.message}` });
}

function simulate(world: World, call: EvmCall): { movements: Movement[]; extraLogs: bigint; reverted?: Revert } {
  try {
    const { transfers, logs } = simulateCall(world, call).execution;
    const movements = transfers.map((transfer) => movementOf(call.blockchain, transfer));
    return { movements, extraLogs: BigInt(Math.max(0, logs.length - 1)) };
  } catch (error) {
    if (error instanceof Revert) return { movements: [], extraLogs: 0n, reverted: error };
    throw error;
  }
}

/** @throws ApiErrorResponse 155207 it needs more gas than a block has */
function requireBlockGas(gas: bigint): bigint {
  if (gas > BLOCK_GAS_LIMIT) throw new ApiErrorResponse(155207);
  return gas;
}

/**
 * Contracts exist on EVM blockchains only, and wallets of the generic `EVM` blockchain only sign:
 * docs/api-behavior.md#blockchains-wallets-and-tokens
 * @throws ApiErrorResponse 155510
 */
export function requireContracts({ blockchain }: Sender): void {
  const { family, transfers }: Chain = CHAINS[blockchain];
  if (family !== 'evm' || !transfers) throw new ApiErrorResponse(155510);
}

/** The gas of a deployment. @throws ApiErrorResponse 155207 */
export function deploymentGas(initCode: Hex): bigint {
  return requireBlockGas(GAS.deployment + GAS.deploymentByte * BigInt(size(initCode)));
}

/** Parses bytecode, with or without `0x`. @throws ApiErrorResponse 2 it is not hexadecimal */
export function bytecodeOf(text: string): Hex {
  const code = text.startsWith('0x') ? text : `0x${text}`;
  if (CALL_DATA.test(code)) return code as Hex;
  throw new ApiErrorResponse(2, { message: 'bytecode: must have an even number of hexadecimal digits' });
}

/** The call data of a request. @throws ApiErrorResponse 2 it is not hexadecimal, 155209 parameters can't be encoded */
export function callDataOf(body: Omit<CallFields, 'contractAddress'>): Hex {
  const { callData, abiFunctionSignature, abiParameters = [] } = body;
  if (callData !== undefined) {
    if (CALL_DATA.test(callData)) return callData as Hex;
    throw new ApiErrorResponse(2, { message: 'callData: must be 0x followed by an even number of hexadecimal digits' });
  }
  return encodeCall(parseFunction(abiFunctionSignature ?? ''), abiParameters);
}

/** @throws ApiErrorResponse 155209 it is not a function signature */
export function parseFunction(signature: string): AbiFunction {
  try {
    return parseAbiItem(`function ${signature}` as string) as AbiFunction;
  } catch {
    throw new ApiErrorResponse(155209);
  }
}

/** Encodes a function call. @throws ApiErrorResponse 155209 parameters do not match the types, or a type is unknown */
export function encodeCall(item: AbiFunction, parameters: readonly unknown[]): Hex {
  const args = abiValues(item.inputs, parameters);
  try {
    return encodeFunctionData({ abi: [item], args });
  } catch {
    throw new ApiErrorResponse(155209);
  }
}

function valueOf(amount: string | number | undefined, decimals: number): bigint {
  if (amount === undefined) return 0n;
  requireDecimals(String(amount), decimals, { code: 155245, field: 'amount', most: 'the native token has' });
  return toBaseUnits(String(amount), decimals);
}
