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
  data: { state: 'closed', name: 'InsufficientFunds', choice: 'retry', by: 'ops' as never },
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

/** An event with changed content and a valid signature. */
function signedWith(change: Partial<FlowEvent>): [body: string, headers: RequestHeaders] {
  const body = JSON.stringify({ ...EVENT, ...change });
  return [body, signed(body)];
}
