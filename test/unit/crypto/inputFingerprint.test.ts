import fc from 'fast-check';
import { inputFingerprint } from '../../../src/crypto/inputFingerprint';
import { foreignRing, newRing, oldRing, rotatedRing } from './support';

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
      const fingerprint = inputFingerprint(input, oldRing());
      expect(fingerprint).toMatch(/^[\w-]{43}$/);
      expect(inputFingerprint(reversed(input) as object, rotatedRing())).toBe(fingerprint);
      expect(inputFingerprint(JSON.parse(JSON.stringify(input)) as object, newRing())).toBe(fingerprint);
    }),
  );
});

test('a fingerprint differs by input and identity key, but not between a missing and an undefined field', () => {
  const ring = rotatedRing();
  const input = { amount: '10.50', to: ['a', 'b'] };
  const others = [
    inputFingerprint({ ...input, amount: '10.5' }, ring),
    inputFingerprint({ ...input, to: ['b', 'a'] }, ring),
    inputFingerprint({ ...input, memo: null }, ring),
    inputFingerprint(input, foreignRing()),
  ];
  expect(new Set([inputFingerprint(input, ring), ...others]).size).toBe(5);
  expect(inputFingerprint({ ...input, memo: undefined }, ring)).toBe(inputFingerprint(input, ring));
});

test('a fingerprint never changes, since memos of running flows contain it', () => {
  expect(inputFingerprint({ b: [1, 'é'], a: null }, oldRing())).toBe('qDZlMinkpca3Q3Dfp5R_TOxiG6RmlFpV06WwNQAAlgs');
});
