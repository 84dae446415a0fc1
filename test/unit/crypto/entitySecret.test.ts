import fc from 'fast-check';
import { generateKeyPairSync } from 'node:crypto';
import { checkEntitySecret, decryptEntitySecret, encryptEntitySecret } from '../../../src/crypto/entitySecret';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SPKI_PEM = publicKey.export({ format: 'pem', type: 'spki' }).toString();
/** The API's format: SPKI in the armour of PKCS#1. */
const API_PEM = SPKI_PEM.replaceAll('PUBLIC KEY', 'RSA PUBLIC KEY');
const SECRET = '0123456789abcdef'.repeat(4);

const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));

test('a secret can be encrypted and decrypted with either armour', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.constantFrom(SPKI_PEM, API_PEM, API_PEM.replaceAll('\n', '\r\n'), API_PEM.trim()),
      (secret, pem) => {
        expect(decryptEntitySecret(encryptEntitySecret(secret, pem), privateKey)).toBe(secret);
      },
    ),
    { numRuns: 30 },
  );
  expect(decryptEntitySecret(encryptEntitySecret(SECRET.toUpperCase(), API_PEM), privateKey)).toBe(SECRET);
});

test('the encryption is RSA-OAEP with SHA-256 for hash and MGF1 over the raw bytes, as in WebCrypto', async () => {
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['decrypt']);
  const raw = await crypto.subtle.decrypt('RSA-OAEP', key, Buffer.from(encryptEntitySecret(SECRET, API_PEM), 'base64'));
  expect(Buffer.from(raw).toString('hex')).toBe(SECRET);
});

test('every call returns another ciphertext', () => {
  expect(new Set(Array.from({ length: 20 }, () => encryptEntitySecret(SECRET, API_PEM))).size).toBe(20);
});

test('a value that is not a ciphertext of 32 bytes decrypts to undefined', async () => {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const key = await crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
  const short = Buffer.from(await crypto.subtle.encrypt('RSA-OAEP', key, Buffer.alloc(31))).toString('base64');
  const changed = Buffer.from(encryptEntitySecret(SECRET, API_PEM), 'base64');
  changed[9]! ^= 1;
  for (const text of ['', 'no base64!', SECRET, short, changed.toString('base64')]) {
    expect(decryptEntitySecret(text, privateKey)).toBeUndefined();
  }
});

test('the error for an invalid secret does not repeat it', () => {
  expect(checkEntitySecret(SECRET)).toBeUndefined();
  for (const invalid of ['', 'g'.repeat(64), SECRET.slice(1), `${SECRET}\n`, `0x${SECRET}`]) {
    expect(checkEntitySecret(invalid)).toContain(
      `entity secret: must be 64 hexadecimal characters (32 bytes), got ${invalid.length}`,
    );
    expect(() => encryptEntitySecret(invalid, API_PEM)).toThrow('entity secret: ');
  }
  expect(checkEntitySecret(SECRET.slice(1))).not.toContain(SECRET.slice(1, 9));
});

test('an invalid public key leads to an error that names it', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ format: 'pem', type: 'spki' })
    .toString();
  for (const invalid of ['', 'nonsense', SPKI_PEM.slice(0, 100), ec]) {
    expect(() => encryptEntitySecret(SECRET, invalid)).toThrow('entity public key: is not an RSA public key');
  }
});
