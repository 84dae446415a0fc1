import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { generateWebhookKey, signWebhook } from '../../../src/crypto/webhookSignature';
import type { ReceivedWebhook } from '../../../src/gateway/envelope';
import { buildIngress, type WebhookResult } from '../../../src/gateway/ingress';
import { createLogger } from '../../../src/logger';

const KEY = generateWebhookKey();
const KEY_ID = randomUUID();
const SUBSCRIPTION_ID = randomUUID();
const EVENT = {
  subscriptionId: SUBSCRIPTION_ID,
  notificationId: randomUUID(),
  notificationType: 'contracts.eventLog',
  notification: { hello: 'world' },
  version: 2,
};
const BODY = JSON.stringify(EVENT);

describe('webhook ingress', () => {
  let app: FastifyInstance;
  let delivered: ReceivedWebhook[];
  let log: Record<string, unknown>[];
  let requestedKeys: string[];
  let requestedSubscriptions: string[];
  let unknownSubscriptionResult: 'unknown' | 'unavailable';
  let results: WebhookResult[];
  let beforeDelivery: () => Promise<void>;

  beforeEach(() => {
    delivered = [];
    log = [];
    requestedKeys = [];
    requestedSubscriptions = [];
    unknownSubscriptionResult = 'unknown';
    results = [];
    beforeDelivery = () => Promise.resolve();
    app = buildIngress({
      entities: new Map([
        [
          'main',
          {
            keys: {
              get: (id: string) => {
                requestedKeys.push(id);
                return Promise.resolve(id === KEY_ID ? { found: KEY.publicKey } : ('unknown' as const));
              },
            },
            subscriptions: {
              get: (id: string) => {
                requestedSubscriptions.push(id);
                return Promise.resolve(id === SUBSCRIPTION_ID ? { found: true as const } : unknownSubscriptionResult);
              },
            },
            deliver: async (webhook: ReceivedWebhook) => {
              await beforeDelivery();
              delivered.push(webhook);
              return 'parked' as const;
            },
          },
        ],
      ]),
      logger: createLogger({
        destination: { write: (line) => void log.push(JSON.parse(line) as (typeof log)[number]) },
      }),
      onWebhook: (_entity, result) => void results.push(result),
    });
  });
  afterEach(() => app.close());

  async function post(
    body: string | Buffer,
    headers: Record<string, string | string[] | undefined> = {},
    path = '/webhooks/main',
  ) {
    return (await respond(body, headers, path)).statusCode;
  }

  async function respond(
    body: string | Buffer,
    headers: Record<string, string | string[] | undefined> = {},
    path = '/webhooks/main',
  ) {
    const all = {
      'content-type': 'application/json',
      'x-circle-signature': signWebhook(Buffer.from(body), KEY.privateKey),
      'x-circle-key-id': KEY_ID,
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as typeof all;
    const response = await app.inject({ method: 'POST', url: path, payload: body, headers: sent });
    return { statusCode: response.statusCode, body: response.json<{ error?: string }>() };
  }

  test('the signature is checked over the bytes as received', async () => {
    const odd = Buffer.from(
      `{"version":2,"subscriptionId":"${SUBSCRIPTION_ID}","notificationId":"n-1" ,` +
        ' "notificationType":"x.y","b":1.0,' +
        '"notification":{"a":"caf\\u00e9" , "n":[ ]}}\n',
    );
    expect(await post(odd)).toBe(200);
    expect(delivered).toMatchObject([
      { event: { notificationId: 'n-1', notification: { a: 'café', n: [] } }, text: odd.toString() },
    ]);

    const signature = signWebhook(odd, KEY.privateKey);
    const changed = Buffer.from(odd.toString().replace('1.0', '1.1'));
    expect(await post(changed, { 'x-circle-signature': signature })).toBe(401);
    const rewritten = JSON.stringify(JSON.parse(odd.toString()));
    expect(await post(rewritten, { 'x-circle-signature': signature })).toBe(401);
    expect(await post(odd, { 'x-circle-signature': undefined })).toBe(401);
    expect(await post(odd, { 'x-circle-signature': 'not base64 and not DER' })).toBe(401);
    expect(await post(odd, { 'x-circle-key-id': undefined })).toBe(401);
    expect(delivered).toHaveLength(1);
    expect(results).toEqual(['parked', ...Array.from({ length: 5 }, () => 'badSignature')]);
  });

  test('a webhook is accepted with any content type or none', async () => {
    for (const type of ['application/json; charset=utf-8', 'text/plain', undefined]) {
      expect(await post(BODY, { 'content-type': type })).toBe(200);
    }
    expect(delivered).toHaveLength(3);
  });

  test('a malformed key id does not cause a request for a key', async () => {
    for (const id of ['../../wallets', 'x?y=1', '', 'a'.repeat(5_000)]) {
      expect(await post(BODY, { 'x-circle-key-id': id })).toBe(400);
    }
    expect(requestedKeys).toEqual([]);
    expect(await post(BODY, { 'x-circle-key-id': randomUUID() })).toBe(401);
    expect(requestedKeys).toHaveLength(1);
    expect(delivered).toEqual([]);
  });

  test('a webhook of a foreign subscription is rejected and not delivered, although the API signed it', async () => {
    const foreign = JSON.stringify({ ...EVENT, subscriptionId: randomUUID() });
    expect(await post(foreign)).toBe(403);
    unknownSubscriptionResult = 'unavailable';
    expect(await post(foreign)).toBe(503);
    expect(delivered).toEqual([]);
    expect(await post(BODY)).toBe(200);
    expect(results).toEqual(['foreignSubscription', 'subscriptionUnavailable', 'parked']);
  });

  test("neither an invalid signature nor the API's test webhook causes a request for a subscription", async () => {
    const otherKey = generateWebhookKey();
    const forged = signWebhook(Buffer.from(BODY), otherKey.privateKey);
    expect(await post(BODY, { 'x-circle-signature': forged })).toBe(401);
    const subscriptionId = '00000000-0000-0000-0000-000000000000';
    expect(await post(JSON.stringify({ ...EVENT, subscriptionId, notificationType: 'webhooks.test' }))).toBe(200);
    expect(requestedSubscriptions).toEqual([]);
  });

  test('malformed bodies are rejected and not delivered', async () => {
    const malformedId = JSON.stringify({ ...EVENT, subscriptionId: 'x' });
    for (const body of ['', '{', 'null', '{"version":2}', malformedId]) expect(await post(body)).toBe(400);
    expect(delivered).toEqual([]);
    expect(new Set(results)).toEqual(new Set(['malformed']));
  });

  test('numbers beyond doubles stay text, and the text of the body is delivered as received', async () => {
    const body = BODY.replace('"hello":"world"', '"value": 12345678901234567890, "fee":0.1000000000000000000001,"n":7');
    expect(await post(body)).toBe(200);
    const notification = { value: '12345678901234567890', fee: '0.1000000000000000000001', n: 7 };
    expect(delivered).toEqual([{ event: { ...EVENT, notification }, text: body }]);
  });

  test.each([
    ['a name of the notification', BODY.replace('"hello":"world"', '"state":"COMPLETE","state":"FAILED"')],
    ['a name of the envelope', BODY.replace('"version"', '"notificationType":"transactions.outbound","version"')],
    ['a name deep in the notification, with one value', BODY.replace('"world"', '[{"a":{"b":1,"b":1}}]')],
  ])('a body that has %s twice is refused', async (_where, body) => {
    expect(await respond(body)).toEqual({
      statusCode: 400,
      body: { error: 'The body has an object with the same name twice' },
    });
    expect(delivered).toEqual([]);
    expect(results).toEqual(['doubledName']);
  });

  test('a body that is not UTF-8 is refused', async () => {
    const [before, after] = BODY.split('world') as [string, string];
    for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
      expect(await respond(body)).toEqual({ statusCode: 400, body: { error: 'The body is not UTF-8' } });
    }
    expect(delivered).toEqual([]);
    expect(new Set(results)).toEqual(new Set(['notUtf8']));
  });

  test('more than one signature or key id is refused, as separate headers and joined by a proxy', async () => {
    const signature = signWebhook(Buffer.from(BODY), KEY.privateKey);
    const other = signWebhook(Buffer.from(BODY), generateWebhookKey().privateKey);
    const doubled = [
      { 'x-circle-signature': [signature, other] },
      { 'x-circle-signature': [other, signature] },
      { 'x-circle-signature': [signature, signature] },
      { 'x-circle-signature': `${signature},${other}` },
      { 'x-circle-key-id': [KEY_ID, KEY_ID] },
      { 'x-circle-key-id': `${KEY_ID}, ${randomUUID()}` },
    ];
    for (const headers of doubled) {
      expect(await respond(BODY, headers)).toEqual({
        statusCode: 400,
        body: { error: 'X-Circle-Signature and X-Circle-Key-Id must occur once, with one value' },
      });
    }
    expect(requestedKeys).toEqual([]);
    expect(delivered).toEqual([]);
    expect(new Set(results)).toEqual(new Set(['repeatedHeader']));
  });

  test('a repeated header is refused as Node receives it from a socket', async () => {
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const signature = signWebhook(Buffer.from(BODY), KEY.privateKey);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /webhooks/main HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n` +
        `X-Circle-Key-Id: ${KEY_ID}\r\nX-Circle-Signature: ${signature}\r\nx-circle-signature: ${signature}\r\n\r\n${BODY}`,
    );
    const [response] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(response.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(results).toEqual(['repeatedHeader']);
  });

  test('an oversized body is refused, counted and logged without its content', async () => {
    expect(await post(`{"x":"${'x'.repeat(300_000)}"}`)).toBe(413);
    expect(delivered).toEqual([]);
    expect(results).toEqual(['tooLarge']);
    expect(log).toMatchObject([{ level: 'warn', entity: 'main', limitBytes: 262_144 }]);
    // The path of an unknown entity is no label.
    expect(await post('x'.repeat(300_000), {}, '/webhooks/other')).toBe(413);
    expect(results).toHaveLength(1);
  });

  test('HEAD succeeds only for existing entities, and POST to any other path fails', async () => {
    const head = async (url: string) => (await app.inject({ method: 'HEAD', url })).statusCode;
    expect(await head('/webhooks/main')).toBe(200);
    expect(await head('/webhooks/other')).toBe(404);
    expect(await post(BODY, {}, '/webhooks/other')).toBe(404);
    expect(await post(BODY, {}, '/webhooks')).toBe(404);
  });

  test('a failed delivery leads to 503, and the next attempt succeeds', async () => {
    beforeDelivery = () => Promise.reject(new Error('Temporal is down'));
    expect(await post(BODY)).toBe(503);
    beforeDelivery = () => Promise.resolve();
    expect(await post(BODY)).toBe(200);
    expect(delivered).toHaveLength(1);
    expect(results).toEqual(['failed', 'parked']);
  });

  describe('a request that never completes', () => {
    let socket: Socket;

    beforeEach(async () => {
      const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
      const started = once(app.server, 'request');
      socket = connect(Number(port), '127.0.0.1');
      socket.write('POST /webhooks/main HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{"');
      await started;
    });
    afterEach(() => socket.destroy());

    test('is closed with 408', async () => {
      const [response] = (await once(socket, 'data')) as [Buffer];
      expect(response.toString()).toMatch(/^HTTP\/1\.1 408 /);
      expect(delivered).toEqual([]);
    });

    test('does not keep the gateway from closing', async () => {
      await Promise.all([app.close(), once(socket, 'close')]);
    });
  });

  test('a delivery that hangs leads to 503 within the 5 s that the API waits', async () => {
    beforeDelivery = () => new Promise(() => {});
    const before = performance.now();
    expect(await post(BODY)).toBe(503);
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
