import { randomUUID } from 'node:crypto';
import { AREAS } from '../../src/api/contract';
import { type Endpoint, fullPath } from '../../src/api/contract/endpoint';
import { closeOwnEmulator } from '../support/emulator';
import { Chain, token, type Answer } from '../emulator/chain/support';
import { US_EXCHANGE, payload, sendPii } from '../emulator/compliance/support';
import { TEMPLATE, TRANSFER, importContract, monitor, parametersFor } from '../emulator/contracts/support';
import { session } from '../emulator/ramp/support';
import { EmailLogin } from '../emulator/users/login';
import { Person } from '../emulator/users/support';

/** What all endpoints of a kind have in common: idempotency keys, and lists. A new one joins by its row. */

afterAll(closeOwnEmulator);

// A world each way is enough, and much quicker than one a row: each makes an RSA key.
let rejecting: Chain;
let replaying: Chain;
beforeAll(async () => {
  [rejecting, replaying] = await Promise.all([
    Chain.open({ scaCore: 'circle_6900_singleowner_v1' }),
    Chain.open({ scaCore: 'circle_6900_singleowner_v1', idempotency: 'replay' }),
  ]);
  // Fetches the key that encrypts it, while it may.
  await Promise.all([rejecting.ciphertext(), replaying.ciphertext()]);
});

/** Code of a contract without a constructor's parameters. */
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

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A body that may be sent now, beside its key, to the path. */
type Keyed = (chain: Chain) => Promise<Effect>;
interface Effect {
  /** POST unless told otherwise. */
  method?: string;
  path: string;
  body?: object;
  /** Whose user token is sent. */
  person?: Person;
}

/** With a ciphertext of its own; only the endpoints that need one look at it. */
async function perform(chain: Chain, { method = 'POST', path, body, person }: Effect, idempotencyKey: string) {
  const whole = { ...(await chain.ciphertext()), ...body, idempotencyKey };
  return (person ?? chain).send(method, path, whole);
}

