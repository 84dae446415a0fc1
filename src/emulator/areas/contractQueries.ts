import type { Abi, AbiFunction, Hex } from 'viem';
import { decodeFunctionResult, toFunctionSelector } from 'viem/utils';
import { checksumAddress } from '../../crypto/addresses';
import type { Handlers } from '../area';
import { functionOf, tryCall } from '../chains/evm/call';
import { codeAt } from '../chains/evm/code';
import { ZERO } from '../chains/evm/execution';
import { Revert } from '../chains/evm/revert';
import { parseAbiJson } from '../checks/abi';
import { callDataOf, packed, parseFunction, requireReachable, type CallFields } from '../checks/call';
import { requireContractAddress, requireKeyKind } from '../checks/source';
import { findContract, knownAbi, requireUsable } from '../contractLibrary';
import { Refusal } from '../refusal';

/** The part of the contracts area that reads the state of contracts. */
export const contractQueries: Pick<Handlers<'contracts'>, 'queryContract'> = {
  queryContract({ world, body }) {
    const { blockchain, fromAddress = ZERO } = body;
    requireKeyKind(world, blockchain);
    requireContractAddress(body.address);
    requireContractAddress(fromAddress);
    requireReachable(world, blockchain, 175012);
    const contract = findContract(world, blockchain, body.address);
    if (contract) requireUsable(world, contract);
    const code = codeAt(world, blockchain, body.address);
    if (!code) throw new Refusal(175005);

    const abi =
      body.abiJson === undefined ? ((contract && knownAbi(contract)) ?? code.abi) : parseAbiJson(body.abiJson);
    const { item, data } = readingOf(abi, body);
    const to = checksumAddress(body.address) as Hex;
    try {
      const sender = checksumAddress(fromAddress) as Hex;
      const outputData = tryCall(world, { blockchain, sender, to, data, value: 0n }).returned;
      return { body: { data: { outputData, outputValues: item ? valuesOf(item, outputData) : [] } } };
    } catch (error) {
      if (error instanceof Revert) throw new Refusal(177901, { message: `The query reverts: ${error.message}` });
      throw error;
    }
  },
};

/** What is asked, and the function that answers it; that one is not known where there is only call data and no ABI. */
function readingOf(
  abi: Abi | undefined,
  body: Omit<CallFields, 'contractAddress'>,
): { item: AbiFunction | undefined; data: Hex } {
  if (!abi) {
    if (body.callData === undefined) throw new Refusal(175002);
    return { item: undefined, data: callDataOf(body) };
  }
  const { abiFunctionSignature, abiParameters = [] } = body;
  const item =
    abiFunctionSignature === undefined ? functionOf(abi, callDataOf(body)) : functionNamed(abi, abiFunctionSignature);
  if (!item) throw new Refusal(175010);
  if (item.stateMutability !== 'view' && item.stateMutability !== 'pure') throw new Refusal(175013);
  if (abiFunctionSignature === undefined) return { item, data: callDataOf(body) };
  return { item, data: packed(item, abiParameters) };
}

function functionNamed(abi: Abi, signature: string): AbiFunction | undefined {
  try {
    const selector = toFunctionSelector(parseFunction(signature));
    return abi.find((item): item is AbiFunction => item.type === 'function' && toFunctionSelector(item) === selector);
  } catch {
    return undefined;
  }
}

/** @throws Refusal 177901: the contract gave nothing, or not what its ABI says */
function valuesOf(item: AbiFunction, data: Hex): unknown[] {
  if (item.outputs.length === 0) return [];
  try {
    const decoded: unknown = decodeFunctionResult({ abi: [item], data });
    return (item.outputs.length === 1 ? [decoded] : (decoded as unknown[])).map(toJson);
  } catch {
    throw new Refusal(177901);
  }
}

/** Whole numbers as texts, as JSON has none of 256 bits. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toJson(part)]));
  }
  return value;
}
