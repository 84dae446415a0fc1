import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient, type TestResponse } from '../chain/support';
import { TestUser } from '../users/support';

afterAll(closeOwnEmulator);

test.each(['reject', 'replay'] as const)(
  '50 parallel transfers with one idempotency key lead to one transfer in mode %s',
  async (idempotency) => {
    const client = await TestClient.open({ idempotency });
    const wallet = await client.fundedWallet();
    const idempotencyKey = randomUUID();

    const responses = await Promise.all(Array.from({ length: 50 }, () => client.transfer(wallet, { idempotencyKey })));

    const others = responses.filter(({ status }) => status !== 201);
    expect(others).toHaveLength(49);
    const [accepted] = responses.filter(({ status }) => status === 201);
    for (const response of others) {
      expect(response).toMatchObject(
        idempotency === 'reject' ? { status: 403, code: 156020 } : { status: 200, data: accepted!.data },
      );
    }
    const { data } = await client.get('/transactions?txType=OUTBOUND&pageSize=50');
    expect(data.transactions).toHaveLength(1);
    // Both modes reject the key with different content.
    expect(await client.transfer(wallet, { idempotencyKey, amounts: ['2'] })).toMatchObject({ code: 156020 });
  },
);

interface Flood {
  route: string;
  limit: number;
  /** Creates the data that the requests need, before requests are counted. */
  prepare: (client: TestClient) => Promise<Prepared>;
  /** Expected response when a rate-limited request is sent again. */
  onRetry: object;
}
interface Prepared {
  /** Sends the n-th request with its own ids and keys. */
  request: (n: number) => Promise<TestResponse>;
  /** Lists the rows that the executed requests have created. */
  traces?: () => Promise<unknown[]>;
}

/** A route has one bucket for all ids. The endpoints that the API reference lists separately have their own limit. */
const FLOODS: readonly Flood[] = [
  {
    route: 'POST /contracts/import',
    limit: 5,
    async prepare(client) {
      const contract = { blockchain: 'ETH-SEPOLIA' };
      const created = await Promise.all(
        Array.from({ length: 6 }, () => client.world.control.call<{ address: string }>('POST', '/contracts', contract)),
      );
      const bodies = created.map(({ address }, n) => ({ ...contract, address, name: `c${n}`, ...key() }));
      return {
        request: (n) => client.send('POST', '/contracts/import', bodies[n]),
        traces: async () => (await client.get('/contracts?pageSize=50')).data.contracts,
      };
    },
    onRetry: { status: 201 },
  },
  {
    route: 'POST /users/token',
    limit: 10,
    async prepare(client) {
      await client.send('POST', '/users', { userId: 'anna1' });
      return { request: () => client.send('POST', '/users/token', { userId: 'anna1' }) };
    },
    onRetry: { status: 200 },
  },
  {
    route: 'GET /transactions/{id}',
    limit: 20,
    prepare: async (client) => ({ request: () => client.get(`/transactions/${randomUUID()}`) }),
    onRetry: { status: 404, code: 156003 },
  },
  {
    route: 'POST /user/sign/message',
    limit: 10,
    async prepare(client) {
      const user = await TestUser.initialized(client, ['ETH-SEPOLIA']);
      const { id: walletId } = (await user.get('/wallets')).data.wallets[0];
      return {
        request: (n) => user.send('POST', '/user/sign/message', { walletId, message: `hello ${n}` }),
        traces: async () => (await user.get('/user/challenges')).data.challenges,
      };
    },
    onRetry: { status: 201 },
  },
  {
    route: 'POST /developer/walletSets',
    limit: 5,
    async prepare(client) {
      const bodies = await Promise.all(
        Array.from({ length: 6 }, async (_, n) => ({ name: `s${n}`, ...key(), ...(await client.ciphertext()) })),
      );
      return {
        request: (n) => client.send('POST', '/developer/walletSets', bodies[n]),
        traces: async () => (await client.get('/walletSets?pageSize=50')).data.walletSets,
      };
    },
    onRetry: { status: 201 },
  },
];

const key = () => ({ idempotencyKey: randomUUID() });
test.each(FLOODS)('concurrent requests to $route are limited by route', async ({ limit, prepare, onRetry }) => {
  const client = await TestClient.open();
  const { request, traces } = await prepare(client);
  const { control } = client.world;
  // The limit counts within a second of real time. A slow machine may need that long for the requests.
  await control.changeSettings({ limits: true });
  const started = performance.now();

  const responses = await Promise.all(Array.from({ length: limit + 1 }, (_, n) => request(n)));

  const limited = responses.flatMap(({ status }, n) => (status === 429 ? [n] : []));
  if (performance.now() - started < 1_000) expect(limited).toHaveLength(1);
  expect(limited.length).toBeLessThanOrEqual(1);
  await control.changeSettings({ limits: false });
  if (traces) expect(await traces()).toHaveLength(limit + 1 - limited.length);
  // A 429 uses up neither key nor ciphertext, so each request can be sent again unchanged.
  for (const n of limited) expect(await request(n)).toMatchObject(onRetry);
  if (traces) expect(await traces()).toHaveLength(limit + 1);
});
