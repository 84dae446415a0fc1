import type { AbiParameter } from 'viem';
import { checkAddress } from '../crypto/addresses';
import { MAX_JSON_DEPTH } from '../domain/json';

const INTEGER = /^(u?)int(\d+)$/;
const FIXED_BYTES = /^bytes(\d+)$/;
const ARRAY = /^(.*)\[(\d*)\]$/;
/** In the form in which the API shows a number, so that it can be compared. At most as many digits as 256 bits have. */
const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,77})$/;
/** The encoder takes another text than one with a lower-case `0x` for characters, and encodes those. */
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;

/** A JSON value does not fit its type. The path has the positions in lists, from 1. */
export class AbiArgumentError extends Error {
  override readonly name = 'AbiArgumentError';

  constructor(
    readonly path: readonly number[],
    readonly type: string,
  ) {
    super(`is not of the type ${type}`);
  }
}

/**
 * The value for viem to encode for a JSON value. A whole number is a text of digits, or a number that JavaScript represents
 * exactly. A tuple is a list. @throws AbiArgumentError
 */
export function abiArgument(parameter: AbiParameter, value: unknown, path: readonly number[]): unknown {
  const { type } = parameter;
  const [, element, length] = ARRAY.exec(type) ?? [];
  if (element !== undefined) {
    const parts = listOf(value, { type, path, length: length ? Number(length) : undefined });
    return parts.map((part, index) => abiArgument({ ...parameter, type: element }, part, [...path, index + 1]));
  }
  if (type === 'tuple') {
    const { components } = parameter as { components: readonly AbiParameter[] };
    const parts = listOf(value, { type, path, length: components.length });
    return parts.map((part, index) => abiArgument(components[index]!, part, [...path, index + 1]));
  }
  const argument = elementaryArgument(type, value);
  if (argument === undefined) throw new AbiArgumentError(path, type);
  return argument;
}

interface ListShape {
  type: string;
  path: readonly number[];
  /** Undefined: any. */
  length: number | undefined;
}

function listOf(value: unknown, { type, path, length = (value as unknown[])?.length }: ListShape): unknown[] {
  if (Array.isArray(value) && value.length === length && path.length <= MAX_JSON_DEPTH) return value as unknown[];
  throw new AbiArgumentError(path, type);
}

/** @returns undefined if the type does not take the value */
function elementaryArgument(type: string, value: unknown): unknown {
  const [, unsigned, bits] = INTEGER.exec(type) ?? [];
  if (bits !== undefined) return integerOf(value, { isSigned: unsigned === '', bits: Number(bits) });
  if (type === 'bool') return typeof value === 'boolean' ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'string') return value;
  if (type === 'address') return checkAddress('evm', value) === undefined ? value.toLowerCase() : undefined;
  const [, size] = FIXED_BYTES.exec(type) ?? [];
  const isSized = size === undefined ? type === 'bytes' : value.length === '0x'.length + 2 * Number(size);
  return isSized && BYTES.test(value) ? value : undefined;
}

function integerOf(value: unknown, { isSigned, bits }: { isSigned: boolean; bits: number }): bigint | undefined {
  const isExact = typeof value === 'string' ? WHOLE_NUMBER.test(value) : Number.isSafeInteger(value);
  if (!isExact) return undefined;
  const integer = BigInt(value as string | number);
  return (isSigned ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer)) === integer ? integer : undefined;
}
