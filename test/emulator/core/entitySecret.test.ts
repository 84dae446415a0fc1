import { randomBytes, randomUUID } from 'node:crypto';
import { closeOwnEmulator, openWorld, type TestWorld } from '../../support/emulator';
import { ciphertext, send } from './support';

afterAll(closeOwnEmulator);

const createSet = (world: TestWorld, body: object) =>
  send(world, 'POST', '/v1/w3s/developer/walletSets', { name: 'set', idempotencyKey: randomUUID(), ...body });

test('the public key has the armour of PKCS#1, as in the API', async () => {
  const { body } = await send(await openWorld(), 'GET', '/v1/w3s/config/entity/publicKey');
  expect(body.data.publicKey).toMatch(/^-----BEGIN RSA PUBLIC KEY-----\n[\s\S]+-----END RSA PUBLIC KEY-----\n$/);
});

test('a write needs a ciphertext of the registered secret', async () => {
  const world = await openWorld();
  expect(await createSet(world, {})).toMatchObject({
    status: 400,
    body: { code: 2, errors: [{ error: 'required', location: 'entitySecretCiphertext' }] },
  });
  for (const wrong of ['nonsense', await ciphertext(world, 'ab'.repeat(32))]) {
    const response = await createSet(world, { entitySecretCiphertext: wrong });
    expect(response).toMatchObject({ status: 400, body: { code: 156013 } });
  }
  expect(await createSet(world, { entitySecretCiphertext: await ciphertext(world) })).toMatchObject({ status: 201 });
});

test('a missing secret or a due rotation leads to an error', async () => {
  const world = await openWorld({ rotationDue: true });
  const entitySecretCiphertext = await ciphertext(world);
  expect(await createSet(world, { entitySecretCiphertext })).toMatchObject({ status: 403, body: { code: 156019 } });
  await world.control.setEntitySecret(null);
  expect(await createSet(world, { entitySecretCiphertext })).toMatchObject({ status: 403, body: { code: 156016 } });
});

test('only one of several concurrent requests with one ciphertext is accepted, and no endpoint accepts it again', async () => {
  const world = await openWorld();
  const entitySecretCiphertext = await ciphertext(world);
  const responses = await Promise.all([1, 2, 3, 4].map(() => createSet(world, { entitySecretCiphertext })));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  expect(new Set(responses.map(({ body }) => body.code))).toEqual(new Set([undefined, 156004]));
  const elsewhere = await send(world, 'POST', '/v1/w3s/developer/wallets', {
    entitySecretCiphertext,
    idempotencyKey: randomUUID(),
    walletSetId: randomUUID(),
    blockchains: ['ETH-SEPOLIA'],
  });
  expect(elsewhere.body.code).toBe(156004);
});

test('a ciphertext is used up even if the request is rejected later', async () => {
  const world = await openWorld();
  const entitySecretCiphertext = await ciphertext(world);
  const wallets = { walletSetId: randomUUID(), blockchains: ['ETH-SEPOLIA'], idempotencyKey: randomUUID() };
  const create = () => send(world, 'POST', '/v1/w3s/developer/wallets', { ...wallets, entitySecretCiphertext });
  expect((await create()).body.code).toBe(156005);
  expect((await create()).body.code).toBe(156004);
});

