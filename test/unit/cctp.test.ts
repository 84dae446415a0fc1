import { domainOf, feeOf, findDomain, isBasisPoints, normalizeNonce } from '../../src/domain/cctp';

test.each([
  ['1.3', 1_000_000_000n, 130_000n],
  ['1.3', 333_333_333n, 43_334n],
  // Floating-point arithmetic would give 331.
  ['1.1', 3_000_000n, 330n],
  ['1.3', 1n, 1n],
  ['0', 1_000_000n, 0n],
  ['10000', 7n, 7n],
])('%s basis points of %s are %s', (basisPoints, amount, fee) => {
  expect(feeOf(amount, basisPoints)).toBe(fee);
});

test.each([
  ['1', true],
  ['0.000001', true],
  ['0.0000001', false],
  ['-1', false],
  ['1e3', false],
])('%s is a fee in basis points: %s', (text, expected) => {
  expect(isBasisPoints(text)).toBe(expected);
});

const MAX = `0x${'f'.repeat(64)}`;
const ONE = `0x${'0'.repeat(63)}1`;

test.each([
  ['115792089237316195423570985008687907853269984665640564039457584007913129639935', MAX],
  [MAX.toUpperCase().replace('0X', '0x'), MAX],
  ['0x1', ONE],
  ['1', ONE],
  ['115792089237316195423570985008687907853269984665640564039457584007913129639936', undefined],
  [`${MAX}f`, undefined],
  ['abc', undefined],
  ['0x', undefined],
  ['', undefined],
  ['-1', undefined],
])('the nonce %s is %s', (text, nonce) => {
  expect(normalizeNonce(text)).toBe(nonce);
});

test.each([
  ['ETH', 0],
  ['BASE-SEPOLIA', 6],
  ['SOL-DEVNET', 5],
  ['APTOS', undefined],
])('%s has the domain %s', (blockchain, domain) => {
  expect(domainOf(blockchain)).toBe(domain);
});

test('domains that exist only in version 1 are unknown', () => {
  expect([4, 8, 9].map(findDomain)).toEqual([undefined, undefined, undefined]);
});
