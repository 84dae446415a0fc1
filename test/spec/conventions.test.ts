import { randomUUID } from 'node:crypto';
import { AREAS } from '../../src/api/contract';
import { type Endpoint, fullPath } from '../../src/api/contract/endpoint';
import { TestClient, type TestResponse, token } from '../emulator/chain/support';
import { payload, sendPii, US_EXCHANGE } from '../emulator/compliance/support';
import { importContract, monitor, parametersFor, TEMPLATE, TRANSFER } from '../emulator/contracts/support';
import { session } from '../emulator/ramp/support';
import { EmailLogin } from '../emulator/users/login';
import { TestUser } from '../emulator/users/support';
import { closeOwnEmulator } from '../support/emulator';

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

/** Bytecode of a contract whose constructor takes no parameters. */
const CODE = '0x6001600c60003960016000f300';
const PII = {
  customerJurisdiction: 'US',
  transactionAsset: 'USDC',
  transactionAmount: '5000000000',
  destination: US_EXCHANGE,
  ivms101: payload(),
};
const mailbox = () => `${randomUUID()}@example.com`;
const upgradeOf = ({ id }: { id: string }) => ({
  walletId: id,
  newScaCore: 'circle_6900_singleowner_v2',
  feeLevel: 'HIGH',
});
const transferOf = ({ id, address }: Wallet) => ({
  walletId: id,
  tokenId: token('ETH-SEPOLIA', 'USDC'),
  destinationAddress: address,
  amounts: ['1'],
  feeLevel: 'HIGH',
});
interface Wallet {
  id: string;
  address: string;
  blockchain: string;
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Prepares a request that is valid except for its missing idempotency key. */
type Keyed = (client: TestClient) => Promise<Effect>;
interface Effect {
  /** POST by default. */
  method?: string;
  path: string;
  body?: object;
  /** The user whose token is sent. */
  user?: TestUser;
}

/** Sends a new ciphertext with every request. Endpoints that need none ignore it. */
async function perform(client: TestClient, { method = 'POST', path, body, user }: Effect, idempotencyKey: string) {
  const request = { ...(await client.ciphertext()), ...body, idempotencyKey };
  return (user ?? client).send(method, path, request);
}

const KEYED: Readonly<Record<string, Keyed>> = {
  createWalletSet: async () => ({ path: '/developer/walletSets', body: { name: 'a' } }),
  async createWallets(client) {
    const { walletSet } = (await client.postWithKey('/developer/walletSets')).data;
    return { path: '/developer/wallets', body: { walletSetId: walletSet.id, blockchains: ['ETH-SEPOLIA'] } };
  },
  async createTransfer(client) {
    const { id: walletId, address } = await funded(client);
    const tokenId = token('ETH-SEPOLIA', 'USDC');
    const body = { walletId, tokenId, destinationAddress: address, amounts: ['1'], feeLevel: 'HIGH' };
    return { path: '/developer/transactions/transfer', body };
  },
  async createContractExecution(client) {
    const { id: walletId, address } = await funded(client);
    const body = { walletId, contractAddress: address, callData: '0x00', feeLevel: 'HIGH' };
    return { path: '/developer/transactions/contractExecution', body };
  },
  async accelerateTransaction(client) {
    const wallet = await funded(client);
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    const { id } = (await client.transfer(wallet)).data;
    await client.settle();
    return { path: `/developer/transactions/${id}/accelerate` };
  },
  async cancelTransaction(client) {
    const { id } = (await client.transfer(await funded(client))).data;
    return { path: `/developer/transactions/${id}/cancel` };
  },
  async createWalletUpgrade(client) {
    const wallet = await deployedSca(client);
    return { path: '/developer/transactions/walletUpgrade', body: upgradeOf(wallet) };
  },
  async createUserWallets(client) {
    const { user } = await payer(client);
    return { user, path: '/user/wallets', body: { blockchains: ['ETH-SEPOLIA'] } };
  },
  async createUserTransfer(client) {
    const { user, wallet } = await payer(client);
    return { user, path: '/user/transactions/transfer', body: transferOf(wallet) };
  },
  async createUserContractExecution(client) {
    const { user, wallet } = await payer(client);
    const body = { walletId: wallet.id, contractAddress: wallet.address, callData: '0x00', feeLevel: 'HIGH' };
    return { user, path: '/user/transactions/contractExecution', body };
  },
  async createUserWalletUpgrade(client) {
    const { user, wallet } = await payer(client, 'SCA');
    await sentByUser(client, user, wallet);
    await client.settle();
    return { user, path: '/user/transactions/walletUpgrade', body: upgradeOf(wallet) };
  },
  async accelerateUserTransaction(client) {
    const { user, wallet } = await payer(client);
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    const id = await sentByUser(client, user, wallet);
    await client.settle();
    return { user, path: `/user/transactions/${id}/accelerate` };
  },
  async cancelUserTransaction(client) {
    const { user, wallet } = await payer(client);
    return { user, path: `/user/transactions/${await sentByUser(client, user, wallet)}/cancel` };
  },
  createSocialDeviceToken: async () => ({ path: '/users/social/token', body: { deviceId: randomUUID() } }),
  createEmailDeviceToken: async () => ({
    path: '/users/email/token',
    body: { deviceId: randomUUID(), email: mailbox() },
  }),
  async resendOtp(client) {
    const email = mailbox();
    const { deviceId, otpToken } = await EmailLogin.begin(client, email);
    return { path: '/users/resendOTP', body: { otpToken, email, deviceId } };
  },
  async refreshUserToken(client) {
    const login = await EmailLogin.begin(client, mailbox());
    const { body } = await login.enter();
    const { userToken, refreshToken } = body.data ?? body;
    const user = new TestUser(client, '', userToken, '');
    return { user, path: '/user/token/refresh', body: { refreshToken, deviceId: login.deviceId } };
  },
  initializeUser: async (client) => ({ user: await TestUser.create(client), path: '/user/initialize' }),
  createUserPin: async (client) => ({ user: await TestUser.create(client), path: '/user/pin' }),
  updateUserPin: async (client) => ({ user: await TestUser.initialized(client), path: '/user/pin', method: 'PUT' }),
  restoreUserPin: async (client) => ({ user: await TestUser.initialized(client), path: '/user/pin/restore' }),
  screenAddress: async () => ({
    path: '/compliance/screening/addresses',
    body: { address: US_EXCHANGE, chain: 'ETH-SEPOLIA' },
  }),
  sendPii: async () => ({ path: '/compliance/travelRule/sendPii', body: PII }),
  uploadOwnershipProof: async () => ({
    path: '/compliance/travelRule/uploadOwnershipProof',
    body: { transactionAsset: 'USDC', address: US_EXCHANGE, type: 'self-declaration', proof: 'It is mine' },
  }),
  async updateTravelRuleMessage(client) {
    const { body } = await sendPii(client);
    const { travelRuleId } = body.data ?? body;
    return { path: `/compliance/travelRule/${travelRuleId}`, method: 'PUT', body: { txHash: '0x01' } };
  },
  importContract: async (client) => ({
    path: '/contracts/import',
    body: { blockchain: 'ETH-SEPOLIA', address: await newContract(client), name: 'a' },
  }),
  async deployContract(client) {
    const { id: walletId, blockchain } = await funded(client);
    const body = { walletId, blockchain, name: 'a', abiJson: '[]', bytecode: CODE, feeLevel: 'HIGH' };
    return { path: '/contracts/deploy', body };
  },
  async deployContractTemplate(client) {
    const wallet = await funded(client);
    const { id: walletId, blockchain } = wallet;
    const templateParameters = parametersFor(wallet);
    const body = { walletId, blockchain, name: 'a', templateParameters, feeLevel: 'HIGH' };
    return { path: `/templates/${TEMPLATE.ERC20}/deploy`, body };
  },
  async createEventMonitor(client) {
    const [contractAddress] = await imported(client);
    return {
      path: '/contracts/monitors',
      body: { blockchain: 'ETH-SEPOLIA', contractAddress, eventSignature: TRANSFER },
    };
  },
};

/**
 * The endpoints that respond with 201. The others create no resource, or change an existing one, and respond with 200.
 */
const CREATED = new Set(Object.keys(KEYED));
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

/** A new user with a funded wallet. */
async function payer(client: TestClient, accountType = 'EOA') {
  const user = await TestUser.initialized(client, ['ETH-SEPOLIA'], accountType);
  const wallet = (await user.get('/wallets')).data.wallets[0] as Wallet;
  await client.fund(wallet, { native: '2', USDC: '5' });
  return { user, wallet };
}

/** Sends a transfer that the user approves. @returns the transaction's id */
async function sentByUser(client: TestClient, user: TestUser, wallet: Wallet): Promise<string> {
  const { data } = await user.postWithKey('/user/transactions/transfer', transferOf(wallet));
  await user.approve(data.challengeId);
  return (await user.challenge(data.challengeId)).correlationIds[0];
}

async function deployedSca(client: TestClient) {
  const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
  await client.transfer(wallet);
  await client.settle();
  return wallet;
}

async function newContract(client: TestClient): Promise<string> {
  const created = await client.world.control.call<{ address: string }>('POST', '/contracts', {
    blockchain: 'ETH-SEPOLIA',
  });
  return created.address;
}

/** Imports three contracts, one second apart. @returns their addresses */
async function imported(client: TestClient): Promise<string[]> {
  const addresses = [];
  for (let n = 0; n < 3; n++) {
    const address = await newContract(client);
    await importContract(client, { address, name: `c${n}` });
    await client.world.control.advance(1_000);
    addresses.push(address);
  }
  return addresses;
}

async function funded(client: TestClient) {
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '2', USDC: '5' });
  return wallet;
}

const ALL = Object.values(AREAS).flatMap((area) => Object.entries(area) as [string, Endpoint][]);
const idsOf = (matches: (endpoint: Endpoint) => boolean) =>
  ALL.flatMap(([id, endpoint]) => (matches(endpoint) ? [id] : []));

test('every endpoint with an idempotency key and every list has a row', () => {
  expect(Object.keys(KEYED).toSorted()).toEqual(idsOf(({ idempotency }) => idempotency === 'key').toSorted());
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

describe.each(Object.entries(KEYED))('%s with a used idempotency key', (id, prepare) => {
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
