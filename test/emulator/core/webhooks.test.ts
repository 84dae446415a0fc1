import { verifyWebhook } from '../../../src/crypto/webhookSignature';
import { type Emulator, startEmulator } from '../../../src/emulator';
import { EmulatorControl } from '../../../src/emulator/control/controlClient';
import { type ReceivedWebhook, Receiver } from '../../support/receiver';
import { until } from '../../support/until';
import { type ApiTestResponse, send } from './support';

const apiKey = 'TEST_API_KEY:webhooks:1';
let emulator: Emulator;
let world: { url: string; apiKey: string };
let control: EmulatorControl;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.open();
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
  await control.changeSettings({ limits: false });
  receiver.clear();
});

const PATH = '/v2/notifications/subscriptions';
const trySubscribe = (body: object = {}): Promise<ApiTestResponse> =>
  send(world, 'POST', PATH, { endpoint: receiver.url, ...body });
async function subscribe(notificationTypes?: string[], endpoint = receiver.url): Promise<string> {
  return (await trySubscribe({ endpoint, notificationTypes })).body.data.id;
}
async function emit(type: string, notification: object): Promise<void> {
  emulator.world(apiKey)!.webhooks.emit(type, notification);
  await control.advance(0);
}
/** Emits several numbered webhooks at once. @returns the numbers that have arrived */
async function emitAll(...numbers: number[]): Promise<number[]> {
  for (const n of numbers) emulator.world(apiKey)!.webhooks.emit('transactions.outbound', { n });
  await control.advance(0);
  return arrived();
}
const arrived = (): number[] => receiver.received.map(({ body }) => body.notification.n);
const fault = (action: string, more: object = {}) => control.call('POST', '/webhooks/faults', { action, ...more });
/** Whether a webhook has a valid signature of the key in its headers; undefined if the API has no such key. */
async function isSigned({ headers, raw }: ReceivedWebhook): Promise<boolean | undefined> {
  const key = await send(world, 'GET', `/v2/notifications/publicKey/${String(headers['x-circle-key-id'])}`);
  return key.status === 200
    ? verifyWebhook(raw, String(headers['x-circle-signature']), key.body.data.publicKey)
    : undefined;
}

test('a webhook is an envelope that is signed with a published key', async () => {
  const subscriptionId = await subscribe();
  await emit('transactions.outbound', { id: 't', state: 'SENT' });
  expect(receiver.received).toHaveLength(1);
  const [{ headers, raw, body }] = receiver.received as [ReceivedWebhook];
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

test('each subscription gets only its types', async () => {
  const all = await subscribe();
  const family = await subscribe(['transactions.*', 'contracts.*']);
  const one = await subscribe(['transactions.inbound']);
  await emit('transactions.inbound', {});
  await emit('transactions.outbound', {});
  await emit('challenges.createWallet', {});
  const types = (id: string) =>
    receiver.received.filter(({ body }) => body.subscriptionId === id).map(({ body }) => body.notificationType);
  expect(types(all)).toHaveLength(3);
  expect(types(family)).toEqual(['transactions.inbound', 'transactions.outbound']);
  expect(types(one)).toEqual(['transactions.inbound']);
});

test('a webhook is retried on the world’s clock with the same id until it is accepted', async () => {
  receiver.responses = [500, 302, 404];
  await subscribe();
  await emit('transactions.outbound', {});
  expect(receiver.received).toHaveLength(1);
  await control.advance(9_000);
  expect(receiver.received).toHaveLength(1);
  await control.advance(1_000);
  expect(receiver.received).toHaveLength(2);
  await control.advance(86_400_000);
  expect(receiver.received).toHaveLength(4);
  expect(new Set(receiver.received.map(({ body }) => body.notificationId)).size).toBe(1);
  const [delivery] = await control.deliveries();
  expect(delivery).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 500 }, { status: 302 }, { status: 404 }, { status: 200 }],
  });
});

