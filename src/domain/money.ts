/**
 * Amounts are decimal strings at every edge and BigInt inside; no amount is ever a double (DESIGN rule 14).
 * A decimal string is digits with an optional fraction and no sign, exponent, separator or blank: `10`, `0.000001`.
 */
const DECIMAL = /^\d+(?:\.\d+)?$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/**
 * `10.5` with 6 decimals → `10500000n`.
 * @throws RangeError when the text is no decimal or has more decimals than the token: an amount is never rounded.
 */
export function toBaseUnits(amount: string, decimals: number): bigint {
  if (!isDecimal(amount)) throw new RangeError(`"${amount}" is not a decimal amount; write digits like "10.50"`);
  const [whole = '0', fraction = ''] = amount.split('.');
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) {
    throw new RangeError(`"${amount}" has ${significant.length} decimals, but the token has ${decimals}`);
  }
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/** `10500000n` with 6 decimals → `10.5`: no trailing zeros, no trailing point. */
export function fromBaseUnits(units: bigint, decimals: number): string {
  const { sign, whole, fraction } = digitsOf(units, decimals);
  const significant = fraction.replace(/0+$/, '');
  return `${sign}${whole}${significant && `.${significant}`}`;
}

/** `1050n` with 2 decimals → `10.50`: every decimal written, as fiat amounts are. */
export function toFixedDecimals(units: bigint, decimals: number): string {
  const { sign, whole, fraction } = digitsOf(units, decimals);
  return `${sign}${whole}.${fraction}`;
}

function digitsOf(units: bigint, decimals: number): { sign: string; whole: string; fraction: string } {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  return {
    sign: units < 0n ? '-' : '',
    whole: digits.slice(0, digits.length - decimals),
    fraction: digits.slice(digits.length - decimals),
  };
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`; both decimal strings of any scale. */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(a.split('.')[1]?.length ?? 0, b.split('.')[1]?.length ?? 0);
  const difference = toBaseUnits(a, scale) - toBaseUnits(b, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function sameDecimal(a: string, b: string): boolean {
  return isDecimal(a) && isDecimal(b) && compareDecimals(a, b) === 0;
}
