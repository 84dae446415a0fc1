import type { Abi, Hex } from 'viem';
import { encodeDeployData, parseAbiItem } from 'viem/utils';
import { Refusal } from '../refusal';
import { parseAbiJson } from './abi';
import { abiValues } from './abiValues';
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
 * Byte code with the encoded arguments of the constructor.
 * @throws Refusal 2 no hexadecimal, 175007 no ABI, 175002 neither ABI nor signature for the parameters, 175003 another
 * number of them, 155209 they don't fit
 */
export function initCodeOf({ bytecode = '', abiJson, constructorSignature, ...body }: DeploymentFields): Hex {
  const code = bytecodeOf(bytecode);
  const { constructorParameters: args = [] } = body;
  if (abiJson === undefined && constructorSignature === undefined && args.length > 0) throw new Refusal(175002);
  const item =
    constructorSignature === undefined
      ? constructorOf(abiJson === undefined ? [] : parseAbiJson(abiJson))
      : parseConstructor(constructorSignature);
  if (item.inputs.length !== args.length) throw new Refusal(175003);
  const values = abiValues(item.inputs, args);
  try {
    return encodeDeployData({ abi: [item], bytecode: code, args: values });
  } catch {
    throw new Refusal(155209);
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
    // No signature at all.
  }
  throw new Refusal(155209);
}
