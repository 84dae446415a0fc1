import { closeOwnEmulator, openWorld, type TestWorld } from '../../support/emulator';
import { Receiver } from '../../support/receiver';
import { until } from '../../support/until';
import { send } from './support';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.open();
});
afterAll(async () => {
  receiver.close();
  await closeOwnEmulator();
});

const PATH = '/v2/notifications/subscriptions';
const subscribe = (world: TestWorld) => send(world, 'POST', PATH, { endpoint: receiver.url });
const subscriptions = async (world: TestWorld): Promise<unknown[]> => (await send(world, 'GET', PATH)).body.data;

test('a request with a lost reply is carried out, and the second attempt is rejected', async () => {
  const world = await openWorld();
  const operation = 'createSubscription';
  await world.control.addFault({ operation, count: 1, action: { drop: 'after' } });
  await world.control.addFault({ operation, skip: 1, count: 1, action: { status: 400, code: 155201 } });
  await expect(subscribe(world)).rejects.toThrow('fetch failed');
  expect(await subscribe(world)).toMatchObject({ status: 400, body: { code: 155201 } });
  expect((await subscribe(world)).status).toBe(200);
  expect(await subscriptions(world)).toHaveLength(2);
  const journal = await world.control.journal({ operation });
  expect(journal.map(({ committed, status, code }) => [committed, status, code])).toEqual([
    [true, undefined, undefined],
    [false, 400, 155201],
    [true, 200, undefined],
  ]);
  expect((await world.control.faults()).map(({ struck }) => struck)).toEqual([1, 1]);
});

test('a request can be carried out and return 500', async () => {
  const world = await openWorld();
  await world.control.addFault({ operation: 'createSubscription', action: { status: 500, when: 'after' } });
  expect(await subscribe(world)).toMatchObject({ status: 500, body: { code: 500 } });
  expect(await subscriptions(world)).toHaveLength(1);
});

test('a connection that breaks before the request is carried out has no effect', async () => {
  const world = await openWorld();
  await world.control.addFault({ method: 'post', pathPrefix: '/v2/', action: { drop: 'before' } });
  await expect(subscribe(world)).rejects.toThrow('fetch failed');
  expect(await subscriptions(world)).toHaveLength(0);
});

test('a response can be truncated, have wrong types, be HTML, redirect, or have extra headers', async () => {
  const world = await openWorld();
  const get = () =>
    fetch(`${world.url}/v1/w3s/config/entity`, {
      headers: { authorization: `Bearer ${world.apiKey}` },
      redirect: 'manual',
    });
  const suffer = async (action: Parameters<typeof world.control.addFault>[0]['action']) => {
    await world.control.clearFaults();
    await world.control.addFault({ action });
    return get();
  };
  await expect(suffer({ truncate: true }).then((response) => response.text())).rejects.toThrow('terminated');
  expect(await (await suffer({ wrongType: true })).json()).toEqual({ data: { appId: expect.any(Number) } });
  for (const [change, data] of [
    ['missing', {}],
    ['null', { appId: null }],
    ['wrongType', { appId: expect.any(Number) }],
    ['unknown', { appId: 'SOMETHING_NEW' }],
  ] as const) {
    expect(await (await suffer({ field: 'data.appId', change })).json()).toEqual({ data });
  }
  expect(await (await suffer({ field: 'data', change: 'extra' })).json()).toEqual({
    data: { appId: expect.any(String), somethingNew: expect.anything() },
  });
  const html = await suffer({ html: true });
  expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const moved = await suffer({ redirect: 'https://example.com/' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://example.com/']);
  const busy = await suffer({ status: 503, headers: { 'retry-after': '7' } });
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7']);
  await world.control.clearFaults();
  expect((await get()).status).toBe(200);
});

test('a delayed response belongs to a request that was carried out at once, a delayed request is carried out later', async () => {
  const world = await openWorld();
  const operation = 'createSubscription';
  const giveUp = async () => {
    const headers = { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ endpoint: receiver.url });
    const signal = AbortSignal.timeout(100);
    await expect(fetch(`${world.url}${PATH}`, { method: 'POST', headers, body, signal })).rejects.toThrow('timeout');
  };
  const committed = async () => (await world.control.journal({ operation })).filter((entry) => entry.committed).length;
  const { id } = await world.control.addFault({ operation, action: { delayMs: 60_000, when: 'after' } });
  await giveUp();
  await until(async () => (await committed()) === 1, 'the first request');
  await world.control.removeFault(id);
  await world.control.addFault({ operation, action: { delayMs: 300 } });
  await giveUp();
  expect(await subscriptions(world)).toHaveLength(1);
  await until(async () => (await committed()) === 2, 'the second request');
  expect(await subscriptions(world)).toHaveLength(2);
});

test('a share of requests fails, and the same ones in each world with the same key', async () => {
  const world = await openWorld({ limits: false });
  const run = async () => {
    await world.control.addFault({ operation: 'getEntityConfig', rate: 0.3, action: { status: 502 } });
    const statuses: number[] = [];
    for (let n = 0; n < 60; n++) statuses.push((await send(world, 'GET', '/v1/w3s/config/entity')).status);
    await world.control.reset();
    await world.control.changeSettings({ limits: false });
    return statuses;
  };
  const first = await run();
  expect(first.filter((status) => status === 502).length).toBeGreaterThan(5);
  expect(first.filter((status) => status === 200).length).toBeGreaterThan(20);
  expect(await run()).toEqual(first);
});

test('an invalid fault is rejected', async () => {
  const { control } = await openWorld();
  const unsendable = [
    { status: 400, headers: { x: 'a\r\nb' } },
    { status: 400, headers: { 'a b': 'c' } },
    { redirect: 'https://example.com/\n' },
  ];
  for (const action of unsendable) {
    await expect(control.call('POST', '/faults', { action })).rejects.toThrow('(400)');
  }
  await expect(control.call('POST', '/faults', { action: { drop: 'sometimes' } })).rejects.toThrow('(400)');
  await expect(control.call('POST', '/faults', { operation: 'nothing', action: { html: true } })).rejects.toThrow(
    '(400)',
  );
});
