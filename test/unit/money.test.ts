import { compareDecimals, fromBaseUnits, isDecimal, sameDecimal, toBaseUnits } from '../../src/domain/money';

test.each([
  ['10', 10_000_000n],
  ['10.50', 10_500_000n],
  ['0.000001', 1n],
  ['.01', 10_000n],
  ['.000000', 0n],
  ['007', 7_000_000n],
])('%s with 6 decimals is %d base units', (text, units) => {
  expect(isDecimal(text)).toBe(true);
  expect(toBaseUnits(text, 6)).toBe(units);
  expect(sameDecimal(fromBaseUnits(units, 6), text)).toBe(true);
});

test.each(['', '.', '1.', '.e1', '1..2', '-.1', '+1', ' 1', '1e3', '0x1', '1,000', '١'])(
  '%j is not a decimal',
  (text) => {
    expect(isDecimal(text)).toBe(false);
    expect(() => toBaseUnits(text, 6)).toThrow(RangeError);
    expect(sameDecimal(text, text)).toBe(false);
  },
);

test('an amount is compared and never rounded, with or without a zero before the point', () => {
  expect(compareDecimals('.5', '0.50')).toBe(0);
  expect(compareDecimals('.05', '0.1')).toBeLessThan(0);
  expect(() => toBaseUnits('.0000001', 6)).toThrow('has 7 decimals, but the token has 6');
  expect(toBaseUnits('.0000010', 6)).toBe(1n);
});
