import { Webhook } from 'standardwebhooks';
import { FlowEventError, type RequestHeaders, verifyFlowEvent } from '../../../src';
import { signEvent } from '../../../src/crypto/eventSignature';
import type { FlowEvent } from '../../../src/domain/flowEvent';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

const EVENT: FlowEvent = {
  id: 'transfer/inv-42/3',
  type: 'attention',
  timestamp: '2026-11-28T00:00:00.000Z',
  entity: 'main',
  flow: 'transfer',
  ref: 'inv-42',
  sequence: 3,
  data: { state: 'closed', id: '3f2a91c0', name: 'InsufficientFunds', choice: 'retry', by: 'ops' as never },
};
const BODY = JSON.stringify(EVENT);

const signed = (body = BODY, at = new Date(), secret = SECRET, id = EVENT.id) => signEvent(secret, id, at, body);

function problemOf(body: unknown, headers: RequestHeaders, secret: string | string[] = SECRET): string {
  try {
    verifyFlowEvent(body as string, headers, secret);
  } catch (error) {
    if (error instanceof FlowEventError) return `${error.problem}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('verifyFlowEvent', () => {
  test.each<[string, string | Uint8Array, RequestHeaders]>([
    ['text and plain headers', BODY, signed()],
    ['bytes', Buffer.from(BODY), signed()],
    ['a plain Uint8Array', new TextEncoder().encode(BODY), signed()],
    ['headers of fetch', BODY, new Headers(signed())],
    [
      'names in capitals, and lists',
      BODY,
      Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]])),
    ],
  ])('accepts %s', (_, body, headers) => {
    expect(verifyFlowEvent(body, headers, SECRET)).toEqual(EVENT);
  });

  test('accepts the same event as the reference library', () => {
    expect(new Webhook(SECRET).verify(BODY, signed())).toEqual(EVENT);
  });

  test('accepts either of two secrets during a rotation', () => {
    expect(verifyFlowEvent(BODY, signed(), [OTHER, `${SECRET}\n`])).toEqual(EVENT);
    expect(problemOf(BODY, signed(), [OTHER])).toMatch(/^signature: /);
  });

  test.each<[string, unknown, RequestHeaders, RegExp]>([
    ['another secret', BODY, signed(BODY, new Date(), OTHER), /^signature: .*events\.secretFile/],
    ['another body', BODY.replace('retry', 'giveUp'), signed(), /^signature: /],
    ['another id', BODY, { ...signed(), 'webhook-id': 'transfer/inv-42/4' }, /^signature: /],
    ['another version of signatures', BODY, { ...signed(), 'webhook-signature': 'v2,abc' }, /^signature: /],
    ['a body that was parsed', EVENT, signed(), /^signature: .*as received/],
    ['an old signature', BODY, signed(BODY, new Date(Date.now() - 301_000)), /^time: .*five minutes old/],
    ['a signature from the future', BODY, signed(BODY, new Date(Date.now() + 302_000)), /^time: .*ahead/],
    ['no signature', BODY, { ...signed(), 'webhook-signature': undefined }, /^unsigned: .*missing/],
    ['no headers', BODY, {}, /^unsigned: .*missing/],
    ['an invalid time', BODY, { ...signed(), 'webhook-timestamp': 'now' }, /^unsigned: .*webhook-timestamp/],
    ['a body that is not JSON', 'hello', signed('hello'), /^content: /],
    ['an unknown type', ...signedWith({ type: 'holiday' as never }), /^content: /],
    ['no data', ...signedWith({ data: undefined as never }), /^content: /],
    ['the content of another id', ...signedWith({ id: 'transfer/inv-42/4' }), /^content: /],
    ['two signatures, the first of them valid', BODY, doubled('webhook-signature', 'v1,AAAA'), /^unsigned: .*once/],
    ['two equal signatures', BODY, doubled('webhook-signature'), /^unsigned: .*once/],
    ['two ids', BODY, doubled('webhook-id', 'transfer/inv-42/4'), /^unsigned: .*once/],
    ['two times', BODY, doubled('webhook-timestamp', '1'), /^unsigned: .*once/],
    ['two signatures as fetch joins them', BODY, joined(), /^unsigned: .*once/],
    ['a signature in two letter cases', BODY, { ...signed(), 'Webhook-Signature': 'v1,AAAA' }, /^unsigned: .*once/],
    ['bytes that are not UTF-8', ...notUtf8(), /^signature: .*UTF-8/],
    ['text with half a surrogate pair', '{"a":"\ud800"}', signed('{"a":"\ufffd"}'), /^signature: .*UTF-8/],
    ['a doubled name', ...signedText(BODY.replace('"ref"', '"ref":"inv-41","ref"')), /^content: .*twice/],
  ])('rejects %s', (_, body, headers, problem) => {
    expect(problemOf(body, headers)).toMatch(problem);
  });

  test.each(['', 'whsec_x', 'no secret', SECRET.slice('whsec_'.length)])(
    'an invalid secret is a configuration error and not a problem of the request: "%s"',
    (secret) => {
      expect(() => verifyFlowEvent(BODY, signed(), [SECRET, secret])).toThrow(
        new Error('secret: must be whsec_ and 24 to 64 bytes in base64; use the content of events.secretFile'),
      );
    },
  );
});

/** A header that a server hands over as a list. */
function doubled(name: keyof ReturnType<typeof signed>, other?: string): RequestHeaders {
  const headers = signed();
  return { ...headers, [name]: [headers[name], other ?? headers[name]] };
}

function joined(): RequestHeaders {
  const headers = new Headers(signed());
  headers.append('webhook-signature', 'v1,AAAA');
  return headers;
}

/** Bytes that become the signed text when each invalid one is replaced by U+FFFD. */
function notUtf8(): [body: Uint8Array, headers: RequestHeaders] {
  const text = BODY.replace('closed', '\ufffd');
  const [before, after] = text.split('\ufffd') as [string, string];
  return [Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]), signed(text)];
}

function signedText(body: string): [body: string, headers: RequestHeaders] {
  return [body, signed(body)];
}

/** An event with changed content and a valid signature. */
function signedWith(change: Partial<FlowEvent>): [body: string, headers: RequestHeaders] {
  const body = JSON.stringify({ ...EVENT, ...change });
  return [body, signed(body)];
}
