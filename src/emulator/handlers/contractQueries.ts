import type { Abi, AbiFunction, Hex } from 'viem';
import { decodeFunctionResult, toFunctionSelector } from 'viem/utils';
import { checksumAddress } from '../../crypto/addresses';
import { callDataOf, type CallFields, encodeCall, parseFunction, requireReachable } from '../checks/call';
import { findContract, knownAbi, requireUsable } from '../contracts/contracts';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { parseAbiJson } from '../evm/abiJson';
import { codeAt } from '../evm/contractCode';
import { ZERO } from '../evm/execution';
import { Revert } from '../evm/revert';
import { functionOf, simulateCall } from '../evm/simulateCall';
import type { Handlers } from '../http/handler';
import { requireContractAddress, requireKeyKind } from '../wallets/sender';

/** The handler of the API's contract endpoints that reads a contract's state. */
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
    if (!code) throw new ApiErrorResponse(175005);

    const abi =
      body.abiJson === undefined ? ((contract && knownAbi(contract)) ?? code.abi) : parseAbiJson(body.abiJson);
    const { item, data } = encodeQuery(abi, body);
    const to = checksumAddress(body.address) as Hex;
    try {
      const sender = checksumAddress(fromAddress) as Hex;
      const outputData = simulateCall(world, { blockchain, sender, to, data, value: 0n }).returned;
      return { body: { data: { outputData, outputValues: item ? valuesOf(item, outputData) : [] } } };
    } catch (error) {
      if (error instanceof Revert)
        throw new ApiErrorResponse(177901, { message: `The query reverts: ${error.message}` });
      throw error;
    }
  },
};

/** Encodes the query and finds its function. The function is unknown if there is only call data and no ABI. */
function encodeQuery(
  abi: Abi | undefined,
  body: Omit<CallFields, 'contractAddress'>,
): { item: AbiFunction | undefined; data: Hex } {
  if (!abi) {
    if (body.callData === undefined) throw new ApiErrorResponse(175002);
    return { item: undefined, data: callDataOf(body) };
  }
  const { abiFunctionSignature, abiParameters = [] } = body;
  const item =
    abiFunctionSignature === undefined ? functionOf(abi, callDataOf(body)) : findFunction(abi, abiFunctionSignature);
  if (!item) throw new ApiErrorResponse(175010);
  if (item.stateMutability !== 'view' && item.stateMutability !== 'pure') throw new ApiErrorResponse(175013);
  if (abiFunctionSignature === undefined) return { item, data: callDataOf(body) };
  return { item, data: encodeCall(item, abiParameters) };
}

function findFunction(abi: Abi, signature: string): AbiFunction | undefined {
  try {
    const selector = toFunctionSelector(parseFunction(signature));
    return abi.find((item): item is AbiFunction => item.type === 'function' && toFunctionSelector(item) === selector);
  } catch {
    return undefined;
  }
}

/** @throws ApiErrorResponse 177901 the contract returned nothing, or not what its ABI declares */
function valuesOf(item: AbiFunction, data: Hex): unknown[] {
  if (item.outputs.length === 0) return [];
  try {
    const decoded: unknown = decodeFunctionResult({ abi: [item], data });
    return (item.outputs.length === 1 ? [decoded] : (decoded as unknown[])).map(toJson);
  } catch {
    throw new ApiErrorResponse(177901);
  }
}

/** Turns integers into strings, because JSON has no 256-bit numbers. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toJson(part)]));
  }
  return value;
}
