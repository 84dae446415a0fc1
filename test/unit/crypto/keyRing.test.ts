import fc from 'fast-check';
import { inspect } from 'node:util';
import { KeyFileError } from '../../../src/crypto/keyFile';
import { generateKeyRing, KeyRing, parseKeyRing, UnknownKeyError } from '../../../src/crypto/keyRing';
import { OLD_FILE, oldRing, ROTATED_FILE, rotatedRing } from './support';

const parse = (file: unknown) => parseKeyRing(JSON.stringify(file), '/run/keys.json');

describe('key ring file', () => {
  test('a generated file can be read, and its key id is the month', () => {
    const file = generateKeyRing(new Date('2026-11-27T10:00:00Z'));
    expect(file.current).toBe('2026-11');
    expect(parse(file).derive('2026-11', 'payload')).toHaveLength(32);
    expect(generateKeyRing(new Date()).keys).not.toEqual(generateKeyRing(new Date()).keys);
  });

  test('the current key is the first one', () => {
    expect(parse(ROTATED_FILE)).toMatchObject({ currentId: '2026-11', ids: ['2026-11', '2026-05'] });
  });

  test.each([
    ['invalid JSON', '{', 'Key ring /run/keys.json: is not JSON; restore the file'],
    ['a list', '[]', 'Key ring /run/keys.json: file: '],
    ['current missing', { keys: OLD_FILE.keys }, 'current: '],
    [
      'current names a missing key',
      { ...OLD_FILE, current: '2027-01' },
      'current: is not the id of a key under "keys"; set it to',
    ],
    ['current names a built-in', { ...OLD_FILE, current: 'toString' }, 'current: is not the id of a key under "keys"'],
    ['short key', { current: 'a', keys: { a: 'AAAA' } }, 'keys.a: must be 32 bytes in base64; make one with: openssl'],
    [
      'damaged key',
      { current: 'a', keys: { a: `*${OLD_FILE.keys['2026-05']}` } },
      'keys.a: must be 32 bytes in base64',
    ],
    [
      'bad key id',
      { current: 'a b', keys: { 'a b': OLD_FILE.keys['2026-05'] } },
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
  test('are HKDF-SHA256 of the key with the purpose as info', async () => {
    const input = await crypto.subtle.importKey('raw', Buffer.alloc(32, 5), 'HKDF', false, ['deriveBits']);
    const info = Buffer.from('walletflow/refId');
    const expected = await crypto.subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
      input,
      256,
    );
    expect(Buffer.from(oldRing().derive('2026-05', 'refId'))).toEqual(Buffer.from(expected));
  });

  test('are the same in every process and after a rotation, and differ by id and purpose', () => {
    const ring = rotatedRing();
    expect(ring.derive('2026-05', 'payload')).toEqual(oldRing().derive('2026-05', 'payload'));
    const keys = ring.ids.flatMap((id) => [ring.derive(id, 'payload'), ring.derive(id, 'refId')]);
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(4);
  });

  test('fail for an unknown key with an error that names it and the remedy', () => {
    expect(() => oldRing().derive('2026-11', 'payload')).toThrow(UnknownKeyError);
    expect(() => oldRing().derive('2026-11', 'payload')).toThrow(
      'The key ring has no key "2026-11"; it has 2026-05. Put this key back under "keys"',
    );
    fc.assert(
      fc.property(fc.string(), (id) => {
        fc.pre(id !== '2026-05');
        expect(() => oldRing().derive(id, 'payload')).toThrow(UnknownKeyError);
      }),
    );
  });

  test('do not appear in logs or JSON', () => {
    const ring = new KeyRing(OLD_FILE);
    ring.derive('2026-05', 'payload');
    for (const text of [JSON.stringify(ring), inspect(ring, { depth: 9, showHidden: true })]) {
      expect(text).toContain('2026-05');
      expect(text).not.toMatch(/BQUFB|05 ?,? ?05|Uint8Array|Buffer/i);
    }
  });
});
