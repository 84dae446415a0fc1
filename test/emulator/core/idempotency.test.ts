import { randomUUID } from 'node:crypto';
import { Chain, STRANGER } from '../chain/support';
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
  expect(await create(world, key.toUpperCase())).toMatchObject({ status: 200, body: first.body });
  const attempts = await world.control.journal({ operation: 'createWalletSet' });
  expect(attempts.map(({ attemptOf }) => attemptOf !== undefined)).toEqual([false, true, true]);
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

test.each([
  ['a number that is infinite', '1e999'],
  ['nesting without end', `${'['.repeat(2500)}${']'.repeat(2500)}`],
])('%s: refused, carried out neither now nor when it is tried again', async (_what, parameter) => {
  const chain = await Chain.open();
  const wallet = await chain.funded();
  const body = async () => {
    const fields = {
      idempotencyKey: '0190a1b2-0000-7000-8000-000000000002',
      ...(await chain.ciphertext()),
      walletId: wallet.id,
      contractAddress: STRANGER,
      abiFunctionSignature: 'f(string)',
      abiParameters: ['HERE'],
      feeLevel: 'MEDIUM',
    };
    return JSON.stringify(fields).replace('"HERE"', parameter);
  };
  const path = '/v1/w3s/developer/transactions/contractExecution';
  for (let attempt = 1; attempt <= 2; attempt++) {
    expect(await send(chain.world, 'POST', path, await body())).toMatchObject({ status: 400, body: { code: 2 } });
  }
  expect((await chain.get('/transactions?txType=OUTBOUND')).data.transactions).toEqual([]);
});
