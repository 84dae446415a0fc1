import type { AbiFunction, Hex } from 'viem';
import { encodeFunctionData, parseAbiItem, size } from 'viem/utils';
import { checkAddress, checksumAddress } from '../../crypto/addresses';
import { CHAINS, type Blockchain, type Chain } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import type { Action } from '../chains/evm/action';
import { tryCall, type EvmCall } from '../chains/evm/call';
import { movementOf } from '../chains/evm/execution';
import { Revert } from '../chains/evm/revert';
import { BLOCK_GAS, GAS, nativeDecimals } from '../chains/fees';
import { accountOf, assetOf, type Movement } from '../ledger';
import { Refusal } from '../refusal';
import { nativeToken } from '../tokens';
import type { World } from '../world';
import { abiValues } from './abiValues';
import type { Source } from './source';

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
  /** What the call itself takes from the sender, as far as that can be told now: set apart until it lands. */
  setAside: Movement[];
  gas: bigint;
  /** Why it would have no effect now. */
  reverted: Revert | undefined;
}

const CALL_DATA = /^0x(?:[0-9a-f]{2})*$/i;

/**
 * What a contract call consists of.
 * @throws Refusal 155510 no contracts here, 155219 no address, 155209 parameters can't be packed, 155245, 155207, 2
 */
export function callOf(world: World, source: Source, body: CallFields): ContractCall {
  const { blockchain, account: from, address } = source;
  requireContracts(source);
  if (checkAddress('evm', body.contractAddress) !== undefined) throw new Refusal(155219);
  const data = callDataOf(body);
  const value = valueOf(body.amount, nativeDecimals(blockchain));
  const to = checksumAddress(body.contractAddress) as Hex;
  const sender = checksumAddress(address) as Hex;
  const tried = tryOut(world, { blockchain, sender, to, data, value });
  const asset = assetOf(nativeToken(world.store, blockchain).id);
  return {
    action: { type: 'call', to, data, value },
    movements: value === 0n ? [] : [{ from, to: accountOf(blockchain, to), asset, units: value }],
    setAside: tried.movements.filter((movement) => movement.from === from),
    gas: requireGas(GAS.call + GAS.callByte * BigInt(size(data)) + GAS.callLog * tried.furtherLogs),
    reverted: tried.reverted,
  };
}

/** @throws Refusal 155210, or another code: the blockchain's nodes can't be reached (api-facts 7) */
export function requireReachable({ store }: World, blockchain: Blockchain, code = 155210): void {
  if (store.evm.outages.has(blockchain)) throw new Refusal(code);
}

/** @throws Refusal with the code of what makes a call revert, and the contract's own words */
export function requireEffect({ reverted }: Pick<ContractCall, 'reverted'>): void {
  if (reverted) throw new Refusal(reverted.code, { message: `The call reverts: ${reverted.message}` });
}

function tryOut(world: World, call: EvmCall): { movements: Movement[]; furtherLogs: bigint; reverted?: Revert } {
  try {
    const { transfers, logs } = tryCall(world, call).execution;
    const movements = transfers.map((transfer) => movementOf(call.blockchain, transfer));
    return { movements, furtherLogs: BigInt(Math.max(0, logs.length - 1)) };
  } catch (error) {
    if (error instanceof Revert) return { movements: [], furtherLogs: 0n, reverted: error };
    throw error;
  }
}

/** @throws Refusal 155207: no block has room for it */
function requireGas(gas: bigint): bigint {
  if (gas > BLOCK_GAS) throw new Refusal(155207);
  return gas;
}

/** @throws Refusal 155510: contracts are an EVM matter, and generic EVM wallets only sign (api-facts 3) */
export function requireContracts({ blockchain }: Source): void {
  const { family, transfers }: Chain = CHAINS[blockchain];
  if (family !== 'evm' || !transfers) throw new Refusal(155510);
}

/** Gas of a deployment. @throws Refusal 155207 */
export function deploymentGas(initCode: Hex): bigint {
  return requireGas(GAS.deployment + GAS.deploymentByte * BigInt(size(initCode)));
}

/** Byte code, with `0x` or without. @throws Refusal 2 when it is not hexadecimal */
export function bytecodeOf(text: string): Hex {
  const code = text.startsWith('0x') ? text : `0x${text}`;
  if (CALL_DATA.test(code)) return code as Hex;
  throw new Refusal(2, { message: 'bytecode: an even number of hexadecimal digits is needed' });
}

/** @throws Refusal 2 no hexadecimal, 155209 parameters can't be packed */
export function callDataOf(body: Omit<CallFields, 'contractAddress'>): Hex {
  const { callData, abiFunctionSignature, abiParameters = [] } = body;
  if (callData !== undefined) {
    if (CALL_DATA.test(callData)) return callData as Hex;
    throw new Refusal(2, { message: 'callData: 0x and an even number of hexadecimal digits are needed' });
  }
  return packed(parseFunction(abiFunctionSignature ?? ''), abiParameters);
}

/** @throws Refusal 155209: it is no signature */
export function parseFunction(signature: string): AbiFunction {
  try {
    return parseAbiItem(`function ${signature}` as string) as AbiFunction;
  } catch {
    throw new Refusal(155209);
  }
}

/** Call data of a function and its parameters. @throws Refusal 155209: they do not fit, or a type is none */
export function packed(item: AbiFunction, parameters: readonly unknown[]): Hex {
  const args = abiValues(item.inputs, parameters);
  try {
    return encodeFunctionData({ abi: [item], args });
  } catch {
    throw new Refusal(155209);
  }
}

function valueOf(amount: string | number | undefined, decimals: number): bigint {
  if (amount === undefined) return 0n;
  try {
    return toBaseUnits(String(amount), decimals);
  } catch {
    throw new Refusal(155245);
  }
}
