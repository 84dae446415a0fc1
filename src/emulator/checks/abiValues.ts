import type { AbiParameter } from 'viem';
import { checkAddress, checksumAddress } from '../../crypto/addresses';
import { Refusal } from '../refusal';

type Named = AbiParameter & { components?: readonly AbiParameter[] };
/** Gives what viem encodes; undefined where the type does not take the value. `size`: bits of a number, bytes of others. */
type Reader = (value: unknown, size: number) => unknown;

/** No more digits than 256 bits have: longer texts are no numbers of any type, and slow to read. */
const DECIMAL = /^-?\d{1,78}$/;
const HEX_NUMBER = /^0x[0-9a-f]{1,64}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const ARRAY = /^(.*)\[(\d*)\]$/;
const BYTE_BITS = 8;
const BYTE_DIGITS = 2;
const WORD_BITS = 256;
/** Arrays and tuples in one another: no contract has more, and what packs them calls itself for each. */
const MOST_DEPTH = 64;

/**
 * Which values of JSON the types of Solidity take, by the type's name, which tells bits or bytes too. Nothing is taken
 * for something else: `["5"]`, `true` and a blank text are no numbers, 5 is no text.
 */
const READERS: readonly (readonly [type: RegExp, read: Reader])[] = [
  [/^uint(\d*)$/, (value, bits) => integerOf(value, bits, false)],
  [/^int(\d*)$/, (value, bits) => integerOf(value, bits, true)],
  [/^address$/, addressOf],
  [/^bool$/, booleanOf],
  [/^string$/, (value) => (typeof value === 'string' ? value : undefined)],
  [/^bytes$/, (value) => bytesOf(value)],
  [/^bytes(\d+)$/, (value, size) => bytesOf(value, size)],
];

/**
 * Values of JSON as viem encodes them by the types of an ABI. Arrays are taken by array types and, part by part, by
 * tuples; a tuple takes an object too, by the names of its parts.
 * @throws Refusal 155209: another number of values, or one that its type does not take
 */
export function abiValues(parameters: readonly AbiParameter[], values: readonly unknown[]): unknown[] {
  if (parameters.length !== values.length) {
    throw new Refusal(155209, { message: `${parameters.length} parameters are needed, ${values.length} are given` });
  }
  return parameters.map((parameter, n) => {
    const value = valueOf(parameter, values[n]);
    if (value === undefined) throw new Refusal(155209, { message: `Parameter ${n + 1} is no ${parameter.type}` });
    return value;
  });
}

/** Whether a type takes a value. */
export function takes(type: string, value: unknown): boolean {
  return valueOf({ type }, value) !== undefined;
}

function valueOf(parameter: Named, value: unknown, depth = 0): unknown {
  if (depth > MOST_DEPTH) return undefined;
  const [, element, length] = ARRAY.exec(parameter.type) ?? [];
  if (element !== undefined) {
    if (!Array.isArray(value) || (length && value.length !== Number(length))) return undefined;
    return allOf(value.map((part: unknown) => valueOf({ ...parameter, type: element }, part, depth + 1)));
  }
  if (parameter.type === 'tuple') return tupleOf(parameter.components ?? [], value, depth);
  for (const [type, read] of READERS) {
    const match = type.exec(parameter.type);
    if (match) return read(value, Number(match[1] || WORD_BITS));
  }
  return undefined;
}

function tupleOf(components: readonly AbiParameter[], value: unknown, depth: number): unknown[] | undefined {
  const parts = Array.isArray(value) ? (value as unknown[]) : partsOf(components, value);
  if (parts?.length !== components.length) return undefined;
  return allOf(components.map((component, n) => valueOf(component, parts[n], depth + 1)));
}

/** Parts of a tuple that is given as an object, in their order: all of them, and nothing else. */
function partsOf(components: readonly AbiParameter[], value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = new Map(Object.entries(value));
  const names = new Set(components.map(({ name }) => name ?? ''));
  if (names.size !== components.length || given.size !== names.size) return undefined;
  return [...names].map((name) => given.get(name));
}

function allOf(values: unknown[]): unknown[] | undefined {
  return values.includes(undefined) ? undefined : values;
}

/** A whole number that JSON keeps exactly, or a text in decimal or `0x` digits. */
function integerOf(value: unknown, bits: number, signed: boolean): bigint | undefined {
  const isNumber = Number.isSafeInteger(value);
  const isText = typeof value === 'string' && (DECIMAL.test(value) || HEX_NUMBER.test(value));
  const isType = bits > 0 && bits <= WORD_BITS && bits % BYTE_BITS === 0;
  if (!isType || !(isNumber || isText)) return undefined;
  const integer = BigInt(value as number | string);
  const kept = signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  return kept === integer ? integer : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

function addressOf(value: unknown): string | undefined {
  const isAddress = typeof value === 'string' && checkAddress('evm', value) === undefined;
  return isAddress ? checksumAddress(value) : undefined;
}

function bytesOf(value: unknown, size?: number): string | undefined {
  if (typeof value !== 'string' || !BYTES.test(value)) return undefined;
  return size === undefined || value.length === '0x'.length + size * BYTE_DIGITS ? value : undefined;
}
