import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import fc from 'fast-check';
import { KeyRing, UnknownKeyError } from '../../../src/crypto/keyRing';
import { EncryptingCodec, PayloadDecryptionError, placeOf } from '../../../src/crypto/payloadCodec';
import { envelope } from '../../../src/domain/envelope';
import { type Distrust, distrustOf } from '../../../src/domain/untrusted';
import { foreignRing, newRing, OLD_FILE, oldRing, ROTATED_FILE, rotatedRing } from './support';

const anyPayload: fc.Arbitrary<Payload> = fc.record({
  metadata: fc.dictionary(fc.string(), fc.uint8Array(), { noNullPrototype: true }),
  data: fc.uint8Array({ maxLength: 300 }),
});
const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('utf8');
const HERE: SerializationContext & { workflowId: string } = {
  type: 'workflow',
  namespace: 'default',
  workflowId: 'test/transfer/a',
};
const encrypt = async (payload: Payload, ring = oldRing(), place: SerializationContext = HERE) =>
  (await new EncryptingCodec(ring).encode([payload], place))[0]!;
const decrypt = async (payload: Payload, ring = oldRing(), place: SerializationContext = HERE) =>
  (await new EncryptingCodec(ring).decode([payload], place))[0]!;
/** Why the codec does not believe a payload; undefined if it does. */
const distrust = async (payload: Payload, ring = oldRing(), place: SerializationContext = HERE) =>
  distrustOf(defaultPayloadConverter.fromPayload(await decrypt(payload, ring, place)));
const changed = (payload: Payload, metadata: Record<string, string>): Payload => ({
  ...payload,
  metadata: {
    ...payload.metadata,
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value)])),
  },
});
/** Makes payloads comparable byte by byte, regardless of the classes of their objects and buffers. */
const plain = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, [...value]])),
  data: [...(data ?? [])],
});

test('encrypted payloads can be decrypted, even after a rotation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyPayload, { maxLength: 4 }), async (payloads) => {
      const encoded = await new EncryptingCodec(oldRing()).encode(payloads, HERE);
      const decoded = await new EncryptingCodec(rotatedRing()).decode(encoded, HERE);
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

test('encoding, key id and layout match the Temporal samples; the metadata names the place, which is authenticated', async () => {
  const payload = await encrypt({ metadata: {}, data: new Uint8Array() }, rotatedRing());
  expect(Object.fromEntries(Object.entries(payload.metadata!).map(([name, value]) => [name, text(value)]))).toEqual({
    encoding: 'binary/encrypted',
    'encryption-key-id': '2026-11',
    'encryption-binding': '["default","test/transfer/a"]',
    'encryption-mac': expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(placeOf(payload)).toEqual(HERE);
  const data = payload.data!;
  const key = await crypto.subtle.importKey('raw', rotatedRing().payloadKey('2026-11'), 'AES-GCM', false, ['decrypt']);
  const additionalData = payload.metadata!['encryption-binding']! as Uint8Array<ArrayBuffer>;
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: data.subarray(0, 12), additionalData: Uint8Array.from(additionalData) },
    key,
    data.subarray(12),
  );
  expect(opened.byteLength).toBe(0);
});

test('a ciphertext shows neither data nor metadata, and no two are the same', async () => {
  const payload = defaultPayloadConverter.toPayload('canary-7f3a')!;
  const [one, two] = [await encrypt(payload), await encrypt(payload)];
  expect(text(one.data)).not.toMatch(/canary|json/);
  expect(Buffer.compare(one.data!, two.data!)).not.toBe(0);
});

const ACTIVITY: SerializationContext = { ...HERE, type: 'activity', activityId: '7', isLocal: false };
const PLACES: Record<string, SerializationContext | undefined> = {
  here: HERE,
  'another workflow': { ...HERE, workflowId: 'test/transfer/b' },
  'another namespace': { ...HERE, namespace: 'other' },
  'an activity': ACTIVITY,
  'another activity': { ...ACTIVITY, activityId: '8' },
  'an activity of another workflow': { ...ACTIVITY, workflowId: 'test/transfer/b' },
  'an activity without a workflow': { type: 'activity', namespace: 'default', activityId: '7', isLocal: false },
  nowhere: undefined,
};

test('a payload is believed only in its own place', async () => {
  const codec = new EncryptingCodec(oldRing());
  for (const [name, place] of Object.entries(PLACES)) {
    const payloads = await codec.encode([defaultPayloadConverter.toPayload(1)!], place);
    for (const [elsewhere, otherPlace] of Object.entries(PLACES)) {
      const [decoded] = await codec.decode(payloads, otherPlace);
      const found = distrustOf(defaultPayloadConverter.fromPayload(decoded!));
      expect([name, elsewhere, found]).toEqual([name, elsewhere, name === elsewhere ? undefined : 'copied']);
    }
  }
});

test('the binding cannot be changed to another place, and a local activity is a place like any other', async () => {
  const payload = await encrypt({ data: Buffer.from('1') });
  const other = PLACES['another workflow']!;
  const moved = changed(payload, { 'encryption-binding': '["default","test/transfer/b"]' });
  expect(await distrust(moved, oldRing(), other)).toBe('forged');
  const local = await encrypt(defaultPayloadConverter.toPayload(1)!, oldRing(), { ...ACTIVITY, isLocal: true });
  expect(await distrust(local, oldRing(), ACTIVITY)).toBeUndefined();
});

test('a schedule encrypts for the id of its action, to which the server appends the time', async () => {
  const payload = await encrypt(
    defaultPayloadConverter.toPayload(envelope('schedule', 'transfer', [], HERE.workflowId))!,
  );
  const at = (suffix: string): SerializationContext => ({ ...HERE, workflowId: `test/transfer/a${suffix}` });
  expect(await distrust(payload, oldRing(), at('-2026-11-29T06:00:00Z'))).toBeUndefined();
  for (const suffix of ['-2026-11-29', '-2026-11-29T06:00:00Z-b', '/2026-11-29T06:00:00Z', 'b-2026-11-29T06:00:00Z'])
    expect(await distrust(payload, oldRing(), at(suffix))).toBe('copied');
});

test.each([
  ['a signal', envelope('signal', 'sessionMessage', [{ restriction: null }])],
  ['a start', envelope('start', 'transfer', [], HERE.workflowId)],
  ['an outcome', { status: 'completed' }],
  ['bytes', new Uint8Array([1])],
])('%s of a flow is not believed by a flow whose id is the same with a time', async (_what, value) => {
  const payload = await encrypt(defaultPayloadConverter.toPayload(value)!);
  const scheduled: SerializationContext = { ...HERE, workflowId: `${HERE.workflowId}-2026-11-29T06:00:00Z` };
  expect(await distrust(payload, oldRing(), scheduled)).toBe('copied');
});

const UNBELIEVABLE: [what: string, forge: (genuine: Payload) => Payload, Distrust][] = [
  ['a value in plaintext', () => defaultPayloadConverter.toPayload('plain')!, 'plain'],
  ['no metadata', () => ({ data: new Uint8Array([1]) }), 'plain'],
  ['nothing at all', () => ({}), 'plain'],
  ['the mark itself', () => defaultPayloadConverter.toPayload({ 'walletflow/untrusted': undefined })!, 'plain'],
  ['only our encoding', ({ metadata }) => ({ metadata: { encoding: metadata!.encoding! } }), 'forged'],
  ['no data', ({ metadata }) => ({ metadata }), 'forged'],
  [
    'an unknown key id with the MAC of another',
    (genuine) => changed(genuine, { 'encryption-key-id': '2099-01' }),
    'forged',
  ],
  [
    'an unknown key id and no MAC',
    (genuine) => changed(genuine, { 'encryption-key-id': 'x', 'encryption-mac': '' }),
    'forged',
  ],
  ['a binding that is not JSON', (genuine) => changed(genuine, { 'encryption-binding': '[' }), 'copied'],
];

test.each(UNBELIEVABLE)('%s is not believed, without an error', async (_what, forge, expected) => {
  expect(await distrust(forge(await encrypt({ data: Buffer.from('1') })))).toBe(expected);
});

test('a changed or missing byte is not believed, without an error', async () => {
  const payload = await encrypt({ data: Buffer.from('to be changed') });
  const data = payload.data!;
  await fc.assert(
    fc.asyncProperty(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, mask, cut) => {
      const other = Uint8Array.from(data);
      other[at]! ^= mask;
      expect(await distrust({ ...payload, data: cut ? data.subarray(0, at) : other })).toBe('forged');
    }),
  );
});