test('a webhook is abandoned after its last attempt, and the delivery shows it', async () => {
  receiver.responses = Array<number>(20).fill(503);
  await subscribe();
  await emit('transactions.outbound', {});
  await control.advance(3 * 86_400_000);
  expect(receiver.received).toHaveLength(7);
  expect(await control.deliveries()).toMatchObject([{ state: 'failed' }]);
});

test('a disabled or deleted subscription gets no webhooks', async () => {
  const [disabled, ended] = [await subscribe(), await subscribe()];
  const changed = await send(world, 'PATCH', `${PATH}/${disabled}`, { name: 'off', enabled: false });
  expect(changed.body.data).toMatchObject({ name: 'off', enabled: false });
  expect((await send(world, 'DELETE', `${PATH}/${ended}`)).status).toBe(204);
  expect((await send(world, 'GET', `${PATH}/${ended}`)).status).toBe(404);
  await emit('transactions.outbound', {});
  expect(receiver.received).toHaveLength(0);
  expect((await send(world, 'GET', PATH)).body.data).toHaveLength(1);
});

test('the deliveries show that a receiver is unreachable', async () => {
  const closed = await Receiver.open();
  await subscribe(undefined, closed.url);
  closed.close();
  await emit('transactions.outbound', {});
  expect((await control.deliveries())[0]).toMatchObject({
    state: 'pending',
    attempts: [{ error: expect.any(String) }],
    nextAt: expect.any(String),
  });
});

describe('subscribing', () => {
  test('needs an endpoint that responds to HEAD in time, and sends one signed test webhook', async () => {
    await subscribe();
    await control.advance(0);
    expect(receiver.tests.map(({ body }) => body)).toEqual([
      {
        subscriptionId: '00000000-0000-0000-0000-000000000000',
        notificationId: '00000000-0000-0000-0000-000000000000',
        notificationType: 'webhooks.test',
        notification: { hello: 'world' },
        timestamp: expect.any(String),
        version: 2,
      },
    ]);
    expect(await isSigned(receiver.tests[0]!)).toBe(true);
    expect(await control.deliveries()).toEqual([]);

    const rejected = { status: 400, body: { code: 2, errors: [{ location: 'endpoint' }] } };
    receiver.head = 500;
    expect(await trySubscribe()).toMatchObject(rejected);
    await control.changeSettings({ webhookAnswerMs: 50 });
    receiver.head = 'hang';
    expect(await trySubscribe()).toMatchObject(rejected);
    expect(await trySubscribe({ endpoint: 'http://127.0.0.1:1/' })).toMatchObject(rejected);
    expect(await trySubscribe({ endpoint: 'ftp://127.0.0.1/' })).toMatchObject(rejected);
    expect((await send(world, 'GET', PATH)).body.data).toHaveLength(1);
  });

  test('does not call the endpoint if the request is rejected', async () => {
    await control.setKeyState('revoked');
    receiver.head = 500;
    expect(await trySubscribe()).toMatchObject({ status: 401, body: { code: 156007 } });
  });

  test('is possible twenty times, each independent of the others', async () => {
    const responses = await Promise.all(Array.from({ length: 22 }, () => trySubscribe()));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(20).fill(200),
      400,
      400,
    ]);
    const { data } = (await send(world, 'GET', PATH)).body;
    expect((await send(world, 'DELETE', `${PATH}/${data[0].id}`)).status).toBe(204);
    expect((await trySubscribe()).status).toBe(200);
  });

  test('accepts only documented types, and * means all', async () => {
    const families: Record<string, string[]> = {
      transactions: ['inbound', 'outbound'],
      challenges: [
        'accelerateTransaction',
        'cancelTransaction',
        'changePin',
        'contractExecution',
        'createTransaction',
        'createWallet',
        'initialize',
        'restorePin',
        'setPin',
        'setSecurityQuestions',
      ],
      contracts: ['eventLog'],
      modularWallet: ['userOperation', 'inboundTransfer', 'outboundTransfer'],
      travelRule: ['statusUpdate', 'approve', 'deny'],
      rampSession: ['completed', 'depositReceived', 'expired', 'failed', 'kycApproved', 'kycRejected', 'kycSubmitted'],
    };
    const notificationTypes = Object.entries(families).flatMap(([family, members]) =>
      ['*', ...members].map((member) => `${family}.${member}`),
    );
    expect((await trySubscribe({ notificationTypes })).body.data).toMatchObject({
      restricted: true,
      notificationTypes,
    });
    expect((await trySubscribe({ notificationTypes: ['*', 'contracts.*'] })).body.data.restricted).toBe(false);
    expect((await trySubscribe()).body.data).toMatchObject({ restricted: false, notificationTypes: ['*'] });
    for (const type of ['webhooks.test', 'challenges.signMessage', 'transactions', 'none.*']) {
      expect(await trySubscribe({ notificationTypes: [type] })).toMatchObject({ status: 400, body: { code: 2 } });
    }
    // Each type goes once to every subscription that includes it.
    for (const type of notificationTypes.filter((name) => !name.endsWith('*'))) {
      receiver.clear();
      await emit(type, {});
      expect(receiver.received).toHaveLength(3);
    }
  });
});

