import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { verifyWebhook } from '../../../src/crypto/webhookSignature';
import { EmulatorControl } from '../../../src/emulator/controlClient';
import { send } from './support';

interface Received {
  headers: IncomingMessage['headers'];
  raw: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies by path
  body: any;
}

const apiKey = 'TEST_API_KEY:webhooks:1';
let emulator: Emulator;
let world: { url: string; apiKey: string };
let control: EmulatorControl;
/** Status of the next answers of the receiver; 200 once it is empty. */
let answers: number[];
let received: Received[];

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const raw = Buffer.concat(chunks);
    received.push({ headers: request.headers, raw, body: JSON.parse(raw.toString()) });
    response.writeHead(answers.shift() ?? 200).end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  emulator = await startEmulator({ worlds: [{ apiKey }], clockSpeed: 0 });
  world = { url: emulator.url, apiKey };
  control = new EmulatorControl(world);
});
afterAll(async () => {
  await emulator.close();
  receiver.close();
});
beforeEach(async () => {
  await control.reset();
  answers = [];
  received = [];
});

const PATH = '/v2/notifications/subscriptions';
async function subscribe(notificationTypes?: string[]): Promise<string> {
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  return (await send(world, 'POST', PATH, { endpoint, notificationTypes })).body.data.id;
}
async function emit(type: string, notification: object): Promise<void> {
  emulator.world(apiKey)!.webhooks.emit(type, notification);
  await control.advance(0);
}

test('a webhook is an envelope signed with the key that the API tells', async () => {
  const subscriptionId = await subscribe();
  await emit('transactions.outbound', { id: 't', state: 'SENT' });
  expect(received).toHaveLength(1);
  const [{ headers, raw, body }] = received as [Received];
  expect(body).toEqual({
    subscriptionId,
    notificationId: expect.any(String),
    notificationType: 'transactions.outbound',
    notification: { id: 't', state: 'SENT' },
    timestamp: expect.any(String),
    version: 2,
  });
  const key = await send(world, 'GET', `/v2/notifications/publicKey/${String(headers['x-circle-key-id'])}`);
  expect(key.body.data.algorithm).toBe('ECDSA_SHA_256');
  const signature = String(headers['x-circle-signature']);
  expect(verifyWebhook(raw, signature, key.body.data.publicKey)).toBe(true);
  expect(verifyWebhook(Buffer.concat([raw, Buffer.from(' ')]), signature, key.body.data.publicKey)).toBe(false);
});

test('each subscription gets the types that it wants', async () => {
  const all = await subscribe();
  const family = await subscribe(['transactions.*', 'contracts.*']);
  const one = await subscribe(['transactions.inbound']);
  await emit('transactions.inbound', {});
  await emit('transactions.outbound', {});
  await emit('challenges.createWallet', {});
  const types = (id: string) =>
    received.filter(({ body }) => body.subscriptionId === id).map(({ body }) => body.notificationType);
  expect(types(all)).toHaveLength(3);
  expect(types(family)).toEqual(['transactions.inbound', 'transactions.outbound']);
  expect(types(one)).toEqual(['transactions.inbound']);
});

test('a webhook is tried again on the world’s clock with the same id until it is taken', async () => {
  answers = [500, 302, 404];
  await subscribe();
  await emit('transactions.outbound', {});
  expect(received).toHaveLength(1);
  await control.advance(9_000);
  expect(received).toHaveLength(1);
  await control.advance(1_000);
  expect(received).toHaveLength(2);
  await control.advance(86_400_000);
  expect(received).toHaveLength(4);
  expect(new Set(received.map(({ body }) => body.notificationId)).size).toBe(1);
  const [delivery] = await control.deliveries();
  expect(delivery).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 500 }, { status: 302 }, { status: 404 }, { status: 200 }],
  });
});

test('it is given up in the end, and told so', async () => {
  answers = Array<number>(20).fill(503);
  await subscribe();
  await emit('transactions.outbound', {});
  await control.advance(3 * 86_400_000);
  expect(received).toHaveLength(7);
  expect(await control.deliveries()).toMatchObject([{ state: 'failed' }]);
});

test('a subscription that is disabled or ended gets nothing', async () => {
  const [disabled, ended] = [await subscribe(), await subscribe()];
  const changed = await send(world, 'PATCH', `${PATH}/${disabled}`, { name: 'off', enabled: false });
  expect(changed.body.data).toMatchObject({ name: 'off', enabled: false });
  expect((await send(world, 'DELETE', `${PATH}/${ended}`)).status).toBe(204);
  expect((await send(world, 'GET', `${PATH}/${ended}`)).status).toBe(404);
  await emit('transactions.outbound', {});
  expect(received).toHaveLength(0);
  expect((await send(world, 'GET', PATH)).body.data).toHaveLength(1);
});

test('a receiver that is not there is told in the deliveries', async () => {
  await send(world, 'POST', PATH, { endpoint: 'http://127.0.0.1:1/' });
  await emit('transactions.outbound', {});
  expect((await control.deliveries())[0]).toMatchObject({
    state: 'pending',
    attempts: [{ error: expect.any(String) }],
  });
});
