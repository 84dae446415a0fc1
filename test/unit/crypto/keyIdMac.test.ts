import fc from 'fast-check';
import { isGenuineKeyId, keyIdMac } from '../../../src/crypto/keyIdMac';
import { foreignRing, newRing, oldRing } from './support';

test('every process of the installation recognizes a key id, even one whose ring lacks the key', () => {
  fc.assert(
    fc.property(fc.string(), (keyId) => {
      expect(isGenuineKeyId(keyId, keyIdMac(keyId, newRing()), oldRing())).toBe(true);
    }),
  );
});

test('a MAC of another identity key, of another id, or with a changed character is refused', () => {
  const mac = keyIdMac('2026-11', newRing());
  expect(isGenuineKeyId('2026-11', keyIdMac('2026-11', foreignRing()), oldRing())).toBe(false);
  expect(isGenuineKeyId('2026-12', mac, oldRing())).toBe(false);
  expect(isGenuineKeyId('2026-11', '', oldRing())).toBe(false);
  fc.assert(
    fc.property(fc.nat(mac.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
      fc.pre(mac[at] !== character);
      expect(isGenuineKeyId('2026-11', mac.slice(0, at) + character + mac.slice(at + 1), oldRing())).toBe(false);
    }),
  );
});

test('any text is refused without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) =>
      expect(isGenuineKeyId('2026-11', text, oldRing())).toBe(false),
    ),
  );
});