test('a receiver that does not respond delays neither other receivers nor the clock nor the API', async () => {
  const slow = await Receiver.open();
  slow.responses = Array<'hang'>(100).fill('hang');
  await subscribe(undefined, slow.url);
  await control.changeSettings({ webhookAnswerMs: 100 });
  await emitAll(0);
  expect((await control.deliveries())[0]!.attempts).toMatchObject([{ error: 'no response within 100 ms' }]);
  // From now on the slow receiver would delay others for ten minutes.
  await control.changeSettings({ webhookAnswerMs: 600_000 });
  await subscribe();
  for (let n = 0; n < 30; n++) await emitAll(n);
  expect(arrived()).toHaveLength(30);
  expect((await send(world, 'GET', PATH)).status).toBe(200);
  // Only a few webhooks are in flight to the slow receiver at a time.
  expect(slow.received.length).toBeLessThan(10);
  slow.close();
});

test('only the latest deliveries are kept and retried', async () => {
  receiver.responses = Array<number>(2).fill(503);
  await subscribe();
  await emitAll(1, 2);
  await fault('lose', { type: 'contracts.*' });
  const { webhooks } = emulator.world(apiKey)!;
  for (let n = 0; n < 10_000 - 1; n++) webhooks.emit('contracts.eventLog', { n: 3 });
  await control.advance(0);
  expect(webhooks.deliveries.list()).toHaveLength(10_000);
  receiver.clear();
  await control.advance(10_000);
  expect(arrived()).toEqual([2]);
});