const KEYED: Readonly<Record<string, Keyed>> = {
  createWalletSet: async () => ({ path: '/developer/walletSets', body: { name: 'a' } }),
  async createWallets(chain) {
    const { walletSet } = (await chain.effect('/developer/walletSets')).data;
    return { path: '/developer/wallets', body: { walletSetId: walletSet.id, blockchains: ['ETH-SEPOLIA'] } };
  },
  async createTransfer(chain) {
    const { id: walletId, address } = await funded(chain);
    const tokenId = token('ETH-SEPOLIA', 'USDC');
    const body = { walletId, tokenId, destinationAddress: address, amounts: ['1'], feeLevel: 'HIGH' };
    return { path: '/developer/transactions/transfer', body };
  },
  async createContractExecution(chain) {
    const { id: walletId, address } = await funded(chain);
    const body = { walletId, contractAddress: address, callData: '0x00', feeLevel: 'HIGH' };
    return { path: '/developer/transactions/contractExecution', body };
  },
  async accelerateTransaction(chain) {
    const wallet = await funded(chain);
    await chain.world.control.call('POST', '/transactions/next', { stuck: true });
    const { id } = (await chain.transfer(wallet)).data;
    await chain.settle();
    return { path: `/developer/transactions/${id}/accelerate` };
  },
  async cancelTransaction(chain) {
    const { id } = (await chain.transfer(await funded(chain))).data;
    return { path: `/developer/transactions/${id}/cancel` };
  },
  async createWalletUpgrade(chain) {
    const wallet = await deployedSca(chain);
    return { path: '/developer/transactions/walletUpgrade', body: upgradeOf(wallet) };
  },
  async createUserWallets(chain) {
    const { person } = await payer(chain);
    return { person, path: '/user/wallets', body: { blockchains: ['ETH-SEPOLIA'] } };
  },
  async createUserTransfer(chain) {
    const { person, wallet } = await payer(chain);
    return { person, path: '/user/transactions/transfer', body: transferOf(wallet) };
  },
  async createUserContractExecution(chain) {
    const { person, wallet } = await payer(chain);
    const body = { walletId: wallet.id, contractAddress: wallet.address, callData: '0x00', feeLevel: 'HIGH' };
    return { person, path: '/user/transactions/contractExecution', body };
  },
  async createUserWalletUpgrade(chain) {
    const { person, wallet } = await payer(chain, 'SCA');
    await sentByUser(chain, person, wallet);
    await chain.settle();
    return { person, path: '/user/transactions/walletUpgrade', body: upgradeOf(wallet) };
  },
  async accelerateUserTransaction(chain) {
    const { person, wallet } = await payer(chain);
    await chain.world.control.call('POST', '/transactions/next', { stuck: true });
    const id = await sentByUser(chain, person, wallet);
    await chain.settle();
    return { person, path: `/user/transactions/${id}/accelerate` };
  },
  async cancelUserTransaction(chain) {
    const { person, wallet } = await payer(chain);
    return { person, path: `/user/transactions/${await sentByUser(chain, person, wallet)}/cancel` };
  },
  createSocialDeviceToken: async () => ({ path: '/users/social/token', body: { deviceId: randomUUID() } }),
  createEmailDeviceToken: async () => ({
    path: '/users/email/token',
    body: { deviceId: randomUUID(), email: mailbox() },
  }),
  async resendOtp(chain) {
    const email = mailbox();
    const { deviceId, otpToken } = await EmailLogin.begin(chain, email);
    return { path: '/users/resendOTP', body: { otpToken, email, deviceId } };
  },
  async refreshUserToken(chain) {
    const login = await EmailLogin.begin(chain, mailbox());
    const { body } = await login.enter();
    const { userToken, refreshToken } = body.data ?? body;
    const person = new Person(chain, '', userToken, '');
    return { person, path: '/user/token/refresh', body: { refreshToken, deviceId: login.deviceId } };
  },
  initializeUser: async (chain) => ({ person: await Person.create(chain), path: '/user/initialize' }),
  createUserPin: async (chain) => ({ person: await Person.create(chain), path: '/user/pin' }),
  updateUserPin: async (chain) => ({ person: await Person.initialized(chain), path: '/user/pin', method: 'PUT' }),
  restoreUserPin: async (chain) => ({ person: await Person.initialized(chain), path: '/user/pin/restore' }),
  screenAddress: async () => ({
    path: '/compliance/screening/addresses',
    body: { address: US_EXCHANGE, chain: 'ETH-SEPOLIA' },
  }),
  sendPii: async () => ({ path: '/compliance/travelRule/sendPii', body: PII }),
  uploadOwnershipProof: async () => ({
    path: '/compliance/travelRule/uploadOwnershipProof',
    body: { transactionAsset: 'USDC', address: US_EXCHANGE, type: 'self-declaration', proof: 'It is mine' },
  }),
  async updateTravelRuleMessage(chain) {
    const { body } = await sendPii(chain);
    const { travelRuleId } = body.data ?? body;
    return { path: `/compliance/travelRule/${travelRuleId}`, method: 'PUT', body: { txHash: '0x01' } };
  },
  importContract: async (chain) => ({
    path: '/contracts/import',
    body: { blockchain: 'ETH-SEPOLIA', address: await newContract(chain), name: 'a' },
  }),
  async deployContract(chain) {
    const { id: walletId, blockchain } = await funded(chain);
    const body = { walletId, blockchain, name: 'a', abiJson: '[]', bytecode: CODE, feeLevel: 'HIGH' };
    return { path: '/contracts/deploy', body };
  },
  async deployContractTemplate(chain) {
    const wallet = await funded(chain);
    const { id: walletId, blockchain } = wallet;
    const templateParameters = parametersFor(wallet);
    const body = { walletId, blockchain, name: 'a', templateParameters, feeLevel: 'HIGH' };
    return { path: `/templates/${TEMPLATE.ERC20}/deploy`, body };
  },
  async createEventMonitor(chain) {
    const [contractAddress] = await imported(chain);
    return {
      path: '/contracts/monitors',
      body: { blockchain: 'ETH-SEPOLIA', contractAddress, eventSignature: TRANSFER },
    };
  },
};

