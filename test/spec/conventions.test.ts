import { randomUUID } from 'node:crypto';
import { AREAS } from '../../src/api/contract';
import { type Endpoint, fullPath } from '../../src/api/contract/endpoint';
import { TestClient, type TestResponse, token } from '../emulator/chain/support';
import { importContract, monitor } from '../emulator/contracts/support';
import { session } from '../emulator/ramp/support';
import { TestUser } from '../emulator/users/support';
import { closeOwnEmulator } from '../support/emulator';
import { type Effect, funded, imported, KEYED_REQUESTS } from '../support/keyedRequests';

/** What all endpoints with an idempotency key, and all lists, have in common. A new endpoint needs a row here. */

afterAll(closeOwnEmulator);

// One world per setting is enough, and much faster than one per row: each world generates an RSA key.
let rejecting: TestClient;
let replaying: TestClient;
beforeAll(async () => {
  [rejecting, replaying] = await Promise.all([
    TestClient.open({ scaCore: 'circle_6900_singleowner_v1' }),
    TestClient.open({ scaCore: 'circle_6900_singleowner_v1', idempotency: 'replay' }),
  ]);
  // Fetches the public key now, because a test restricts the API key later.
  await Promise.all([rejecting.ciphertext(), replaying.ciphertext()]);
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Sends a new ciphertext with every request. Endpoints that need none ignore it. */
async function perform(client: TestClient, { method = 'POST', path, body, user }: Effect, idempotencyKey: string) {
  const request = { ...(await client.ciphertext()), ...body, idempotencyKey };
  return (user ?? client).send(method, path, request);
}

/**
 * The endpoints that respond with 201. The others create no resource, or change an existing one, and respond with 200.
 */
const CREATED = new Set(Object.keys(KEYED_REQUESTS));
for (const id of [
  'createSocialDeviceToken',
  'createEmailDeviceToken',
  'resendOtp',
  'refreshUserToken',
  'updateTravelRuleMessage',
  'screenAddress',
]) {
  CREATED.delete(id);
}

interface List {
  path: string;
  /** Name of the rows in `data`; empty if `data` is the list itself. */
  rows: string;
  /** Creates at least three rows, one second apart, and returns the path if it depends on them. */
  createRows(client: TestClient): Promise<string | void>;
  /** Order by date. Wallets, wallet sets, transactions and users accept `order`. */
  dateOrder: 'selectable' | 'newestFirst' | 'none';
}

const threeWallets = async (client: TestClient) => {
  for (let n = 0; n < 3; n++) {
    await client.wallet();
    await client.world.control.advance(1_000);
  }
};

const LISTS: Readonly<Record<string, List>> = {
  listWalletSets: { path: '/walletSets', rows: 'walletSets', createRows: threeWallets, dateOrder: 'selectable' },
  listDeveloperWallets: {
    path: '/developer/wallets',
    rows: 'wallets',
    createRows: threeWallets,
    dateOrder: 'selectable',
  },
  listWallets: { path: '/wallets', rows: 'wallets', createRows: threeWallets, dateOrder: 'selectable' },
  listTransactions: {
    path: '/transactions',
    rows: 'transactions',
    dateOrder: 'selectable',
    async createRows(client) {
      const wallet = await funded(client);
      await client.transfer(wallet);
    },
  },
  listBalances: {
    path: '',
    rows: 'tokenBalances',
    dateOrder: 'none',
    async createRows(client) {
      const wallet = await funded(client);
      await client.fund(wallet, { EURC: '1' });
      return `/wallets/${wallet.id}/balances`;
    },
  },
  listNfts: {
    path: '',
    rows: 'nfts',
    dateOrder: 'none',
    async createRows(client) {
      const wallet = await client.wallet();
      const { control } = client.world;
      const contract = { blockchain: wallet.blockchain, tokenAddress: wallet.address, standard: 'ERC1155' };
      const { id: tokenId } = await control.call<{ id: string }>('POST', '/tokens', contract);
      for (const nftTokenId of ['1', '2', '3']) {
        await control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, amount: '1', nftTokenId });
      }
      await client.settle();
      return `/wallets/${wallet.id}/nfts`;
    },
  },
  listWalletsWithBalances: {
    path: '/developer/wallets/balances?blockchain=ETH-SEPOLIA',
    rows: 'wallets',
    createRows: threeWallets,
    dateOrder: 'selectable',
  },
  listUsers: {
    path: '/users',
    rows: 'users',
    dateOrder: 'selectable',
    async createRows(client) {
      for (let n = 0; n < 3; n++) {
        await TestUser.create(client);
        await client.world.control.advance(1_000);
      }
    },
  },
  listRampSessions: {
    path: '/ramp/sessions',
    rows: '',
    dateOrder: 'newestFirst',
    async createRows(client) {
      for (let n = 0; n < 3; n++) {
        await session(client);
        await client.world.control.advance(1_000);
      }
    },
  },
  listContracts: {
    path: '/contracts',
    rows: 'contracts',
    dateOrder: 'newestFirst',
    async createRows(client) {
      await imported(client);
    },
  },
  listEventMonitors: {
    path: '/contracts/monitors',
    rows: 'eventMonitors',
    dateOrder: 'newestFirst',
    async createRows(client) {
      for (const contractAddress of await imported(client)) {
        await monitor(client, { contractAddress });
        await client.world.control.advance(1_000);
      }
    },
  },
  listEventLogs: {
    path: '/contracts/events',
    rows: 'eventLogs',
    dateOrder: 'none',
    async createRows(client) {
      const wallet = await client.wallet();
      await importContract(client);
      await monitor(client);
      for (let n = 0; n < 3; n++) await client.fund(wallet, { USDC: '1' });
    },
  },
  listMonitoredTokens: {
    path: '/config/entity/monitoredTokens',
    rows: 'tokens',
    dateOrder: 'none',
    async createRows(client) {
      const tokenIds = ['native', 'USDC', 'EURC'].map((symbol) => token('ETH-SEPOLIA', symbol));
      await client.send('POST', '/config/entity/monitoredTokens', { tokenIds });
    },
  },
};

