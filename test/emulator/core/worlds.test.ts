import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { TestUser } from '../users/support';

afterAll(closeOwnEmulator);

/** Everything that controls show of a world, except the list of all worlds. */
async function readEverything(client: TestClient) {
  const paths = ['/clock', '/settings', '/key', '/faults', '/webhooks/faults', '/webhooks/deliveries', '/challenges'];
  const more = ['/mails', '/travelRule', '/travelRule/vasps', '/ramp/rates', '/burns', '/tokens', '/templates'];
  const rest = ['/journal', '/ledger/audit', '/overview', '/travelRule/thresholds/US'];
  return Promise.all(
    [...paths, ...more, ...rest].map(async (path) => {
      const { worlds: _worlds, ...own } = (await client.control('GET', path)).body;
      return [path, own];
    }),
  );
}

test('an event in one world never affects another world', async () => {
  const quiet = await TestClient.open();
  const wallet = await quiet.fundedWallet();
  await TestUser.initialized(quiet, ['ETH-SEPOLIA']);
  const before = await readEverything(quiet);

  const busy = await TestClient.open();
  const receiver = await busy.subscribe();
  const own = await busy.fundedWallet();
  const user = await TestUser.initialized(busy, ['ETH-SEPOLIA']);
  for (const [method, path, body] of [
    ['POST', '/clock/advance', { durationMs: 86_400_000 }],
    ['POST', '/clock/speed', { speed: 60 }],
    ['PATCH', '/settings', { idempotency: 'replay', limits: true, smtp: 'missing', rampMarkup: 50 }],
    ['POST', '/transactions/next', { stuck: true }],
    ['POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 1 }],
    ['POST', '/chains/ETH-SEPOLIA/down', { down: true }],
    ['POST', `/wallets/${own.id}/freeze`, undefined],
    ['POST', `/users/${user.id}/disable`, undefined],
    ['POST', '/tokens', { blockchain: 'ETH-SEPOLIA', tokenAddress: own.address }],
    ['PUT', '/ramp/rates', { fiatCurrency: 'USD', shiftPpm: 1000 }],
    ['PUT', '/travelRule/thresholds/US', { message: '1' }],
    ['PUT', `/screening/${own.address}`, { rule: 'Your blocklist' }],
    ['PUT', '/fastPool', { allowance: '1' }],
    ['POST', '/webhooks/faults', { action: 'lose' }],
    ['POST', '/webhooks', { notificationType: 'transactions.outbound', notification: {} }],
    ['POST', '/faults', { action: { status: 500 } }],
    ['PUT', '/key', { state: 'revoked' }],
  ] as const) {
    const { status, body: response } = await busy.control(method, path, body);
    expect({ path, done: status < 300, response }).toEqual({ path, done: true, response });
  }
  expect((await busy.get('/wallets')).status).toBe(500);

  expect(await readEverything(quiet)).toEqual(before);
  // Nor does one world see the other's data, blockchains, lists or webhooks.
  expect((await quiet.get(`/wallets/${own.id}`)).code).toBe(156001);
  expect((await quiet.get(`/users/${user.id}`)).status).toBe(404);
  const { data } = await quiet.transfer(wallet, { destinationAddress: own.address });
  await quiet.settle();
  expect((await quiet.transaction(data.id as string)).state).toBe('COMPLETE');
  expect((await quiet.audit()).ok).toBe(true);
  receiver.close();
});

test('worlds do not share limits, idempotency keys or ciphertexts', async () => {
  const [one, other] = await Promise.all([TestClient.open({ limits: true }), TestClient.open({ limits: true })]);
  const statuses = async (client: TestClient) =>
    (await Promise.all(Array.from({ length: 25 }, () => client.get('/wallets')))).map(({ status }) => status);
  expect(new Set(await statuses(one))).toEqual(new Set([200, 429]));
  expect((await other.get('/wallets')).status).toBe(200);

  const idempotencyKey = randomUUID();
  for (const client of [one, other]) {
    const { status } = await client.postWithKey('/developer/walletSets', { idempotencyKey, name: 'test' });
    expect(status).toBe(201);
  }
});