/** Those that answer 200 make nothing that is there afterwards, or change what is. */
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
  /** Name of the rows in `data`; empty where they are all of it. */
  rows: string;
  /** Makes at least three rows, a second apart, and gives the path where it depends on them. */
  make(chain: Chain): Promise<string | void>;
  /** Which order, by date: of wallets, sets, transactions and users one may ask; holdings are as they came. */
  dated: 'either way' | 'newest first' | 'no';
}

const threeWallets = async (chain: Chain) => {
  for (let n = 0; n < 3; n++) {
    await chain.wallet();
    await chain.world.control.advance(1_000);
  }
};

const LISTS: Readonly<Record<string, List>> = {
  listWalletSets: { path: '/walletSets', rows: 'walletSets', make: threeWallets, dated: 'either way' },
  listDeveloperWallets: { path: '/developer/wallets', rows: 'wallets', make: threeWallets, dated: 'either way' },
  listWallets: { path: '/wallets', rows: 'wallets', make: threeWallets, dated: 'either way' },
  listTransactions: {
    path: '/transactions',
    rows: 'transactions',
    dated: 'either way',
    async make(chain) {
      const wallet = await funded(chain);
      await chain.transfer(wallet);
    },
  },
  listBalances: {
    path: '',
    rows: 'tokenBalances',
    dated: 'no',
    async make(chain) {
      const wallet = await funded(chain);
      await chain.fund(wallet, { EURC: '1' });
      return `/wallets/${wallet.id}/balances`;
    },
  },
  listNfts: {
    path: '',
    rows: 'nfts',
    dated: 'no',
    async make(chain) {
      const wallet = await chain.wallet();
      const { control } = chain.world;
      const contract = { blockchain: wallet.blockchain, tokenAddress: wallet.address, standard: 'ERC1155' };
      const { id: tokenId } = await control.call<{ id: string }>('POST', '/tokens', contract);
      for (const nftTokenId of ['1', '2', '3']) {
        await control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, amount: '1', nftTokenId });
      }
      await chain.settle();
      return `/wallets/${wallet.id}/nfts`;
    },
  },
  listWalletsWithBalances: {
    path: '/developer/wallets/balances?blockchain=ETH-SEPOLIA',
    rows: 'wallets',
    make: threeWallets,
    dated: 'either way',
  },
  listUsers: {
    path: '/users',
    rows: 'users',
    dated: 'either way',
    async make(chain) {
      for (let n = 0; n < 3; n++) {
        await Person.create(chain);
        await chain.world.control.advance(1_000);
      }
    },
  },
  listRampSessions: {
    path: '/ramp/sessions',
    rows: '',
    dated: 'newest first',
    async make(chain) {
      for (let n = 0; n < 3; n++) {
        await session(chain);
        await chain.world.control.advance(1_000);
      }
    },
  },
  listContracts: {
    path: '/contracts',
    rows: 'contracts',
    dated: 'newest first',
    async make(chain) {
      await imported(chain);
    },
  },
  listEventMonitors: {
    path: '/contracts/monitors',
    rows: 'eventMonitors',
    dated: 'newest first',
    async make(chain) {
      for (const contractAddress of await imported(chain)) {
        await monitor(chain, { contractAddress });
        await chain.world.control.advance(1_000);
      }
    },
  },
  listEventLogs: {
    path: '/contracts/events',
    rows: 'eventLogs',
    dated: 'no',
    async make(chain) {
      const wallet = await chain.wallet();
      await importContract(chain);
      await monitor(chain);
      for (let n = 0; n < 3; n++) await chain.fund(wallet, { USDC: '1' });
    },
  },
  listMonitoredTokens: {
    path: '/config/entity/monitoredTokens',
    rows: 'tokens',
    dated: 'no',
    async make(chain) {
      const tokenIds = ['native', 'USDC', 'EURC'].map((symbol) => token('ETH-SEPOLIA', symbol));
      await chain.send('POST', '/config/entity/monitoredTokens', { tokenIds });
    },
  },
};