test('any payload of a stranger decodes to a value', async () => {
  const names = fc.constantFrom('encoding', 'encryption-key-id', 'encryption-mac', 'encryption-binding', 'other');
  const values = fc.constantFrom('binary/encrypted', 'json/plain', '2026-05', '["default","test/transfer/a"]', '');
  const metadata = fc.dictionary(names, fc.oneof(values, fc.string()), { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(metadata, fc.uint8Array(), async (fields, data) => {
      expect(await distrust(changed({ data }, fields))).toBeDefined();
    }),
    { numRuns: 1_000 },
  );
});

test('a genuine payload whose key the ring lacks is an error that names it, so that the task is retried', async () => {
  const payload = await encrypt({ data: new Uint8Array([1]) }, rotatedRing());
  await expect(decrypt(payload)).rejects.toThrow(UnknownKeyError);
  await expect(decrypt(payload)).rejects.toThrow('no key "2026-11"');
  await expect(decrypt(await encrypt({ data: new Uint8Array([1]) }), newRing())).rejects.toThrow('no key "2026-05"');
});

test('a payload of a process with another key under the same id is an error; one of another installation is not believed', async () => {
  const payload = await encrypt({ data: new Uint8Array([1]) });
  const confused = new KeyRing({ ...OLD_FILE, keys: { '2026-05': ROTATED_FILE.keys['2026-11']! } });
  await expect(decrypt(payload, confused)).rejects.toThrow(PayloadDecryptionError);
  expect(await distrust(payload, foreignRing())).toBe('forged');
});

test('a process with the same keys and another identity key believes nothing, since its idempotency keys differ', async () => {
  const payload = await encrypt({ data: new Uint8Array([1]) });
  const divided = new KeyRing({ ...OLD_FILE, identity: Buffer.alloc(32, 98).toString('base64') });
  expect(await distrust(payload, divided)).toBe('forged');
});
