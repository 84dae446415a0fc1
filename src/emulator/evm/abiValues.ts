import type { AbiParameter } from 'viem';
import { checkAddress, checksumAddress } from '../../crypto/addresses';
import { ApiErrorResponse } from '../errors/apiErrorResponse';

type Named = AbiParameter & { components?: readonly AbiParameter[] };
/**
 * Returns the value for viem to encode; undefined if the type does not accept it. `size`: bits of a number, bytes of
 * others.
 */
type Reader = (value: unknown, size: number) => unknown;

/** At most as many digits as 256 bits have: longer strings fit no type and are slow to parse. */
const DECIMAL = /^-?\d{1,78}$/;
const HEX_NUMBER = /^0x[0-9a-f]{1,64}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const ARRAY = /^(.*)\[(\d*)\]$/;
const BYTE_BITS = 8;
const BYTE_DIGITS = 2;
const WORD_BITS = 256;
/** Maximum nesting of arrays and tuples. Real contracts have less, and the encoder recurses once per level. */
const MAX_NESTING = 64;

/**
 * The JSON values that each Solidity type accepts, by the pattern of its name, which includes the bits or bytes.
 * Nothing is converted: `["5"]`, `true` and an empty string are not numbers, and 5 is not a string.
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
 * Converts JSON values to the values that viem encodes for the types of an ABI. A tuple accepts an array, or an object
 * with the names of its components.
 * @throws ApiErrorResponse 155209 the number of values differs, or a type does not accept its value
 */
export function abiValues(parameters: readonly AbiParameter[], values: readonly unknown[]): unknown[] {
  if (parameters.length !== values.length) {
    throw new ApiErrorResponse(155209, {
      message: `Expected ${parameters.length} parameters, got ${values.length}`,
    });
  }
  return parameters.map((parameter, n) => {
    const value = valueOf(parameter, values[n]);
    if (value === undefined)
      throw new ApiErrorResponse(155209, { message: `Parameter ${n + 1} is not a valid ${parameter.type}` });
    return value;
  });
}

/** Whether a type accepts a value. */
export function isAbiValue(type: string, value: unknown): boolean {
  return valueOf({ type }, value) !== undefined;
}

function valueOf(parameter: Named, value: unknown, depth = 0): unknown {
  if (depth > MAX_NESTING) return undefined;
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

/**
 * The components of a tuple passed as an object, in order. Undefined if one is missing or an unknown one is present.
 */
function partsOf(components: readonly AbiParameter[], value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map(Object.entries(value));
  const names = new Set(components.map(({ name }) => name ?? ''));
  if (names.size !== components.length || fields.size !== names.size) return undefined;
  return [...names].map((name) => fields.get(name));
}

function allOf(values: unknown[]): unknown[] | undefined {
  return values.includes(undefined) ? undefined : values;
}

/** Accepts an integer that JSON represents exactly, or a string with decimal or `0x` digits. */
function integerOf(value: unknown, bits: number, signed: boolean): bigint | undefined {
  const isNumber = Number.isSafeInteger(value);
  const isText = typeof value === 'string' && (DECIMAL.test(value) || HEX_NUMBER.test(value));
  const isType = bits > 0 && bits <= WORD_BITS && bits % BYTE_BITS === 0;
  if (!isType || !(isNumber || isText)) return undefined;
  const integer = BigInt(value as number | string);
  const wrapped = signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  return wrapped === integer ? integer : undefined;
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