describe('an own entity secret', () => {
  const PATH = '/v1/w3s/config/entity/entitySecret';
  const newSecret = () => randomBytes(32).toString('hex');
  const register = (world: TestWorld, entitySecretCiphertext: string) =>
    send(world, 'POST', PATH, { entitySecretCiphertext });
  const rotate = (world: TestWorld, entitySecretCiphertext: string, newEntitySecretCiphertext: string) =>
    send(world, 'POST', '/emulator/entitySecret/rotate', { entitySecretCiphertext, newEntitySecretCiphertext });
  const reset = (world: TestWorld, recoveryFile: string, newEntitySecretCiphertext: string) =>
    send(world, 'POST', '/emulator/entitySecret/reset', { recoveryFile, newEntitySecretCiphertext });
  const createWith = async (world: TestWorld, secret: string) =>
    (await createSet(world, { entitySecretCiphertext: await ciphertext(world, secret) })).body.code;

  /** Opens a world and registers its secret through the API. */
  async function registered() {
    const world = await openWorld();
    await world.control.setEntitySecret(null);
    const { body } = await register(world, await ciphertext(world));
    return { world, recoveryFile: body.data.recoveryFile as string };
  }

  test('can be registered once, returns a recovery file and is required from then on', async () => {
    const world = await openWorld({ limits: false });
    await world.control.setEntitySecret(null);
    expect(await createWith(world, world.entitySecret)).toBe(156016);

    for (const wrong of ['nonsense', Buffer.alloc(512).toString('base64')]) {
      expect(await register(world, wrong)).toMatchObject({ status: 400, body: { code: 156013 } });
    }
    expect(await register(world, '')).toMatchObject({ status: 400, body: { code: 2 } });
    const usedCiphertext = await ciphertext(world);
    const first = await register(world, usedCiphertext);
    expect(first).toMatchObject({ status: 200, body: { data: { recoveryFile: expect.any(String) } } });
    expect(Buffer.from(first.body.data.recoveryFile, 'base64')).toHaveLength(53);
    expect(await createWith(world, world.entitySecret)).toBeUndefined();
    expect(await createSet(world, { entitySecretCiphertext: usedCiphertext })).toMatchObject({
      body: { code: 156004 },
    });
    for (const again of [usedCiphertext, await ciphertext(world, newSecret())]) {
      expect(await register(world, again)).toMatchObject({ status: 409, body: { code: 156015 } });
    }
    expect(JSON.stringify(await world.control.journal())).not.toContain(first.body.data.recoveryFile);
  });

  test('cannot be registered with a used ciphertext', async () => {
    const world = await openWorld();
    const used = await ciphertext(world);
    await createSet(world, { entitySecretCiphertext: used });
    await world.control.setEntitySecret(null);
    expect(await register(world, used)).toMatchObject({ status: 400, body: { code: 156004 } });
  });

  test('is rotated with the current secret, which becomes invalid at once, and the rotation is no longer due', async () => {
    const { world } = await registered();
    const next = newSecret();
    await world.control.changeSettings({ rotationDue: true });
    expect(await createWith(world, world.entitySecret)).toBe(156019);
    const wrong = await ciphertext(world, newSecret());
    expect(await rotate(world, wrong, await ciphertext(world, next))).toMatchObject({
      status: 400,
      body: { code: 156013 },
    });
    expect(await createWith(world, world.entitySecret)).toBe(156019);
    await world.control.rotateEntitySecret(await ciphertext(world), await ciphertext(world, next));
    expect(await createWith(world, world.entitySecret)).toBe(156013);
    expect(await createWith(world, next)).toBeUndefined();
  });

  test('can be reset only with the latest recovery file', async () => {
    const { world, recoveryFile } = await registered();
    const other = await registered();
    const next = newSecret();
    const bytes = Buffer.from(recoveryFile, 'base64');
    bytes[10]! ^= 1;
    for (const invalid of ['', 'nonsense', bytes.toString('base64'), other.recoveryFile]) {
      expect(await reset(world, invalid, await ciphertext(world, next))).toMatchObject({
        status: 403,
        body: { code: 156018 },
      });
    }
    expect(await createWith(world, world.entitySecret)).toBeUndefined();
    expect(await reset(world, recoveryFile, 'nonsense')).toMatchObject({ body: { code: 156013 } });

    const newFile = await world.control.resetEntitySecret(recoveryFile, await ciphertext(world, next));
    expect(await createWith(world, world.entitySecret)).toBe(156013);
    expect(await createWith(world, next)).toBeUndefined();
    expect((await reset(world, recoveryFile, await ciphertext(world))).body.code).toBe(156018);
    await world.control.reset();
    expect((await reset(world, newFile, await ciphertext(world))).status).toBe(200);
    expect(await createWith(world, world.entitySecret)).toBeUndefined();
  });

  test('cannot be rotated or reset before it is registered', async () => {
    const { world, recoveryFile } = await registered();
    await world.control.setEntitySecret(null);
    for (const response of [
      await rotate(world, await ciphertext(world), await ciphertext(world)),
      await reset(world, recoveryFile, await ciphertext(world)),
    ]) {
      expect(response).toMatchObject({ status: 403, body: { code: 156016 } });
    }
  });
});
