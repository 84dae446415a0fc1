import { randomUUID } from 'node:crypto';
import { closeOwnEmulator, openWorld, type TestWorld } from '../../support/emulator';
import { ciphertext, send } from './support';

afterAll(closeOwnEmulator);

async function create(world: TestWorld, idempotencyKey: string, name = 'set') {
  const entitySecretCiphertext = await ciphertext(world);
  return send(world, 'POST', '/v1/w3s/developer/walletSets', { idempotencyKey, name, entitySecretCiphertext });
}
const sets = async (world: TestWorld) => (await send(world, 'GET', '/v1/w3s/walletSets')).body.data.walletSets;

test('reject: a used key is refused, also at the same time', async () => {
  const world = await openWorld();
  const key = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => create(world, key)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403]);
  expect(await create(world, key.toUpperCase())).toMatchObject({ status: 403, body: { code: 156020 } });
  expect(await sets(world)).toHaveLength(1);
});

test('replay: the same request gets the first answer with status 200, another one is refused', async () => {
  const world = await openWorld({ idempotency: 'replay' });
  const key = randomUUID();
  const first = await create(world, key);
  const second = await create(world, key);
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toEqual(first.body);
  expect(await create(world, key, 'other name')).toMatchObject({ status: 403, body: { code: 156020 } });
  expect(await sets(world)).toHaveLength(1);
});

test('a refused request leaves its key unused', async () => {
  const world = await openWorld();
  const key = randomUUID();
  const refused = await send(world, 'POST', '/v1/w3s/developer/wallets', {
    idempotencyKey: key,
    walletSetId: randomUUID(),
    blockchains: ['ETH-SEPOLIA'],
    entitySecretCiphertext: await ciphertext(world),
  });
  expect(refused.body.code).toBe(156005);
  expect((await create(world, key)).status).toBe(201);
});
