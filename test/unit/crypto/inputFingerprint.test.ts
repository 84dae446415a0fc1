import fc from 'fast-check';
import { inputFingerprint } from '../../../src/crypto/inputFingerprint';
import { oldRing, rotatedRing } from './support';

/** The same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

const inputs = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

test('neither the order of fields nor a rotation changes a fingerprint', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const fingerprint = inputFingerprint(input, '2026-05', oldRing());
      expect(fingerprint).toMatch(/^[\w-]{43}$/);
      expect(inputFingerprint(reversed(input) as object, '2026-05', rotatedRing())).toBe(fingerprint);
      expect(inputFingerprint(JSON.parse(JSON.stringify(input)) as object, '2026-05', rotatedRing())).toBe(fingerprint);
    }),
  );
});

test('a fingerprint differs by input and key, but not between a missing and an undefined field', () => {
  const ring = rotatedRing();
  const input = { amount: '10.50', to: ['a', 'b'] };
  const others = [
    inputFingerprint({ ...input, amount: '10.5' }, '2026-05', ring),
    inputFingerprint({ ...input, to: ['b', 'a'] }, '2026-05', ring),
    inputFingerprint({ ...input, memo: null }, '2026-05', ring),
    inputFingerprint(input, '2026-11', ring),
  ];
  expect(new Set([inputFingerprint(input, '2026-05', ring), ...others]).size).toBe(5);
  expect(inputFingerprint({ ...input, memo: undefined }, '2026-05', ring)).toBe(
    inputFingerprint(input, '2026-05', ring),
  );
});

test('a fingerprint never changes, since memos of running flows contain it', () => {
  expect(inputFingerprint({ b: [1, 'é'], a: null }, '2026-05', oldRing())).toBe(
    'VPWJmKUrLE0L0Bl5Hjx5Z6pKbWYOGNVv8P0cxoQLeEo',
  );
});
