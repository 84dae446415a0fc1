import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { RateLimits } from '../../../src/emulator/requests/rateLimits';
import { closeOwnEmulator, openWorld } from '../../support/emulator';
import { type ApiTestResponse, ciphertext, send } from './support';

afterAll(closeOwnEmulator);

test('no second has more requests than the limit, and no request is rejected unnecessarily', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 120 }), (gaps) => {
      const limits = new RateLimits();
      const accepted: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const inWindow = accepted.filter((time) => time > now - 1000).length;
        expect(limits.take('createTransfer', now)).toBe(inWindow < 5);
        if (inWindow < 5) accepted.push(now);
      }
    }),
  );
});

test('a request above the limit of its endpoint gets 429 with Retry-After', async () => {
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

test('a rate-limited request uses up neither key nor ciphertext', async () => {
  const world = await openWorld();
  const create = (body: object) => send(world, 'POST', '/v1/w3s/developer/walletSets', body);
  let body: object;
  let response: ApiTestResponse;
  // On a slow machine the second may be over before the last request, which is then accepted.
  do {
    body = { idempotencyKey: randomUUID(), entitySecretCiphertext: await ciphertext(world) };
    await Promise.all([1, 2, 3, 4, 5].map(() => create({ idempotencyKey: randomUUID() })));
    response = await create(body);
  } while (response.status !== 429);
  await world.control.changeSettings({ limits: false });
  expect((await create(body)).status).toBe(201);
});
