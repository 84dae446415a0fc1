import { randomUUID } from 'node:crypto';
import { closeOwnEmulator, openWorld, type TestWorld } from '../../support/emulator';
import { STRANGER, TestClient } from '../chain/support';
import { ciphertext, send } from './support';

afterAll(closeOwnEmulator);

async function create(world: TestWorld, idempotencyKey: string, name = 'set') {
  const entitySecretCiphertext = await ciphertext(world);
  return send(world, 'POST', '/v1/w3s/developer/walletSets', { idempotencyKey, name, entitySecretCiphertext });
}
const sets = async (world: TestWorld) => (await send(world, 'GET', '/v1/w3s/walletSets')).body.data.walletSets;

test('mode reject: a used key is rejected, even for concurrent requests', async () => {
  const world = await openWorld();
  const key = randomUUID();
  const responses = await Promise.all([1, 2, 3].map(() => create(world, key)));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403]);
  expect(await create(world, key.toUpperCase())).toMatchObject({ status: 403, body: { code: 156020 } });
  expect(await sets(world)).toHaveLength(1);
});

test('mode replay: the same request gets the first response with status 200, a different request is rejected', async () => {
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

test('a rejected request does not use its key', async () => {
  const world = await openWorld();
  const key = randomUUID();
  const rejected = await send(world, 'POST', '/v1/w3s/developer/wallets', {
    idempotencyKey: key,
    walletSetId: randomUUID(),
    blockchains: ['ETH-SEPOLIA'],
    entitySecretCiphertext: await ciphertext(world),
  });
  expect(rejected.body.code).toBe(156005);
  expect((await create(world, key)).status).toBe(201);
});

describe('with keyUse: every', () => {
  const USED = { status: 403, body: { code: 156020 } };

  test('a rejected request uses up its key, and a later request with the key is 156020 in both modes', async () => {
    for (const idempotency of ['reject', 'replay'] as const) {
      const world = await openWorld({ idempotency, keyUse: 'every' });
      const key = randomUUID();
      expect((await create(world, key, 'n'.repeat(2000))).body.code).toBe(2);
      expect(await create(world, key.toUpperCase())).toMatchObject(USED);
      expect(await create(world, randomUUID())).toMatchObject({ status: 201 });
      expect(await sets(world)).toHaveLength(1);
    }
  });

  test('a limited request uses up its key', async () => {
    const world = await openWorld({ keyUse: 'every' });
    const flood = () => Promise.all(Array.from({ length: 6 }, () => create(world, randomUUID())));
    // On a slow machine six requests take more than the second that the limit counts.
    let limited;
    do limited = (await flood()).find(({ status }) => status === 429);
    while (!limited);
    const { idempotencyKey } = (await world.control.journal({ operation: 'createWalletSet' })).find(
      ({ status }) => status === 429,
    )!;
    await world.control.changeSettings({ limits: false });
    expect(await create(world, idempotencyKey!)).toMatchObject(USED);
  });

  test.each([
    ['a 4xx', { status: 429 }, USED],
    ['a 5xx', { status: 503 }, { status: 201 }],
    ['a broken connection', { drop: 'before' as const }, { status: 201 }],
  ])('%s of a fault before the request counts as a rejection only if it is a 4xx', async (_name, action, expected) => {
    const world = await openWorld({ keyUse: 'every' });
    await world.control.addFault({ operation: 'createWalletSet', count: 1, action });
    const key = randomUUID();
    await create(world, key).catch(() => undefined);
    expect(await create(world, key)).toMatchObject(expected);
  });
});

test.each([
  ['an infinite number', '1e999'],
  ['very deep nesting', `${'['.repeat(2500)}${']'.repeat(2500)}`],
])('a request with %s is rejected, both at first and when repeated', async (_case, parameter) => {
  const client = await TestClient.open();
  const wallet = await client.fundedWallet();
  const body = async () => {
    const fields = {
      idempotencyKey: '0190a1b2-0000-7000-8000-000000000002',
      ...(await client.ciphertext()),
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
    expect(await send(client.world, 'POST', path, await body())).toMatchObject({ status: 400, body: { code: 2 } });
  }
  expect((await client.get('/transactions?txType=OUTBOUND')).data.transactions).toEqual([]);
});
