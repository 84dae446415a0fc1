import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import fc from 'fast-check';
import { UnknownKeyError } from '../../../src/crypto/keyRing';
import { EncryptingCodec, PayloadDecryptionError } from '../../../src/crypto/payloadCodec';
import { foreignRing, oldRing, rotatedRing } from './support';

const anyPayload: fc.Arbitrary<Payload> = fc.record({
  metadata: fc.dictionary(fc.string(), fc.uint8Array(), { noNullPrototype: true }),
  data: fc.uint8Array({ maxLength: 300 }),
});
const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('utf8');
const encrypt = async (payload: Payload, ring = oldRing()) => (await new EncryptingCodec(ring).encode([payload]))[0]!;
const decrypt = async (payload: Payload, ring = oldRing()) => (await new EncryptingCodec(ring).decode([payload]))[0]!;
/** Makes payloads comparable byte by byte, regardless of the classes of their objects and buffers. */
const plain = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, [...value]])),
  data: [...(data ?? [])],
});

test('encrypted payloads can be decrypted, even after a rotation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyPayload, { maxLength: 4 }), async (payloads) => {
      const encoded = await new EncryptingCodec(oldRing()).encode(payloads);
      const decoded = await new EncryptingCodec(rotatedRing()).decode(encoded);
      expect(decoded.map(plain)).toEqual(payloads.map(plain));
    }),
  );
});

test.each([[{ amount: '10.50' }], [null], [undefined], [new Uint8Array([0, 1, 255])]])(
  'value %p is unchanged after encryption and decryption',
  async (value) => {
    const payload = await decrypt(await encrypt(defaultPayloadConverter.toPayload(value)!));
    const back = defaultPayloadConverter.fromPayload<unknown>(payload);
    expect(back instanceof Uint8Array ? new Uint8Array(back) : back).toEqual(value);
  },
);

test('encoding, key id and layout match the Temporal samples', async () => {
  const payload = await encrypt({ metadata: {}, data: new Uint8Array() }, rotatedRing());
  expect(Object.fromEntries(Object.entries(payload.metadata!).map(([name, value]) => [name, text(value)]))).toEqual({
    encoding: 'binary/encrypted',
    'encryption-key-id': '2026-11',
  });
  const data = payload.data!;
  const key = await crypto.subtle.importKey('raw', rotatedRing().payloadKey('2026-11'), 'AES-GCM', false, ['decrypt']);
  const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: data.subarray(0, 12) }, key, data.subarray(12));
  expect(opened.byteLength).toBe(0);
});

test('a ciphertext shows neither data nor metadata, and no two are the same', async () => {
  const payload = defaultPayloadConverter.toPayload('canary-7f3a')!;
  const [one, two] = [await encrypt(payload), await encrypt(payload)];
  expect(text(one.data)).not.toMatch(/canary|json/);
  expect(Buffer.compare(one.data!, two.data!)).not.toBe(0);
});

test('a payload that is not encrypted is returned unchanged', async () => {
  const payload = defaultPayloadConverter.toPayload('plain')!;
  expect(await decrypt(payload)).toBe(payload);
  const bare: Payload = { data: new Uint8Array([1]) };
  expect(await decrypt(bare)).toBe(bare);
});

test('the error for an unknown key names it', async () => {
  const payload = await encrypt({ data: new Uint8Array([1]) }, rotatedRing());
  await expect(decrypt(payload)).rejects.toThrow(UnknownKeyError);
  await expect(decrypt(payload)).rejects.toThrow('no key "2026-11"');
});

test('a changed or missing byte, or another key under the same id, is an error', async () => {
  const payload = await encrypt({ data: Buffer.from('to be changed') });
  const data = payload.data!;
  await fc.assert(
    fc.asyncProperty(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, mask, cut) => {
      const changed = Uint8Array.from(data);
      changed[at]! ^= mask;
      await expect(decrypt({ ...payload, data: cut ? data.subarray(0, at) : changed })).rejects.toThrow(
        PayloadDecryptionError,
      );
    }),
  );
  await expect(decrypt(payload, foreignRing())).rejects.toThrow(
    `A payload encrypted with key "2026-05" can't be decrypted: it was changed in transit`,
  );
  await expect(decrypt({ metadata: payload.metadata })).rejects.toThrow(PayloadDecryptionError);
});

test('an encrypted payload without a key id is an error', async () => {
  const { metadata, data } = await encrypt({ data: new Uint8Array([1]) });
  await expect(decrypt({ metadata: { encoding: metadata!.encoding! }, data })).rejects.toThrow('"encryption-key-id"');
});
