/**
 * Amounts are decimal strings in every interface and BigInt in calculations, never floating-point numbers. A decimal
 * string has digits and an optional fraction, and no sign, exponent, separator or space: `10`, `0.000001`, `.5`.
 */
const DECIMAL = /^(?:\d+|\d*\.\d+)$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/**
 * `10.5` with 6 decimals → `10500000n`.
 * @throws RangeError if the text is not a decimal or has more decimals than the token: amounts are never rounded
 */
export function toBaseUnits(amount: string, decimals: number): bigint {
  if (!isDecimal(amount)) throw new RangeError(`"${amount}" is not a decimal amount; write digits like "10.50"`);
  const significant = significantFraction(amount);
  if (significant.length > decimals) {
    throw new RangeError(`"${amount}" has ${significant.length} decimals, but the token has ${decimals}`);
  }
  const [whole = ''] = amount.split('.');
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/** `0.0100` has 2: zeros at the end do not count. */
export function countDecimals(amount: string): number {
  return significantFraction(amount).length;
}

function significantFraction(amount: string): string {
  const [, fraction = ''] = amount.split('.');
  return fraction.replace(/0+$/, '');
}

/** `10500000n` with 6 decimals → `10.5`: without trailing zeros. */
export function fromBaseUnits(units: bigint, decimals: number): string {
  const { sign, whole, fraction } = digitsOf(units, decimals);
  const significant = fraction.replace(/0+$/, '');
  return `${sign}${whole}${significant && `.${significant}`}`;
}

/** `1050n` with 2 decimals → `10.50`: with all decimals, as fiat amounts are written. */
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

/**
 * Compares two decimal strings with any number of decimals.
 * @returns a negative number, zero or a positive number if `a` is less than, equal to or greater than `b`
 */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(a.split('.')[1]?.length ?? 0, b.split('.')[1]?.length ?? 0);
  const difference = toBaseUnits(a, scale) - toBaseUnits(b, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function sameDecimal(a: string, b: string): boolean {
  return isDecimal(a) && isDecimal(b) && compareDecimals(a, b) === 0;
}
