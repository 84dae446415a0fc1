import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startEmulator } from '../../../src/emulator';
import { closeOwnEmulator, openWorld } from '../../support/emulator';
import { Receiver } from '../../support/receiver';
import { send } from './support';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.open();
});
afterAll(async () => {
  receiver.close();
  await closeOwnEmulator();
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ping responds without a key', async () => {
  const { url } = await openWorld();
  const response = await fetch(`${url}/ping`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ message: 'pong' });
});

test.each([
  [undefined, 401, 401],
  ['Basic abc', 401, 401],
  ['Bearer nonsense', 401, 401],
  ['Bearer LIVE_API_KEY:1234:5678', 401, 156007],
])('authorization %p is rejected', async (authorization, status, code) => {
  const { url } = await openWorld();
  const headers: Record<string, string> = authorization ? { authorization } : {};
  const response = await fetch(`${url}/v1/w3s/config/entity`, { headers });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ code, message: expect.any(String) });
});

test('an emulator without open worlds rejects unknown keys', async () => {
  const apiKey = 'TEST_API_KEY:1:2';
  const emulator = await startEmulator({ worlds: [{ apiKey }] });
  expect((await send({ url: emulator.url, apiKey }, 'GET', '/v1/w3s/config/entity')).status).toBe(200);
  const otherKey = await send({ url: emulator.url, apiKey: 'TEST_API_KEY:1:3' }, 'GET', '/v1/w3s/config/entity');
  expect(otherKey).toMatchObject({ status: 401, body: { code: 156007 } });
  await emulator.close();
});

test.each([
  [{ apiKey: 'LIVE_API_KEY:1:2' }, 'LIVE_API_KEY:emulator:'],
  [{ apiKey: 'secret-thing' }, 'TEST_API_KEY:<id>:<secret>'],
  [{ apiKey: 'TEST_API_KEY:1:2', entitySecret: 'abc' }, '64 hexadecimal characters'],
])('a world with %p is not opened', async (world, hint) => {
  await expect(startEmulator({ worlds: [world] })).rejects.toThrow(hint);
});

test('a revoked or restricted key is rejected until it is restored', async () => {
  const world = await openWorld();
  const status = async () => {
    const { status, body } = await send(world, 'GET', '/v1/w3s/config/entity');
    return [status, body.code];
  };
  await world.control.setKeyState('revoked');
  expect(await status()).toEqual([401, 156007]);
  await world.control.setKeyState('restricted');
  expect(await status()).toEqual([403, 3]);
  await world.control.setKeyState('active');
  expect(await status()).toEqual([200, undefined]);
});

test('every response has a request id: the given one if it is a UUID, otherwise a new one', async () => {
  const world = await openWorld();
  const givenId = '7b0e7f0e-3d43-4f6b-8f0c-0f6f6f1f2d11';
  const own = await send(world, 'GET', '/v1/w3s/config/entity', undefined, { 'x-request-id': givenId });
  expect(own.headers.get('x-request-id')).toBe(givenId);
  const other = await send(world, 'GET', '/v1/w3s/config/entity', undefined, { 'x-request-id': 'mine' });
  expect(other.headers.get('x-request-id')).toMatch(UUID);
  expect((await fetch(`${world.url}/v1/w3s/config/entity`)).headers.get('x-request-id')).toMatch(UUID);
  expect((await send(world, 'GET', '/nowhere')).headers.get('x-request-id')).toMatch(UUID);
});

test('the Date header is the world’s time', async () => {
  const world = await openWorld();
  await world.control.setSpeed(0);
  await world.control.advanceTo(new Date('2031-05-06T07:08:09Z'));
  const { headers } = await send(world, 'GET', '/v1/w3s/config/entity');
  expect(headers.get('date')).toBe('Tue, 06 May 2031 07:08:09 GMT');
});

test('unknown paths, methods and bodies are rejected in JSON', async () => {
  const world = await openWorld();
  expect(await send(world, 'GET', '/v1/w3s/nothing')).toMatchObject({ status: 404, body: { code: 404 } });
  expect(await send(world, 'DELETE', '/v1/w3s/wallets')).toMatchObject({ status: 405, body: { code: 405 } });
  const head = await fetch(`${world.url}/v1/w3s/wallets`, { method: 'HEAD' });
  expect(head.status).toBe(405);
  const path = '/v1/w3s/transactions/validateAddress';
  for (const body of ['{"address":', '[]', '"text"', 'null']) {
    expect(await send(world, 'POST', path, body)).toMatchObject({ status: 400, body: { code: 2 } });
  }
  expect(await send(world, 'POST', path, { address: 'x'.repeat(4_200_000) })).toMatchObject({
    status: 413,
    body: { code: 413, message: expect.stringContaining('4194304') },
  });
});

test.each([
  ['GET', '/v1/w3s/wallets/%zz'],
  ['GET', '/v1/w3s/wallets/%ff'],
  ['GET', '/v1/w3s/wallets/%E0%A4%A?pageSize=%'],
  ['GET', `/v1/w3s/transactions/${'1'.repeat(101)}`],
  ['GET', `/v1/w3s/transactions/${'1'.repeat(10_000)}`],
])('%s %.40s: key and limit are checked before the id is rejected', async (method, path) => {
  const world = await openWorld();
  await world.control.setSpeed(0);
  await world.control.advanceTo(new Date('2031-05-06T07:08:09Z'));
  const requestId = '7b0e7f0e-3d43-4f6b-8f0c-0f6f6f1f2d11';
  const request = (headers = {}) => send(world, method, path, undefined, { 'x-request-id': requestId, ...headers });
  expect(await request({ authorization: '' })).toMatchObject({ status: 401, body: { code: 401 } });
  const { status, body, headers } = await request();
  expect([status, body.code]).toEqual([400, 156009]);
  expect(headers.get('x-request-id')).toBe(requestId);
  expect(headers.get('date')).toBe('Tue, 06 May 2031 07:08:09 GMT');
  const [entry] = await world.control.journal();
  expect(entry).toMatchObject({ path: path.split('?')[0], code: 156009 });
});

test('an unknown path that cannot be decoded is not found', async () => {
  const world = await openWorld();
  for (const path of ['/%zz', '/v1/w3s/%ff/%', '/emulator/%zz']) {
    expect(await send(world, 'GET', path)).toMatchObject({ status: 404, body: { code: 404 } });
  }
});

test('a client that reads only after sending everything still gets the error for a too large body', async () => {
  const { url } = await openWorld();
  // Much more than a connection buffers before the peer reads.
  const bytes = 20_000_000;
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.write(`POST /v1/w3s/transactions/validateAddress HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n`);
  socket.write('x'.repeat(bytes), () => socket.resume());
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 [^]*"code":413/);
});

test('an empty JSON body counts as no body', async () => {
  const world = await openWorld();
  const { body } = await send(world, 'POST', '/v2/notifications/subscriptions', { endpoint: receiver.url });
  expect((await send(world, 'DELETE', `/v2/notifications/subscriptions/${body.data.id}`)).status).toBe(204);
});

test('the worlds of two keys are independent', async () => {
  const [one, two] = [await openWorld(), await openWorld()];
  await send(one, 'POST', '/v2/notifications/subscriptions', { endpoint: receiver.url });
  expect((await send(one, 'GET', '/v2/notifications/subscriptions')).body.data).toHaveLength(1);
  expect((await send(two, 'GET', '/v2/notifications/subscriptions')).body.data).toHaveLength(0);
});
