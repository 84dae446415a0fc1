import type { Abi, Hex } from 'viem';
import { encodeDeployData, parseAbiItem } from 'viem/utils';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { parseAbiJson } from '../evm/abiJson';
import { abiValues } from '../evm/abiValues';
import { bytecodeOf } from './call';

export interface DeploymentFields {
  bytecode?: string | undefined;
  abiJson?: string | undefined;
  constructorSignature?: string | undefined;
  constructorParameters?: unknown[] | undefined;
}

type AbiConstructor = Extract<Abi[number], { type: 'constructor' }>;

const NO_PARAMETERS: AbiConstructor = { type: 'constructor', inputs: [], stateMutability: 'nonpayable' };

/**
 * Bytecode followed by the encoded constructor arguments.
 * @throws ApiErrorResponse 2 not hexadecimal, 175007 invalid ABI, 175002 parameters without ABI or signature, 175003
 * wrong number of parameters, 155209 parameters do not match the types
 */
export function initCodeOf({ bytecode = '', abiJson, constructorSignature, ...body }: DeploymentFields): Hex {
  const code = bytecodeOf(bytecode);
  const { constructorParameters: args = [] } = body;
  if (abiJson === undefined && constructorSignature === undefined && args.length > 0)
    throw new ApiErrorResponse(175002);
  const item =
    constructorSignature === undefined
      ? constructorOf(abiJson === undefined ? [] : parseAbiJson(abiJson))
      : parseConstructor(constructorSignature);
  if (item.inputs.length !== args.length) throw new ApiErrorResponse(175003);
  const values = abiValues(item.inputs, args);
  try {
    return encodeDeployData({ abi: [item], bytecode: code, args: values });
  } catch {
    throw new ApiErrorResponse(155209);
  }
}

function constructorOf(abi: Abi): AbiConstructor {
  const item = abi.find((entry): entry is AbiConstructor => entry.type === 'constructor');
  return item === undefined ? NO_PARAMETERS : { ...NO_PARAMETERS, ...item };
}

function parseConstructor(signature: string): AbiConstructor {
  try {
    const item = parseAbiItem(signature as string) as unknown as AbiConstructor;
    if (item.type === 'constructor') return item;
  } catch {
    // Not a signature.
  }
  throw new ApiErrorResponse(155209);
}
