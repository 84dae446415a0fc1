import { randomUUID } from 'node:crypto';
import { AREAS } from '../../src/api/contract';
import { type Endpoint, fullPath } from '../../src/api/contract/endpoint';
import { closeOwnEmulator } from '../support/emulator';
import { Chain, token, type Answer } from '../emulator/chain/support';

/** What all endpoints of a kind have in common: idempotency keys, and lists. A new one joins by its row. */

afterAll(closeOwnEmulator);

// A world each way is enough, and much quicker than one a row: each makes an RSA key.
let rejecting: Chain;
let replaying: Chain;
beforeAll(async () => {
  [rejecting, replaying] = await Promise.all([Chain.open(), Chain.open({ idempotency: 'replay' })]);
});

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A body that may be sent now, beside its key, to the path. */
type Keyed = (chain: Chain) => Promise<{ path: string; body?: object }>;

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
};

interface List {
  path: string;
  /** Name of the rows in `data`. */
  rows: string;
  /** Makes at least three rows, a second apart, and gives the path where it depends on them. */
  make(chain: Chain): Promise<string | void>;
  /** Newest first unless told otherwise; lists of holdings are in the order in which they came. */
  dated: boolean;
}

const threeWallets = async (chain: Chain) => {
  for (let n = 0; n < 3; n++) {
    await chain.wallet();
    await chain.world.control.advance(1_000);
  }
};

const LISTS: Readonly<Record<string, List>> = {
  listWalletSets: { path: '/walletSets', rows: 'walletSets', make: threeWallets, dated: true },
  listDeveloperWallets: { path: '/developer/wallets', rows: 'wallets', make: threeWallets, dated: true },
  listWallets: { path: '/wallets', rows: 'wallets', make: threeWallets, dated: true },
  listTransactions: {
    path: '/transactions',
    rows: 'transactions',
    dated: true,
    async make(chain) {
      const wallet = await funded(chain);
      await chain.transfer(wallet);
    },
  },
  listBalances: {
    path: '',
    rows: 'tokenBalances',
    dated: false,
    async make(chain) {
      const wallet = await funded(chain);
      await chain.fund(wallet, { EURC: '1' });
      return `/wallets/${wallet.id}/balances`;
    },
  },
  listNfts: {
    path: '',
    rows: 'nfts',
    dated: false,
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
  listMonitoredTokens: {
    path: '/config/entity/monitoredTokens',
    rows: 'tokens',
    dated: false,
    async make(chain) {
      const tokenIds = ['native', 'USDC', 'EURC'].map((symbol) => token('ETH-SEPOLIA', symbol));
      await chain.send('POST', '/config/entity/monitoredTokens', { tokenIds });
    },
  },
};

async function funded(chain: Chain) {
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '2', USDC: '5' });
  return wallet;
}

/** Operations of an area that has rows, and that need one. */
function needed(rows: object, needs: (endpoint: Endpoint) => boolean): string[] {
  return Object.values(AREAS)
    .filter((area) => Object.keys(area).some((id) => id in rows))
    .flatMap((area) => Object.entries(area).filter(([, endpoint]) => needs(endpoint)))
    .map(([id]) => id);
}

test('every endpoint of these areas with a key, and every list, has its row', () => {
  expect(Object.keys(KEYED).toSorted()).toEqual(needed(KEYED, ({ idempotency }) => idempotency === 'key').toSorted());
  const isList = ({ query }: Endpoint) => query !== undefined && 'shape' in query && 'pageAfter' in Object(query.shape);
  expect(Object.keys(LISTS).toSorted()).toEqual(needed(LISTS, isList).toSorted());
});

const withKey = Object.values(AREAS)
  .flatMap((area) => Object.values(area) as Endpoint[])
  .filter(({ idempotency }) => idempotency === 'key');

test.each(withKey.map((endpoint) => [`${endpoint.method} ${fullPath(endpoint.path)}`, endpoint] as const))(
  '%s: the key is required, and a UUID',
  (_name, { body }) => {
    for (const idempotencyKey of [undefined, 'no uuid']) {
      const { error } = body!.safeParse({ idempotencyKey });
      expect(error?.issues.some(({ path }) => path[0] === 'idempotencyKey')).toBe(true);
    }
  },
);

describe.each(Object.entries(KEYED))('%s with a used key', (_id, prepare) => {
  test('is refused: 156020', async () => {
    const chain = rejecting;
    const { path, body } = await prepare(chain);
    const idempotencyKey = randomUUID();
    expect((await chain.effect(path, { ...body, idempotencyKey })).status).toBe(201);
    expect(await chain.effect(path, { ...body, idempotencyKey })).toMatchObject({ status: 403, code: 156020 });
  });

  test('or, so set, answered again with 200; but not for another request', async () => {
    const chain = replaying;
    const { path, body } = await prepare(chain);
    const idempotencyKey = randomUUID();
    const first = await chain.effect(path, { ...body, idempotencyKey });
    const second = await chain.effect(path, { ...body, idempotencyKey });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data).toEqual(first.data);
    const other = await chain.effect('/developer/walletSets', { name: 'another', idempotencyKey });
    expect(other).toMatchObject({ status: 403, code: 156020 });
  });
});

describe.each(Object.entries(LISTS))('%s', (_id, { path: known, rows, make, dated }) => {
  let chain: Chain;
  let path: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of any kind
  let all: any[];

  beforeAll(async () => {
    chain = rejecting;
    path = (await make(chain)) ?? known;
    all = rowsOf(await chain.get(`${path}?pageSize=50`));
  });

  const rowsOf = (answer: Answer) => answer.data[rows];
  const links = ({ headers }: Answer): Record<string, string> =>
    Object.fromEntries([...headers.get('link')!.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));

  test('walks forth and back by its links, a row a page', async () => {
    expect(all.length).toBeGreaterThanOrEqual(3);
    const seen = [];
    const rels = [];
    let answer = await chain.get(`${path}?pageSize=1`);
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
    expect(await chain.get(`${path}?pageAfter=abc`)).toMatchObject({ status: 400, code: 156014 });
    expect(await chain.get(`${path}?pageBefore=abc`)).toMatchObject({ status: 400, code: 156014 });
    expect(await chain.get(`${path}?pageAfter=${NOBODY}`)).toMatchObject({ status: 404, code: 156012 });
    expect(await chain.get(`${path}?pageAfter=${NOBODY}&pageBefore=${NOBODY}`)).toMatchObject({ status: 400, code: 2 });
    expect(await chain.get(`${path}?pageSize=0`)).toMatchObject({ status: 400, code: 2 });
    expect(rowsOf(await chain.get(`${path}?pageSize=1000`))).toEqual(all);
  });

  if (dated) {
    test('is newest first, or oldest first, or within a window whose ends belong to it', async () => {
      const dates: string[] = all.map(({ createDate }) => createDate);
      expect(dates).toEqual(dates.toSorted().toReversed());
      expect(rowsOf(await chain.get(`${path}?order=ASC&pageSize=50`))).toEqual(all.toReversed());
      const window = new URLSearchParams({ from: dates.at(-1)!, to: dates[0]!, pageSize: '50' }).toString();
      expect(rowsOf(await chain.get(`${path}?${window}`))).toEqual(all);
      const after = new URLSearchParams({ from: new Date(Date.parse(dates[0]!) + 1).toISOString() }).toString();
      expect(rowsOf(await chain.get(`${path}?${after}`))).toEqual([]);
    });
  }
});
