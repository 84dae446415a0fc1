import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { Person } from '../users/support';

afterAll(closeOwnEmulator);

/** Everything of a world that a control shows, but the list of all worlds, which is nobody's own. */
async function everything(chain: Chain) {
  const paths = ['/clock', '/settings', '/key', '/faults', '/webhooks/faults', '/webhooks/deliveries', '/challenges'];
  const more = ['/mails', '/travelRule', '/travelRule/vasps', '/ramp/rates', '/burns', '/tokens', '/templates'];
  const rest = ['/journal', '/ledger/audit', '/overview', '/travelRule/thresholds/US'];
  return Promise.all(
    [...paths, ...more, ...rest].map(async (path) => {
      const { worlds: _worlds, ...own } = (await chain.control('GET', path)).body;
      return [path, own];
    }),
  );
}

test('of two worlds side by side, nothing that happens in one touches the other', async () => {
  const quiet = await Chain.open();
  const wallet = await quiet.funded();
  await Person.initialized(quiet, ['ETH-SEPOLIA']);
  const before = await everything(quiet);

  const busy = await Chain.open();
  const receiver = await busy.subscribe();
  const own = await busy.funded();
  const person = await Person.initialized(busy, ['ETH-SEPOLIA']);
  for (const [method, path, body] of [
    ['POST', '/clock/advance', { durationMs: 86_400_000 }],
    ['POST', '/clock/speed', { speed: 60 }],
    ['PATCH', '/settings', { idempotency: 'replay', limits: true, smtp: 'missing', rampMarkup: 50 }],
    ['POST', '/transactions/next', { stuck: true }],
    ['POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 1 }],
    ['POST', '/chains/ETH-SEPOLIA/down', { down: true }],
    ['POST', `/wallets/${own.id}/freeze`, undefined],
    ['POST', `/users/${person.id}/disable`, undefined],
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
    const { status, body: answer } = await busy.control(method, path, body);
    expect({ path, done: status < 300, answer }).toEqual({ path, done: true, answer });
  }
  expect((await busy.get('/wallets')).status).toBe(500);

  expect(await everything(quiet)).toEqual(before);
  // Neither does one find what is the other's, nor does it notice its blockchain, its lists or its webhooks.
  expect((await quiet.get(`/wallets/${own.id}`)).code).toBe(156001);
  expect((await quiet.get(`/users/${person.id}`)).status).toBe(404);
  const { data } = await quiet.transfer(wallet, { destinationAddress: own.address });
  await quiet.settle();
  expect((await quiet.transaction(data.id as string)).state).toBe('COMPLETE');
  expect((await quiet.audit()).ok).toBe(true);
  receiver.close();
});

test('limits, idempotency keys and ciphertexts of one world are not those of another', async () => {
  const [one, other] = await Promise.all([Chain.open({ limits: true }), Chain.open({ limits: true })]);
  const statuses = async (chain: Chain) =>
    (await Promise.all(Array.from({ length: 25 }, () => chain.get('/wallets')))).map(({ status }) => status);
  expect(new Set(await statuses(one))).toEqual(new Set([200, 429]));
  expect((await other.get('/wallets')).status).toBe(200);

  const idempotencyKey = randomUUID();
  for (const chain of [one, other]) {
    const { status } = await chain.effect('/developer/walletSets', { idempotencyKey, name: 'test' });
    expect(status).toBe(201);
  }
});
