import type { AbiFunction, Hex } from 'viem';
import { encodeFunctionData, parseAbiItem, toFunctionSignature } from 'viem/utils';
import { AbiArgumentError, abiArgument } from './abiArguments';
import { CallDataError } from './callDataError';

/** A contract call in one of its two forms. */
export interface CallForm {
  abiFunctionSignature?: string | undefined;
  abiParameters?: readonly unknown[] | undefined;
  callData?: string | undefined;
}

const ENCODE_REMEDY = 'correct the values, or give the encoded call as callData';

/** The data of a call, in whatever form it is given. @throws CallDataError */
export function callDataOf({ abiFunctionSignature = '', abiParameters = [], callData }: CallForm): Hex {
  if (callData !== undefined) return callData.toLowerCase() as Hex;
  const item = functionOf(abiFunctionSignature);
  const { inputs } = item;
  if (abiParameters.length !== inputs.length) {
    throw new CallDataError(
      'abiParameters',
      `has ${abiParameters.length} values, but the function has ${inputs.length} parameters`,
      'give one value for each type of abiFunctionSignature, in its order',
    );
  }
  const args = inputs.map((input, index) => argumentOf(input, abiParameters[index], index));
  return encoded(item, args);
}

/** An error of the encoder is final: the same values would lead to it again. */
function encoded(item: AbiFunction, args: readonly unknown[]): Hex {
  try {
    // Bytes keep the case in which they were written.
    return encodeFunctionData({ abi: [item], args }).toLowerCase() as Hex;
  } catch {
    throw new CallDataError('abiParameters', 'cannot be encoded for the function', ENCODE_REMEDY);
  }
}

/**
 * Only the canonical form is accepted: how the API reads other forms is not published, and the call must be the one that is
 * decoded.
 */
function functionOf(signature: string): AbiFunction {
  const item = parsed(signature);
  const canonical = item && toFunctionSignature(item);
  if (item && canonical === signature) return item;
  throw new CallDataError(
    'abiFunctionSignature',
    'is not the canonical signature of a function',
    canonical === undefined
      ? 'write the name and the types without names or spaces, such as transfer(address,uint256)'
      : `write ${canonical}`,
  );
}

function parsed(signature: string): AbiFunction | undefined {
  try {
    return parseAbiItem(`function ${signature}` as string) as AbiFunction;
  } catch {
    return undefined;
  }
}

function argumentOf(input: AbiFunction['inputs'][number], value: unknown, index: number): unknown {
  try {
    return abiArgument(input, value, [index + 1]);
  } catch (error) {
    if (!(error instanceof AbiArgumentError)) throw error;
    const [position, ...within] = error.path;
    const at = within.length === 0 ? '' : `, entry ${within.join('.')},`;
    const remedy = 'correct the value; write whole numbers as strings of digits, and tuples as lists';
    throw new CallDataError('abiParameters', `value ${position}${at} is not of the type ${error.type}`, remedy);
  }
}
