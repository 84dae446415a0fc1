import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { MAX_JSON_DEPTH } from './domain/json';

/**
 * - `malformed`    not JSON (RFC 8259), or nested deeper than `MAX_JSON_DEPTH`
 * - `doubledName`  an object has a name twice: two readers may choose different values
 */
export type JsonTextProblem = 'malformed' | 'doubledName';

/** Bytes as text, including a byte order mark; undefined if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON without loss. A number that a double cannot hold exactly, such as an integer of twenty digits, stays text:
 * `JSON.parse` would round it, and would keep the last of two values with the same name.
 */
export function parseExactJson(text: string): { value: unknown } | JsonTextProblem {
  try {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { disallowComments: true });
    if (!root || errors.length > 0) return 'malformed';
    return { value: valueOf(root, text, 0) };
  } catch (error) {
    if (error instanceof DoubledNameError) return 'doubledName';
    // The parser does not limit nesting, so very deep nesting exceeds the call stack.
    if (error instanceof RangeError) return 'malformed';
    throw error;
  }
}

class DoubledNameError extends Error {}

/** @throws DoubledNameError; RangeError for deep nesting */
function valueOf({ type, children = [], value, offset, length }: Node, text: string, depth: number): unknown {
  if (depth >= MAX_JSON_DEPTH && (type === 'object' || type === 'array')) {
    throw new RangeError(`More than ${MAX_JSON_DEPTH} levels`);
  }
  switch (type) {
    case 'object': {
      const members = children.map(({ children: [name, member] = [] }) => {
        return [name!.value as string, valueOf(member!, text, depth + 1)] as const;
      });
      const object = Object.fromEntries(members);
      if (Object.keys(object).length < members.length) throw new DoubledNameError();
      return object;
    }
    case 'array':
      return children.map((child) => valueOf(child, text, depth + 1));
    case 'number':
      return exactNumber(text.slice(offset, offset + length));
    default:
      return value as unknown;
  }
}

/** The number, or its text if it is an integer beyond 2^53, or if the nearest double has another value. */
function exactNumber(text: string): number | string {
  const number = Number(text);
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return text;
  return canonical(String(number)) === canonical(text) ? number : text;
}

/** One form for all notations of a decimal number: sign, digits without zeros at their ends, power of ten. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}