/** A wallet of a new user, with funds. */
async function payer(chain: Chain, accountType = 'EOA') {
  const person = await Person.initialized(chain, ['ETH-SEPOLIA'], accountType);
  const wallet = (await person.get('/wallets')).data.wallets[0] as Wallet;
  await chain.fund(wallet, { native: '2', USDC: '5' });
  return { person, wallet };
}

/** Id of a transfer that the user has approved. */
async function sentByUser(chain: Chain, person: Person, wallet: Wallet): Promise<string> {
  const { data } = await person.ask('/user/transactions/transfer', transferOf(wallet));
  await person.approve(data.challengeId);
  return (await person.challenge(data.challengeId)).correlationIds[0];
}

async function deployedSca(chain: Chain) {
  const wallet = await chain.funded('ETH-SEPOLIA', 'SCA');
  await chain.transfer(wallet);
  await chain.settle();
  return wallet;
}

async function newContract(chain: Chain): Promise<string> {
  const made = await chain.world.control.call<{ address: string }>('POST', '/contracts', { blockchain: 'ETH-SEPOLIA' });
  return made.address;
}

/** Addresses of three, imported a second apart. */
async function imported(chain: Chain): Promise<string[]> {
  const addresses = [];
  for (let n = 0; n < 3; n++) {
    const address = await newContract(chain);
    await importContract(chain, { address, name: `c${n}` });
    await chain.world.control.advance(1_000);
    addresses.push(address);
  }
  return addresses;
}

async function funded(chain: Chain) {
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '2', USDC: '5' });
  return wallet;
}

const ALL = Object.values(AREAS).flatMap((area) => Object.entries(area) as [string, Endpoint][]);
const idsOf = (is: (endpoint: Endpoint) => boolean) => ALL.flatMap(([id, endpoint]) => (is(endpoint) ? [id] : []));

test('every endpoint with a key, and every list, has its row', () => {
  expect(Object.keys(KEYED).toSorted()).toEqual(idsOf(({ idempotency }) => idempotency === 'key').toSorted());
  const isList = ({ query }: Endpoint) => query !== undefined && 'shape' in query && 'pageAfter' in Object(query.shape);
  expect(Object.keys(LISTS).toSorted()).toEqual(idsOf(isList).toSorted());
});

const withKey = ALL.map(([, endpoint]) => endpoint).filter(({ idempotency }) => idempotency === 'key');

test.each(withKey.map((endpoint) => [`${endpoint.method} ${fullPath(endpoint.path)}`, endpoint] as const))(
  '%s: the key is required, and a UUID',
  (_name, { body }) => {
    for (const idempotencyKey of [undefined, 'no uuid']) {
      const { error } = body!.safeParse({ idempotencyKey });
      expect(error?.issues.some(({ path }) => path[0] === 'idempotencyKey')).toBe(true);
    }
  },
);

describe.each(Object.entries(KEYED))('%s with a used key', (id, prepare) => {
  const created = CREATED.has(id) ? 201 : 200;

  test('is refused: 156020; a request that is refused leaves its key unused', async () => {
    const chain = rejecting;
    const effect = await prepare(chain);
    const idempotencyKey = randomUUID();
    await chain.world.control.setKeyState('restricted');
    expect(await perform(chain, effect, idempotencyKey)).toMatchObject({ status: 403, code: 3 });
    await chain.world.control.setKeyState('active');
    expect((await perform(chain, effect, idempotencyKey)).status).toBe(created);
    expect(await perform(chain, effect, idempotencyKey)).toMatchObject({ status: 403, code: 156020 });
  });

  test('or, so set, answered again with 200; but not for another request', async () => {
    const chain = replaying;
    const effect = await prepare(chain);
    const idempotencyKey = randomUUID();
    const first = await perform(chain, effect, idempotencyKey);
    const second = await perform(chain, effect, idempotencyKey);
    expect([first.status, second.status]).toEqual([created, 200]);
    expect(second.body).toEqual(first.body);
    const other = { path: '/developer/walletSets', body: { name: 'another' } };
    expect(await perform(chain, other, idempotencyKey)).toMatchObject({ status: 403, code: 156020 });
  });
});

