import fc from 'fast-check';
import { inspect } from 'node:util';
import { KeyFileError } from '../../../src/crypto/keyFile';
import { generateKeyRing, KeyRing, parseKeyRing, UnknownKeyError } from '../../../src/crypto/keyRing';
import { OLD_FILE, oldRing, ROTATED_FILE, rotatedRing } from './support';

const PURPOSES = ['idempotencyKey', 'refId', 'inputFingerprint', 'sessionRef', 'payloadMac'] as const;
const parse = (file: unknown) => parseKeyRing(JSON.stringify(file), '/run/keys.json');

describe('key ring file', () => {
  test('a generated file can be read, and its key id is the month', () => {
    const file = generateKeyRing(new Date('2026-11-27T10:00:00Z'));
    expect(file.current).toBe('2026-11');
    expect(parse(file).payloadKey('2026-11')).toHaveLength(32);
    const [one, two] = [generateKeyRing(new Date()), generateKeyRing(new Date())];
    expect(new Set([one, two].flatMap(({ identity, keys }) => [identity, ...Object.values(keys)])).size).toBe(4);
  });

  test('the current key is the first one', () => {
    expect(parse(ROTATED_FILE)).toMatchObject({ currentId: '2026-11', ids: ['2026-11', '2026-05'] });
  });

  test.each([
    ['invalid JSON', '{', 'Key ring /run/keys.json: is not JSON; restore the file'],
    ['a list', '[]', 'Key ring /run/keys.json: file: '],
    [
      'two identity keys',
      JSON.stringify(OLD_FILE).replace('{', `{"identity":"${generateKeyRing(new Date()).identity}",`),
      'Key ring /run/keys.json: has a name twice; keep one of the two',
    ],
    [
      'two keys with the same id',
      JSON.stringify(OLD_FILE).replace('"keys":{', `"keys":{"2026-05":"${generateKeyRing(new Date()).identity}",`),
      'Key ring /run/keys.json: has a name twice; keep one of the two',
    ],
    ['current missing', { ...OLD_FILE, current: undefined }, 'current: '],
    [
      'identity key missing',
      { ...OLD_FILE, identity: undefined },
      'identity: must be 32 bytes in base64; restore it from the key ring file of another process',
    ],
    ['short identity key', { ...OLD_FILE, identity: 'AAAA' }, 'identity: must be 32 bytes in base64; restore it'],
    [
      'current names a missing key',
      { ...OLD_FILE, current: '2027-01' },
      'current: is not the id of a key under "keys"; set it to',
    ],
    ['current names a built-in', { ...OLD_FILE, current: 'toString' }, 'current: is not the id of a key under "keys"'],
    [
      'short key',
      { ...OLD_FILE, current: 'a', keys: { a: 'AAAA' } },
      'keys.a: must be 32 bytes in base64; make one with: openssl',
    ],
    [
      'damaged key',
      { ...OLD_FILE, current: 'a', keys: { a: `*${OLD_FILE.keys['2026-05']}` } },
      'keys.a: must be 32 bytes in base64',
    ],
    [
      'bad key id',
      { ...OLD_FILE, current: 'a b', keys: { 'a b': OLD_FILE.keys['2026-05'] } },
      'keys.(name of 3 characters): must match',
    ],
    ['unknown field', { ...OLD_FILE, comment: 'x' }, 'file: has unknown fields; remove them: comment'],
  ])('%s is rejected with field and remedy', (_case, file, message) => {
    const read = () => parseKeyRing(typeof file === 'string' ? file : JSON.stringify(file), '/run/keys.json');
    expect(read).toThrow(KeyFileError);
    expect(read).toThrow(message);
  });

  test('every problem is reported at once without showing a key', () => {
    const secret = OLD_FILE.keys['2026-05']!;
    const files = [
      JSON.stringify({ current: 7, keys: { [secret]: '2026-05' }, [secret]: 1 }),
      `{"current": "a", "keys": {"a": "${secret}" "b"}}`,
    ];
    const messages = files.map((file) => {
      try {
        parseKeyRing(file, 'x');
      } catch (error) {
        return (error as Error).stack!;
      }
      throw new Error('was accepted');
    });
    expect(messages.join()).not.toContain(secret.slice(0, 8));
    expect(messages[0]!.split('\n').filter((line) => /^ {2}\S|^KeyFileError/.test(line)).length).toBeGreaterThanOrEqual(
      3,
    );
  });
});

describe('derived keys', () => {
  test.each([
    ['of the identity key', 1, 'refId', () => oldRing().identityKey('refId')],
    ['of a payload key', 5, 'payload', () => oldRing().payloadKey('2026-05')],
  ])('%s are HKDF-SHA256 of the key with the purpose as info', async (_case, byte, purpose, derived) => {
    const input = await crypto.subtle.importKey('raw', Buffer.alloc(32, byte), 'HKDF', false, ['deriveBits']);
    const info = Buffer.from(`walletflow/${purpose}`);
    const expected = await crypto.subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
      input,
      256,
    );
    expect(Buffer.from(derived())).toEqual(Buffer.from(expected));
  });

  test('are the same in every process and after a rotation, and differ by id and purpose', () => {
    const ring = rotatedRing();
    expect(ring.payloadKey('2026-05')).toEqual(oldRing().payloadKey('2026-05'));
    expect(ring.identityKey('sessionRef')).toEqual(oldRing().identityKey('sessionRef'));
    const keys = [
      ...ring.ids.map((id) => ring.payloadKey(id)),
      ...PURPOSES.map((purpose) => ring.identityKey(purpose)),
    ];
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(2 + PURPOSES.length);
  });

  test('fail for an unknown key with an error that names it and the remedy', () => {
    expect(() => oldRing().payloadKey('2026-11')).toThrow(UnknownKeyError);
    expect(() => oldRing().payloadKey('2026-11')).toThrow(
      'The key ring has no key "2026-11"; it has 2026-05. Put this key under "keys"',
    );
    fc.assert(
      fc.property(fc.string(), (id) => {
        fc.pre(id !== '2026-05');
        expect(() => oldRing().payloadKey(id)).toThrow(UnknownKeyError);
      }),
    );
  });

  test('do not appear in logs or JSON', () => {
    const ring = new KeyRing(OLD_FILE);
    ring.payloadKey('2026-05');
    ring.identityKey('refId');
    for (const text of [JSON.stringify(ring), inspect(ring, { depth: 9, showHidden: true })]) {
      expect(text).toContain('2026-05');
      expect(text).not.toMatch(/BQUFB|AQEBA|0[15] ?,? ?0[15]|Uint8Array|Buffer/i);
    }
  });
});
