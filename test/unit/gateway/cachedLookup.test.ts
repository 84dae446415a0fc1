import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../src/api';
import { generateWebhookKey } from '../../../src/crypto/webhookSignature';
import { CachedLookup, isId } from '../../../src/gateway/cachedLookup';
import { RateLimiter } from '../../../src/gateway/rateLimiter';
import { webhookKeyFetcher } from '../../../src/gateway/webhookKeyFetcher';

const { publicKey } = generateWebhookKey();
const MINUTE = 60_000;

/** An API that has keys for some ids and records the requested ids. */
function api(known: string[], key: { publicKey: string } = { publicKey }) {
  const requested: string[] = [];
  let down = false;
  return {
    requested,
    known,
    fail: (value: boolean) => (down = value),
    getNotificationKey: async ({ params: { id } }: { params: { id: string } }) => {
      requested.push(id);
      await Promise.resolve();
      if (down) throw apiError(500, 'transient');
      if (!known.includes(id)) throw apiError(404, 'refused');
      return { data: { id, algorithm: 'ECDSA_SHA_256', createDate: '2026-01-01T00:00:00Z', ...key } };
    },
  };
}

function apiError(status: number, kind: 'refused' | 'transient'): ApiError {
  return new ApiError({
    code: status,
    name: 'Rejected',
    status,
    endpoint: 'getNotificationKey',
    kind,
    condition: '',
    remedy: '',
    outcome: 'none',
  } as ConstructorParameters<typeof ApiError>[0]);
}

function keysOf(known: string[], perMinute = 10) {
  let now = 1;
  const clock = () => now;
  const server = api(known);
  // oxlint-disable-next-line typescript/no-explicit-any -- only the part of the operation that is called
  const keys = new CachedLookup(webhookKeyFetcher(server as any), new RateLimiter(perMinute, clock), clock);
  return { keys, server, pass: (milliseconds: number) => (now += milliseconds) };
}

test('only a UUID is an id', () => {
  for (const text of [
    '../../wallets',
    'x?y=1',
    '',
    `${randomUUID()}/..`,
    ` ${randomUUID()}`,
    undefined,
    [randomUUID()],
  ]) {
    expect(isId(text)).toBe(false);
  }
  expect(isId(randomUUID())).toBe(true);
  expect(isId(randomUUID().toUpperCase())).toBe(true);
});

const AGE = 10 * MINUTE;

test('a key is fetched once for all concurrent webhooks, and once more when it has its age', async () => {
  const id = randomUUID();
  const { keys, server, pass } = keysOf([id]);
  const all = async () => {
    const results = await Promise.all(Array.from({ length: 200 }, () => keys.get(id)));
    return [...new Set(results.map((result) => JSON.stringify(result)))];
  };
  expect(await all()).toEqual([JSON.stringify({ found: publicKey })]);
  pass(AGE - 1);
  expect(await keys.get(id.toUpperCase())).toEqual({ found: publicKey });
  expect(server.requested).toEqual([id]);
  pass(1);
  expect(await all()).toEqual([JSON.stringify({ found: publicKey })]);
  expect(server.requested).toEqual([id, id]);
});

test('a key that the API no longer knows is gone when it has its age', async () => {
  const id = randomUUID();
  const { keys, server, pass } = keysOf([id]);
  await keys.get(id);
  server.known.length = 0;
  pass(AGE);
  expect(await keys.get(id)).toBe('unknown');
  expect(await keys.get(id)).toBe('unknown');
  expect(server.requested).toHaveLength(2);
});

test('a key serves on through an outage, with one request a minute, and is gone if it was revoked meanwhile', async () => {
  const id = randomUUID();
  const { keys, server, pass } = keysOf([id]);
  await keys.get(id);
  server.fail(true);
  pass(AGE);
  for (let n = 0; n < 50; n++) expect(await keys.get(id)).toEqual({ found: publicKey });
  expect(server.requested).toHaveLength(2);
  pass(MINUTE);
  expect(await keys.get(id)).toEqual({ found: publicKey });
  expect(server.requested).toHaveLength(3);
  pass(24 * 60 * MINUTE);
  expect(await keys.get(id)).toEqual({ found: publicKey });
  server.fail(false);
  server.known.length = 0;
  pass(MINUTE);
  expect(await keys.get(id)).toBe('unknown');
});

test('a flood of unknown ids does not keep a revoked key trusted', async () => {
  const id = randomUUID();
  const { keys, server, pass } = keysOf([id], 3);
  await keys.get(id);
  server.known.length = 0;
  pass(AGE);
  for (let n = 0; n < 10; n++) await keys.get(randomUUID());
  expect(await keys.get(randomUUID())).toBe('unavailable');
  expect(await keys.get(id)).toBe('unknown');
});

test('an unknown id is requested once in five minutes', async () => {
  const { keys, server, pass } = keysOf([]);
  const id = randomUUID();
  for (let n = 0; n < 200; n++) expect(await keys.get(id)).toBe('unknown');
  expect(server.requested).toHaveLength(1);
  pass(5 * MINUTE + 1);
  expect(await keys.get(id)).toBe('unknown');
  expect(server.requested).toHaveLength(2);
});

test('new unknown ids cost no more requests than the rate limit allows, and known keys keep working', async () => {
  const id = randomUUID();
  const { keys, server, pass } = keysOf([id], 3);
  await keys.get(id);
  const results = await Promise.all(Array.from({ length: 200 }, () => keys.get(randomUUID())));
  expect(results.filter((result) => result === 'unknown')).toHaveLength(2);
  expect(results.filter((result) => result === 'unavailable')).toHaveLength(198);
  expect(server.requested).toHaveLength(3);
  expect(await keys.get(id)).toEqual({ found: publicKey });
  pass(MINUTE + 1);
  expect(await keys.get(randomUUID())).toBe('unknown');
});

test('a failed request does not make an id unknown', async () => {
  const id = randomUUID();
  const { keys, server } = keysOf([id]);
  server.fail(true);
  expect(await keys.get(id)).toBe('unavailable');
  server.fail(false);
  expect(await keys.get(id)).toEqual({ found: publicKey });
});

test('a key that is not on P-256 is not cached', async () => {
  const id = randomUUID();
  const server = api([id], { publicKey: 'bm8ga2V5' });
  // oxlint-disable-next-line typescript/no-explicit-any -- only the part of the operation that is called
  const keys = new CachedLookup(webhookKeyFetcher(server as any), new RateLimiter(10));
  expect(await keys.get(id)).toBe('unavailable');
  expect(await keys.get(id)).toBe('unavailable');
  expect(server.requested).toHaveLength(2);
});