describe.each(Object.entries(LISTS))('%s', (_id, { path: known, rows, make, dated }) => {
  let chain: Chain;
  let path: string;
  let join: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of any kind
  let all: any[];

  beforeAll(async () => {
    chain = rejecting;
    path = (await make(chain)) ?? known;
    join = path.includes('?') ? '&' : '?';
    all = rowsOf(await chain.get(`${path}${join}pageSize=50`));
  });

  const rowsOf = (answer: Answer) => (rows ? answer.data[rows] : answer.data);
  const links = ({ headers }: Answer): Record<string, string> =>
    Object.fromEntries([...headers.get('link')!.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));

  test('walks forth and back by its links, a row a page', async () => {
    expect(all.length).toBeGreaterThanOrEqual(3);
    const seen = [];
    const rels = [];
    let answer = await chain.get(`${path}${join}pageSize=1`);
    for (;;) {
      seen.push(...rowsOf(answer));
      rels.push(Object.keys(links(answer)));
      const { next } = links(answer);
      if (!next) break;
      const before = rowsOf(answer);
      answer = await chain.get(next);
      // Cursors are exclusive.
      expect(rowsOf(await chain.get(links(answer)['prev']!))).toEqual(before);
    }
    expect(seen).toEqual(all);
    expect(rels[0]).toEqual(['self', 'first', 'next']);
    expect(rels[1]).toEqual(['self', 'first', 'next', 'prev']);
    expect(rels.at(-1)).toEqual(['self', 'first', 'prev']);
    expect(rowsOf(await chain.get(links(answer)['first']!))).toEqual(all.slice(0, 1));
  });

  test('refuses cursors and sizes that are none, and takes larger sizes as fifty', async () => {
    expect(await chain.get(`${path}${join}pageAfter=abc`)).toMatchObject({ status: 400, code: 156014 });
    expect(await chain.get(`${path}${join}pageBefore=abc`)).toMatchObject({ status: 400, code: 156014 });
    expect(await chain.get(`${path}${join}pageAfter=${NOBODY}`)).toMatchObject({ status: 404, code: 156012 });
    expect(await chain.get(`${path}${join}pageAfter=${NOBODY}&pageBefore=${NOBODY}`)).toMatchObject({
      status: 400,
      code: 2,
    });
    expect(await chain.get(`${path}${join}pageSize=0`)).toMatchObject({ status: 400, code: 2 });
    expect(rowsOf(await chain.get(`${path}${join}pageSize=1000`))).toEqual(all);
  });

  if (dated !== 'no') {
    test('is newest first, or oldest first, or within a window whose ends belong to it', async () => {
      const dates: string[] = all.map(({ createDate }) => createDate);
      expect(dates).toEqual(dates.toSorted().toReversed());
      if (dated === 'either way') {
        expect(rowsOf(await chain.get(`${path}${join}order=ASC&pageSize=50`))).toEqual(all.toReversed());
      }
      const window = new URLSearchParams({ from: dates.at(-1)!, to: dates[0]!, pageSize: '50' }).toString();
      expect(rowsOf(await chain.get(`${path}${join}${window}`))).toEqual(all);
      const after = new URLSearchParams({ from: new Date(Date.parse(dates[0]!) + 1).toISOString() }).toString();
      expect(rowsOf(await chain.get(`${path}${join}${after}`))).toEqual([]);
    });
  }
});