const ALL = Object.values(AREAS).flatMap((area) => Object.entries(area) as [string, Endpoint][]);
const idsOf = (matches: (endpoint: Endpoint) => boolean) =>
  ALL.flatMap(([id, endpoint]) => (matches(endpoint) ? [id] : []));

test('every endpoint with an idempotency key and every list has a row', () => {
  expect(Object.keys(KEYED_REQUESTS).toSorted()).toEqual(idsOf(({ idempotency }) => idempotency === 'key').toSorted());
  const isList = ({ query }: Endpoint) => query !== undefined && 'shape' in query && 'pageAfter' in Object(query.shape);
  expect(Object.keys(LISTS).toSorted()).toEqual(idsOf(isList).toSorted());
});

const withKey = ALL.map(([, endpoint]) => endpoint).filter(({ idempotency }) => idempotency === 'key');

test.each(withKey.map((endpoint) => [`${endpoint.method} ${fullPath(endpoint.path)}`, endpoint] as const))(
  '%s requires an idempotency key that is a UUID',
  (_name, { body }) => {
    for (const idempotencyKey of [undefined, 'not a UUID']) {
      const { error } = body!.safeParse({ idempotencyKey });
      expect(error?.issues.some(({ path }) => path[0] === 'idempotencyKey')).toBe(true);
    }
  },
);

