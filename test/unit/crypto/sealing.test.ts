import fc from 'fast-check';
import { KeyFileError } from '../../../src/crypto/keyFile';
import { opener, SealedValueError, sealer } from '../../../src/crypto/sealing';
import { generateSealingKeys, parseSealingKeys, publicOnly, type SealingKeys } from '../../../src/crypto/sealingKeys';
import { isSealed } from '../../../src/domain/sealed';

const OLD = generateSealingKeys(new Date('2026-05-01T00:00:00Z'));
const NEW = generateSealingKeys(new Date('2026-11-01T00:00:00Z'));
const ROTATED: SealingKeys = { current: NEW.current, keys: { ...OLD.keys, ...NEW.keys } };
const CONTEXT = { flow: 'acme/transfer/inv-42', field: 'originator.name' };

const contexts = fc.record({ flow: fc.string(), field: fc.string() });

describe('sealing', () => {
  test('a value that is sealed to a public key opens with the private key, even after a rotation', async () => {
    const [seal, open] = [sealer(publicOnly(OLD)), opener(ROTATED)];
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), contexts, async (value, context) => {
        const sealed = await seal.seal(value, context);
        expect(isSealed(JSON.parse(JSON.stringify(sealed)))).toBe(true);
        expect(await open.open(sealed, context)).toBe(value);
      }),
      { numRuns: 30 },
    );
  });

  test('a value is sealed to the current key with a new ciphertext each time', async () => {
    const seal = sealer(publicOnly(ROTATED));
    const [one, two] = [await seal.seal('Ada Lovelace', CONTEXT), await seal.seal('Ada Lovelace', CONTEXT)];
    expect(one).toEqual({ $sealed: 1, keyId: '2026-11', enc: expect.any(String), ciphertext: expect.any(String) });
    expect(one.ciphertext).not.toBe(two.ciphertext);
    expect(Buffer.from(one.ciphertext, 'base64url').toString('latin1')).not.toContain('Lovelace');
  });

  test('a value opens only for its flow and field', async () => {
    const sealed = await sealer(OLD).seal('secret-value', CONTEXT);
    const open = opener(OLD);
    await fc.assert(
      fc.asyncProperty(contexts, async (other) => {
        await expect(open.open(sealed, other)).rejects.toThrow(SealedValueError);
      }),
      { numRuns: 20 },
    );
    const neighbours = [
      { ...CONTEXT, flow: 'acme/transfer/inv-43' },
      { ...CONTEXT, field: 'originator.address' },
      // The same characters, but split at another position.
      { flow: `${CONTEXT.flow}o`, field: CONTEXT.field.slice(1) },
    ];
    for (const other of neighbours) await expect(open.open(sealed, other)).rejects.toThrow(SealedValueError);
  });

  test.each(['enc', 'ciphertext'] as const)(
    'a value with a changed %s does not open, and the error does not contain it',
    async (part) => {
      const sealed = await sealer(OLD).seal('secret-value', CONTEXT);
      const open = opener(OLD);
      const bytes = Buffer.from(sealed[part], 'base64url');
      for (let at = 0; at < bytes.length; at += 5) {
        const changed = Buffer.from(bytes);
        changed[at]! ^= 1;
        const error = await open
          .open({ ...sealed, [part]: changed.toString('base64url') }, CONTEXT)
          .catch((e: unknown) => e);
        expect(error).toBeInstanceOf(SealedValueError);
        expect((error as Error).message).toContain(
          'originator.name of acme/transfer/inv-42, sealed to key "2026-05", does not open',
        );
        expect(JSON.stringify(error) + (error as Error).stack).not.toContain('secret-value');
      }
      for (const text of ['', '!', 'AAAA']) {
        await expect(open.open({ ...sealed, [part]: text }, CONTEXT)).rejects.toThrow(SealedValueError);
      }
    },
  );

  test('the error for a missing private key names the key and the remedy', async () => {
    const sealed = await sealer(NEW).seal('secret-value', CONTEXT);
    await expect(opener(OLD).open(sealed, CONTEXT)).rejects.toThrow(
      'sealed to key "2026-11", whose private key this process does not have (it has 2026-05). Put the pair back',
    );
    await expect(opener(publicOnly(NEW)).open(sealed, CONTEXT)).rejects.toThrow('(it has none)');
  });
});

describe('sealing keys file', () => {
  const parse = (file: unknown) => parseSealingKeys(JSON.stringify(file), '/run/sealing.json');

  test('a generated file and its public part can be read, and the public part has no private key', () => {
    expect(parse(ROTATED)).toEqual(ROTATED);
    expect(parse(publicOnly(ROTATED))).toEqual(publicOnly(ROTATED));
    expect(JSON.stringify(publicOnly(ROTATED))).not.toContain('private');
  });

  test.each([
    [
      'short public key',
      { current: 'a', keys: { a: { publicKey: 'AAAA' } } },
      'keys.a.publicKey: must be 32 bytes in base64url',
    ],
    ['no public key', { current: 'a', keys: { a: {} } }, 'keys.a.publicKey: '],
    [
      'padded private key',
      { current: 'a', keys: { a: { ...OLD.keys['2026-05'], privateKey: `${OLD.keys['2026-05']!.privateKey}=` } } },
      'keys.a.privateKey: must be 32 bytes in base64url',
    ],
    [
      'halves of two pairs',
      {
        current: 'a',
        keys: { a: { publicKey: OLD.keys['2026-05']!.publicKey, privateKey: NEW.keys['2026-11']!.privateKey } },
      },
      'keys.a.privateKey: belongs to a different public key; restore the pair',
    ],
  ])('%s is rejected with field and remedy', (_case, file, message) => {
    expect(() => parse(file)).toThrow(KeyFileError);
    expect(() => parse(file)).toThrow(`Sealing keys /run/sealing.json: ${message}`);
  });
});

test.each([null, 'text', {}, { $sealed: 1 }, { $sealed: 2, keyId: 'a', enc: 'b', ciphertext: 'c' }])(
  '%p is not a sealed value',
  (value) => expect(isSealed(value)).toBe(false),
);
