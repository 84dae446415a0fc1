import fc from 'fast-check';
import { generateKeyPairSync } from 'node:crypto';
import { generateWebhookKey, signWebhook, verifyWebhook } from '../../../src/crypto/webhookSignature';

const { publicKey, privateKey } = generateWebhookKey();
const other = generateWebhookKey();

test('a signature is valid only for its bytes and key', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (body, position, mask) => {
      const signature = signWebhook(body, privateKey);
      expect(verifyWebhook(body, signature, publicKey)).toBe(true);
      expect(verifyWebhook(body, signature, other.publicKey)).toBe(false);
      const changed = Uint8Array.from(body);
      changed[position % body.length]! ^= mask;
      expect(verifyWebhook(changed, signature, publicKey)).toBe(false);
    }),
    { numRuns: 30 },
  );
});

test('the signature does not match a body that was parsed and serialized again', () => {
  const body = Buffer.from('{ "version": 2.0 }');
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  expect(verifyWebhook(rewritten, signWebhook(body, privateKey), publicKey)).toBe(false);
});

test('a malformed signature is invalid and not an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => expect(verifyWebhook(Buffer.from('body'), text, publicKey)).toBe(false)),
  );
});

test('the key is base64 of SPKI DER on P-256, and the signature is ASN.1', async () => {
  const spki = Buffer.from(publicKey, 'base64');
  await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
  expect(Buffer.from(signWebhook(Buffer.from('body'), privateKey), 'base64')[0]).toBe(0x30);
});

test('a key of another kind is an error and not an invalid signature', () => {
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'der', type: 'spki' });
  for (const bad of ['', 'AAAA', p384.toString('base64')]) {
    expect(() => verifyWebhook(Buffer.from('body'), 'AAAA', bad)).toThrow('webhook public key: is not a P-256 key');
  }
});