describe.each(Object.entries(KEYED_REQUESTS))('%s with a used idempotency key', (id, prepare) => {
  const created = CREATED.has(id) ? 201 : 200;

  test('returns 156020, and a refused request leaves its key unused', async () => {
    const client = rejecting;
    const effect = await prepare(client);
    const idempotencyKey = randomUUID();
    await client.world.control.setKeyState('restricted');
    expect(await perform(client, effect, idempotencyKey)).toMatchObject({ status: 403, code: 3 });
    await client.world.control.setKeyState('active');
    expect((await perform(client, effect, idempotencyKey)).status).toBe(created);
    expect(await perform(client, effect, idempotencyKey)).toMatchObject({ status: 403, code: 156020 });
  });

  test('returns the first response with 200 if the setting says so, but not for another request', async () => {
    const client = replaying;
    const effect = await prepare(client);
    const idempotencyKey = randomUUID();
    const first = await perform(client, effect, idempotencyKey);
    const second = await perform(client, effect, idempotencyKey);
    expect([first.status, second.status]).toEqual([created, 200]);
    expect(second.body).toEqual(first.body);
    const other = { path: '/developer/walletSets', body: { name: 'another' } };
    expect(await perform(client, other, idempotencyKey)).toMatchObject({ status: 403, code: 156020 });
  });
});

describe.each(Object.entries(LISTS))('%s', (_id, { path: fixedPath, rows, createRows, dateOrder }) => {
  let client: TestClient;
  let path: string;
  let join: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of any kind
  let all: any[];

  beforeAll(async () => {
    client = rejecting;
    path = (await createRows(client)) ?? fixedPath;
    join = path.includes('?') ? '&' : '?';
    all = rowsOf(await client.get(`${path}${join}pageSize=50`));
  });

  const rowsOf = (response: TestResponse) => (rows ? response.data[rows] : response.data);
  const links = ({ headers }: TestResponse): Record<string, string> =>
    Object.fromEntries([...headers.get('link')!.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));

  test('can be read forward and back by its links, one row per page', async () => {
    expect(all.length).toBeGreaterThanOrEqual(3);
    const seen = [];
    const rels = [];
    let response = await client.get(`${path}${join}pageSize=1`);
    for (;;) {
      seen.push(...rowsOf(response));
      rels.push(Object.keys(links(response)));
      const { next } = links(response);
      if (!next) break;
      const before = rowsOf(response);
      response = await client.get(next);
      // Cursors are exclusive.
      expect(rowsOf(await client.get(links(response)['prev']!))).toEqual(before);
    }
    expect(seen).toEqual(all);
    expect(rels[0]).toEqual(['self', 'first', 'next']);
    expect(rels[1]).toEqual(['self', 'first', 'next', 'prev']);
    expect(rels.at(-1)).toEqual(['self', 'first', 'prev']);
    expect(rowsOf(await client.get(links(response)['first']!))).toEqual(all.slice(0, 1));
  });

  test('refuses invalid cursors and page sizes, and treats larger sizes as 50', async () => {
    expect(await client.get(`${path}${join}pageAfter=abc`)).toMatchObject({ status: 400, code: 156014 });
    expect(await client.get(`${path}${join}pageBefore=abc`)).toMatchObject({ status: 400, code: 156014 });
    expect(await client.get(`${path}${join}pageAfter=${UNKNOWN_ID}`)).toMatchObject({ status: 404, code: 156012 });
    expect(await client.get(`${path}${join}pageAfter=${UNKNOWN_ID}&pageBefore=${UNKNOWN_ID}`)).toMatchObject({
      status: 400,
      code: 2,
    });
    expect(await client.get(`${path}${join}pageSize=0`)).toMatchObject({ status: 400, code: 2 });
    expect(rowsOf(await client.get(`${path}${join}pageSize=1000`))).toEqual(all);
  });

  if (dateOrder !== 'none') {
    test('is sorted by date and can be limited to a window that includes its ends', async () => {
      const dates: string[] = all.map(({ createDate }) => createDate);
      expect(dates).toEqual(dates.toSorted().toReversed());
      if (dateOrder === 'selectable') {
        expect(rowsOf(await client.get(`${path}${join}order=ASC&pageSize=50`))).toEqual(all.toReversed());
      }
      const window = new URLSearchParams({ from: dates.at(-1)!, to: dates[0]!, pageSize: '50' }).toString();
      expect(rowsOf(await client.get(`${path}${join}${window}`))).toEqual(all);
      const after = new URLSearchParams({ from: new Date(Date.parse(dates[0]!) + 1).toISOString() }).toString();
      expect(rowsOf(await client.get(`${path}${join}${after}`))).toEqual([]);
    });
  }
});
