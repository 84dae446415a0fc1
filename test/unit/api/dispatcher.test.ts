import { fetch } from 'undici';
import { BlockedRequestError, createDispatcher } from '../../../src/api/dispatcher';
import { json, startServer, type TestServer } from './server';

let server: TestServer;
beforeAll(async () => {
  server = await startServer((response) => json(response, {}));
});
beforeEach(() => (server.seen.length = 0));
afterAll(() => server.close());

const send = (offline: boolean, origin: string, headers: Record<string, string> = {}) =>
  createDispatcher({ offline }).request({ origin, path: '/', method: 'POST', headers });

test.each(['https://api.circle.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1', 'http://0.0.0.0:1'])(
  'offline, a request to %s is blocked',
  async (origin) => {
    const error = await send(true, origin).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BlockedRequestError);
    expect((error as Error).message).toContain(new URL(origin).host);
  },
);

test('offline, this machine is reachable by each of its names', async () => {
  const { port } = new URL(server.origin);
  for (const host of ['127.0.0.1', 'localhost', '127.1']) {
    const { statusCode, body } = await send(true, new URL(`http://${host}:${port}`).origin);
    await body.dump();
    expect(statusCode).toBe(200);
  }
  expect(server.seen).toHaveLength(3);
});

test('offline, a real live key is blocked even on this machine, but an emulator key and a test key are not', async () => {
  const live = { Authorization: 'Bearer LIVE_API_KEY:id:canary' };
  await expect(send(true, server.origin, live)).rejects.toThrow(BlockedRequestError);
  await expect(send(true, server.origin, live)).rejects.not.toThrow('canary');
  await expect(
    fetch(server.origin, { headers: live, dispatcher: createDispatcher({ offline: true }) }),
  ).rejects.toThrow('fetch failed');
  expect(server.seen).toHaveLength(0);

  for (const key of ['LIVE_API_KEY:emulator:x', 'TEST_API_KEY:id:x']) {
    const { body } = await send(true, server.origin, { authorization: `Bearer ${key}` });
    await body.dump();
  }
  expect(server.seen).toHaveLength(2);
});

test('an emulator live key never leaves this machine, even online', async () => {
  const blocked = send(false, 'https://api.circle.com', { authorization: 'Bearer LIVE_API_KEY:emulator:x' });
  await expect(blocked).rejects.toThrow(BlockedRequestError);
});
