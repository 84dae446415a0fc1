import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { closeOwnEmulator, openWorld } from '../../support/emulator';
import { ciphertext, send } from './support';

afterAll(closeOwnEmulator);

test('the controls are listed, and the error for an unknown control names the list', async () => {
  const world = await openWorld();
  const { body } = await send(world, 'GET', '/emulator/controls');
  expect(body.controls).toContainEqual({ control: 'POST /clock/advance', summary: expect.any(String) });
  expect(await send(world, 'POST', '/emulator/clock/forward')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('POST /clock/advance') },
  });
});

test('a control needs the API key of a world', async () => {
  const { url } = await openWorld();
  expect((await fetch(`${url}/emulator/clock`)).status).toBe(401);
  const live = await send({ url, apiKey: 'LIVE_API_KEY:1:2' }, 'GET', '/emulator/clock');
  expect(live).toMatchObject({ status: 401, body: { code: 156007 } });
});

test('a world can be selected by its id instead of its key, and is listed without its secret', async () => {
  const { url, apiKey } = await openWorld();
  const { worlds } = (await (await fetch(`${url}/emulator/worlds`)).json()) as {
    worlds: { id: string; name: string }[];
  };
  const { id, ...shown } = worlds.find(({ name }) => apiKey.startsWith(`${name}:`))!;
  expect(JSON.stringify(shown)).not.toContain(apiKey.split(':')[2]);
  const response = await fetch(`${url}/emulator/clock`, { headers: { 'x-emulator-world': id } });
  expect(await response.json()).toMatchObject({ speed: expect.any(Number) });
  expect((await fetch(`${url}/emulator/clock`, { headers: { 'x-emulator-world': 'nix' } })).status).toBe(404);
});

test('a request with another host name is rejected, since it may come from a web page', async () => {
  const { url, apiKey } = await openWorld();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'evil.example', authorization: `Bearer ${apiKey}` };
    request(`${url}/emulator/clock`, { headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

test('the journal lists each attempt and contains no secret', async () => {
  const world = await openWorld();
  const key = randomUUID();
  for (const _attempt of [1, 2]) {
    await send(world, 'POST', '/v1/w3s/developer/walletSets', {
      idempotencyKey: key,
      name: 'canary-name',
      entitySecretCiphertext: await ciphertext(world),
    });
  }
  const entries = await world.control.journal({ operation: 'createWalletSet' });
  expect(entries).toMatchObject([
    { idempotencyKey: key, status: 201, committed: true },
    { idempotencyKey: key, status: 403, code: 156020, committed: false, attemptOf: entries[0]?.seq },
  ]);
  expect(entries[0]?.attemptOf).toBeUndefined();
  expect(new Set(entries.map(({ ciphertextDigest }) => ciphertextDigest)).size).toBe(2);
  const text = JSON.stringify(await world.control.journal());
  for (const secret of [world.apiKey, world.entitySecret, 'canary-name']) expect(text).not.toContain(secret);
  expect(await world.control.journal({ since: entries[1]!.seq })).toEqual([]);
  expect((await world.control.counts()).createWalletSet).toEqual({
    requests: 2,
    committed: 1,
    answers: { 201: 1, 403: 1 },
  });
  await world.control.clearJournal();
  expect(await world.control.journal()).toEqual([]);
});

test('settings can be changed one by one and are validated', async () => {
  const { control } = await openWorld();
  await control.changeSettings({ idempotency: 'replay' });
  expect(await control.changeSettings({ appId: null })).toMatchObject({
    idempotency: 'replay',
    limits: true,
    appId: null,
  });
  await expect(control.changeSettings({ maxFeeNative: '-1' })).rejects.toThrow('(400)');
  await expect(control.call('PATCH', '/settings', { limit: true })).rejects.toThrow('(400)');
});

test('an entity without configuration leads to an error', async () => {
  const world = await openWorld({ appId: null });
  expect(await send(world, 'GET', '/v1/w3s/config/entity')).toMatchObject({ status: 400, body: { code: 156008 } });
});

test('a reset restores the world and keeps its secret', async () => {
  const world = await openWorld();
  const create = async () =>
    send(world, 'POST', '/v1/w3s/developer/walletSets', {
      idempotencyKey: '7b0e7f0e-3d43-4f6b-8f0c-0f6f6f1f2d11',
      entitySecretCiphertext: await ciphertext(world),
    });
  const before = await create();
  await world.control.reset();
  expect((await send(world, 'GET', '/v1/w3s/walletSets')).body.data.walletSets).toEqual([]);
  const after = await create();
  expect(after.status).toBe(201);
  expect(after.body.data.walletSet.id).toBe(before.body.data.walletSet.id);
});

test('latency is added to every request', async () => {
  const world = await openWorld({ latency: { meanMs: 80, jitterMs: 20 } });
  const begun = performance.now();
  await send(world, 'GET', '/v1/w3s/config/entity');
  expect(performance.now() - begun).toBeGreaterThan(55);
});
