import { randomUUID } from 'node:crypto';
import { closeOwnEmulator, openWorld, type TestWorld } from '../../support/emulator';
import { ciphertext, send } from './support';

afterAll(closeOwnEmulator);

const createSet = (world: TestWorld, body: object) =>
  send(world, 'POST', '/v1/w3s/developer/walletSets', { name: 'set', idempotencyKey: randomUUID(), ...body });

test('the public key says PKCS#1 in its armour, as the API does', async () => {
  const { body } = await send(await openWorld(), 'GET', '/v1/w3s/config/entity/publicKey');
  expect(body.data.publicKey).toMatch(/^-----BEGIN RSA PUBLIC KEY-----\n[\s\S]+-----END RSA PUBLIC KEY-----\n$/);
});

test('a write needs a ciphertext of the secret that is set', async () => {
  const world = await openWorld();
  expect(await createSet(world, {})).toMatchObject({
    status: 400,
    body: { code: 2, errors: [{ error: 'required', location: 'entitySecretCiphertext' }] },
  });
  for (const wrong of ['nonsense', await ciphertext(world, 'ab'.repeat(32))]) {
    const answer = await createSet(world, { entitySecretCiphertext: wrong });
    expect(answer).toMatchObject({ status: 400, body: { code: 156013 } });
  }
  expect(await createSet(world, { entitySecretCiphertext: await ciphertext(world) })).toMatchObject({ status: 201 });
});

test('a secret that is not set, or has to be rotated, is told', async () => {
  const world = await openWorld({ rotationDue: true });
  const entitySecretCiphertext = await ciphertext(world);
  expect(await createSet(world, { entitySecretCiphertext })).toMatchObject({ status: 403, body: { code: 156019 } });
  await world.control.setEntitySecret(null);
  expect(await createSet(world, { entitySecretCiphertext })).toMatchObject({ status: 403, body: { code: 156016 } });
});

test('of requests at the same time with one ciphertext one is accepted, and no endpoint takes it again', async () => {
  const world = await openWorld();
  const entitySecretCiphertext = await ciphertext(world);
  const answers = await Promise.all([1, 2, 3, 4].map(() => createSet(world, { entitySecretCiphertext })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 156004]));
  const elsewhere = await send(world, 'POST', '/v1/w3s/developer/wallets', {
    entitySecretCiphertext,
    idempotencyKey: randomUUID(),
    walletSetId: randomUUID(),
    blockchains: ['ETH-SEPOLIA'],
  });
  expect(elsewhere.body.code).toBe(156004);
});

test('a ciphertext is used up by a request that is refused later', async () => {
  const world = await openWorld();
  const entitySecretCiphertext = await ciphertext(world);
  const wallets = { walletSetId: randomUUID(), blockchains: ['ETH-SEPOLIA'], idempotencyKey: randomUUID() };
  const create = () => send(world, 'POST', '/v1/w3s/developer/wallets', { ...wallets, entitySecretCiphertext });
  expect((await create()).body.code).toBe(156005);
  expect((await create()).body.code).toBe(156004);
});
