import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Limits } from '../../../src/emulator/limits';
import { closeOwnEmulator, openWorld } from '../../support/emulator';
import { ciphertext, send, type ApiAnswer } from './support';

afterAll(closeOwnEmulator);

test('no second holds more requests than the limit, and none is refused without need', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 120 }), (gaps) => {
      const limits = new Limits();
      const taken: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const inWindow = taken.filter((time) => time > now - 1000).length;
        expect(limits.take('createTransfer', now)).toBe(inWindow < 5);
        if (inWindow < 5) taken.push(now);
      }
    }),
  );
});

test('above the limit is 429 with Retry-After, each endpoint for itself', async () => {
  const world = await openWorld();
  const many = (count: number, path: string) =>
    Promise.all(Array.from({ length: count }, () => send(world, 'GET', path)));
  const [config, subscriptions] = await Promise.all([
    many(60, '/v1/w3s/config/entity'),
    many(20, '/v2/notifications/subscriptions'),
  ]);
  expect(subscriptions.every(({ status }) => status === 200)).toBe(true);
  expect(config.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
  const limited = config.find(({ status }) => status === 429);
  expect(limited?.body).toEqual({ code: 429, message: expect.any(String) });
  expect(limited?.headers.get('retry-after')).toBe('1');
});

test('a limited request uses neither key nor ciphertext', async () => {
  const world = await openWorld();
  const create = (body: object) => send(world, 'POST', '/v1/w3s/developer/walletSets', body);
  let body: object;
  let answer: ApiAnswer;
  // On a slow machine the second is over before the last request, which is then let through.
  do {
    body = { idempotencyKey: randomUUID(), entitySecretCiphertext: await ciphertext(world) };
    await Promise.all([1, 2, 3, 4, 5].map(() => create({ idempotencyKey: randomUUID() })));
    answer = await create(body);
  } while (answer.status !== 429);
  await world.control.changeSettings({ limits: false });
  expect((await create(body)).status).toBe(201);
});