describe('faults of webhooks', () => {
  test('a lost webhook never arrives, and its delivery shows it', async () => {
    await subscribe();
    await fault('lose', { count: 1 });
    expect(await emitAll(1, 2)).toEqual([2]);
    await control.advance(86_400_000);
    expect(arrived()).toEqual([2]);
    expect((await control.deliveries()).map(({ state }) => state)).toEqual(['lost', 'delivered']);
  });

  test('a doubled webhook arrives twice with the same id, and each copy is an attempt', async () => {
    await subscribe();
    await fault('double', { count: 1 });
    expect((await emitAll(1, 2)).toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
    expect(new Set(receiver.received.map(({ body }) => body.notificationId)).size).toBe(2);
    expect((await control.deliveries())[0]!.attempts).toHaveLength(2);
  });

  test('a webhook can be delayed on the world’s clock', async () => {
    await subscribe();
    await fault('delay', { count: 1, delayMs: 3_600_000 });
    expect(await emitAll(1, 2)).toEqual([2]);
    await control.advance(3_599_999);
    expect(arrived()).toEqual([2]);
    await control.advance(1);
    expect(arrived()).toEqual([2, 1]);
  });

  test('a reordered webhook arrives after the next one, or a minute later', async () => {
    const first = await subscribe();
    await fault('reorder', { count: 1 });
    expect(await emitAll(1, 2, 3)).toHaveLength(3);
    expect(arrived().indexOf(1)).toBeGreaterThan(arrived().indexOf(2));
    await send(world, 'DELETE', `${PATH}/${first}`);
    receiver.clear();
    await subscribe();
    await fault('reorder', { count: 1 });
    expect(await emitAll(1)).toEqual([]);
    await control.advance(60_000);
    expect(await emitAll(2)).toEqual([1, 2]);
  });

  test('a webhook can be forged or have an unknown key, and its next attempt is valid', async () => {
    await subscribe();
    receiver.responses = [401, 401];
    await fault('forge', { count: 1 });
    await fault('unknownKey', { skip: 1, count: 1 });
    await emitAll(1);
    await control.advance(10_000);
    await control.advance(60_000);
    expect(await Promise.all(receiver.received.map(isSigned))).toEqual([false, undefined, true]);
    expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  test('faults can apply to one type or to a share, until they are removed', async () => {
    await subscribe();
    const { id } = (await fault('lose', { type: 'contracts.*' })) as { id: string };
    expect(await emitAll(1)).toEqual([1]);
    await emit('contracts.eventLog', {});
    expect(arrived()).toEqual([1]);
    const faults = () => control.call<{ faults: object[] }>('GET', '/webhooks/faults');
    expect((await faults()).faults).toMatchObject([{ id, action: 'lose', struck: 1 }]);
    await control.call('DELETE', `/webhooks/faults/${id}`);
    await expect(control.call('DELETE', `/webhooks/faults/${id}`)).rejects.toThrow('(404)');
    await fault('lose', { rate: 0.5 });
    const share = (await emitAll(...Array.from({ length: 40 }, (_, n) => n))).length - 1;
    expect([share > 5, share < 35]).toEqual([true, true]);
    await control.call('DELETE', '/webhooks/faults');
    expect((await faults()).faults).toEqual([]);
    await expect(fault('delay')).rejects.toThrow('(400)');
    await expect(fault('lose', { delayMs: 1 })).rejects.toThrow('(400)');
  });
});

describe('webhook controls', () => {
  test('redeliver a webhook with the same id in any state', async () => {
    receiver.responses = [200, 500];
    const subscription = await subscribe();
    await emitAll(1, 2);
    const [first] = await control.deliveries();
    const { notificationId } = first!;
    const path = `/webhooks/deliveries/${notificationId}`;
    const [delivered] = receiver.received.filter(({ body }) => body.notificationId === notificationId);
    const again = await control.call<{ attempts: object[] }>('POST', `${path}/redeliver`);
    expect(again).toMatchObject({ state: 'delivered' });
    expect(receiver.received.at(-1)!.raw).toEqual(delivered!.raw);
    expect(await control.call('GET', path)).toEqual({ ...again, envelope: delivered!.body });
    await expect(control.call('POST', '/webhooks/deliveries/none/redeliver')).rejects.toThrow('(404)');
    await send(world, 'DELETE', `${PATH}/${subscription}`);
    await expect(control.call('POST', `${path}/redeliver`)).rejects.toThrow('(409)');
  });

  test('redeliver a pending webhook without a further automatic attempt', async () => {
    receiver.responses = [500];
    await subscribe();
    await emitAll(1);
    const [delivery] = await control.deliveries();
    await control.call('POST', `/webhooks/deliveries/${delivery!.notificationId}/redeliver`);
    await control.advance(86_400_000);
    expect(arrived()).toEqual([1, 1]);
  });

  test('emit a webhook of any type', async () => {
    await subscribe();
    await control.call('POST', '/webhooks', { notificationType: 'moon.landed', notification: { n: 11 } });
    await until(async () => receiver.received.length > 0);
    expect(receiver.received[0]!.body).toMatchObject({ notificationType: 'moon.landed', notification: { n: 11 } });
  });
});
