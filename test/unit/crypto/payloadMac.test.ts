import fc from 'fast-check';
import { isGenuinePayload, type MacInput, payloadMac } from '../../../src/crypto/payloadMac';
import { foreignRing, newRing, oldRing } from './support';

const payload: MacInput = { keyId: '2026-11', binding: '["default","id"]', ciphertext: Buffer.from('ciphertext') };

test('every process of the installation recognizes a payload, even one whose ring lacks the key', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.uint8Array(), (keyId, binding, ciphertext) => {
      const any = { keyId, binding, ciphertext };
      expect(isGenuinePayload(any, payloadMac(any, newRing()), oldRing())).toBe(true);
    }),
  );
});

test('a MAC of another identity key, or of another payload, is refused', () => {
  expect(isGenuinePayload(payload, payloadMac(payload, foreignRing()), oldRing())).toBe(false);
  const mac = payloadMac(payload, newRing());
  const others: Partial<MacInput>[] = [
    { keyId: '2026-12' },
    { binding: '["default","other"]' },
    { ciphertext: Buffer.from('Ciphertext') },
  ];
  for (const other of others) expect(isGenuinePayload({ ...payload, ...other }, mac, oldRing())).toBe(false);
});

test('any other text is refused without an error', () => {
  const mac = payloadMac(payload, oldRing());
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(text !== mac);
      expect(isGenuinePayload(payload, text, oldRing())).toBe(false);
    }),
  );
});
