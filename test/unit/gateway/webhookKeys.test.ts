import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../src/api';
import { generateWebhookKey } from '../../../src/crypto/webhookSignature';
import { Allowance } from '../../../src/gateway/allowance';
import { isId, Lookup } from '../../../src/gateway/lookup';
import { webhookKeys } from '../../../src/gateway/webhookKeys';

const { publicKey } = generateWebhookKey();
const MINUTE = 60_000;

/** An API that knows some ids, and counts what it is asked. */
function api(known: string[], answer: { publicKey: string } = { publicKey }) {
  const asked: string[] = [];
  let down = false;
  return {
    asked,
    fail: (value: boolean) => (down = value),
    getNotificationKey: async ({ params: { id } }: { params: { id: string } }) => {
      asked.push(id);
      await Promise.resolve();
      if (down) throw apiError(500, 'transient');
      if (!known.includes(id)) throw apiError(404, 'refused');
      return { data: { id, algorithm: 'ECDSA_SHA_256', createDate: '2026-01-01T00:00:00Z', ...answer } };
    },
  };
}

function apiError(status: number, kind: 'refused' | 'transient'): ApiError {
  return new ApiError({
    code: status,
    name: 'Refused',
    status,
    endpoint: 'getNotificationKey',
    kind,
    condition: '',
    remedy: '',
    outcome: 'none',
  } as ConstructorParameters<typeof ApiError>[0]);
}

function keysOf(known: string[], perMinute = 10) {
  let now = 0;
  const clock = () => now;
  const server = api(known);
  // oxlint-disable-next-line typescript/no-explicit-any -- only the part of the operation that is called
  const keys = new Lookup(webhookKeys(server as any), new Allowance(perMinute, clock), clock);
  return { keys, server, pass: (milliseconds: number) => (now += milliseconds) };
}

test('WH-02: only UUIDs are ids', () => {
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

test('WH-02: a key is fetched once, however many ask for it at once and later', async () => {
  const id = randomUUID();
  const { keys, server, pass } = keysOf([id]);
  const answers = await Promise.all(Array.from({ length: 200 }, () => keys.get(id)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ found: publicKey })]),
  );
  pass(24 * 60 * MINUTE);
  expect(await keys.get(id.toUpperCase())).toEqual({ found: publicKey });
  expect(server.asked).toEqual([id]);
});

test('WH-02: an unknown id is asked for once in five minutes', async () => {
  const { keys, server, pass } = keysOf([]);
  const id = randomUUID();
  for (let n = 0; n < 200; n++) expect(await keys.get(id)).toBe('unknown');
  expect(server.asked).toHaveLength(1);
  pass(5 * MINUTE + 1);
  expect(await keys.get(id)).toBe('unknown');
  expect(server.asked).toHaveLength(2);
});

test('WH-02: ever new ids cost no more than the allowance of the process, and known keys work on', async () => {
  const id = randomUUID();
  const { keys, server, pass } = keysOf([id], 3);
  await keys.get(id);
  const answers = await Promise.all(Array.from({ length: 200 }, () => keys.get(randomUUID())));
  expect(answers.filter((answer) => answer === 'unknown')).toHaveLength(2);
  expect(answers.filter((answer) => answer === 'unavailable')).toHaveLength(198);
  expect(server.asked).toHaveLength(3);
  expect(await keys.get(id)).toEqual({ found: publicKey });
  pass(MINUTE + 1);
  expect(await keys.get(randomUUID())).toBe('unknown');
});

test('an API that does not answer makes no id unknown', async () => {
  const id = randomUUID();
  const { keys, server } = keysOf([id]);
  server.fail(true);
  expect(await keys.get(id)).toBe('unavailable');
  server.fail(false);
  expect(await keys.get(id)).toEqual({ found: publicKey });
});

test('what is no P-256 key is not kept', async () => {
  const id = randomUUID();
  const server = api([id], { publicKey: 'bm8ga2V5' });
  // oxlint-disable-next-line typescript/no-explicit-any -- only the part of the operation that is called
  const keys = new Lookup(webhookKeys(server as any), new Allowance(10));
  expect(await keys.get(id)).toBe('unavailable');
  expect(await keys.get(id)).toBe('unavailable');
  expect(server.asked).toHaveLength(2);
});
