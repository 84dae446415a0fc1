import fc from 'fast-check';
import { page, type ListQuery } from '../../../src/emulator/paging';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from './support';

afterAll(closeOwnEmulator);

const NOBODY = '00000000-0000-4000-8000-000000000000';

function links(headers: Headers | Record<string, string>): Record<string, string> {
  const text = headers instanceof Headers ? (headers.get('link') ?? '') : (headers['Link'] ?? '');
  return Object.fromEntries([...text.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', rel = '']) => [rel, url]));
}

async function transactions(chain: Chain, wallet: { id: string; blockchain: string }, count: number) {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await chain.transfer(wallet, { amounts: ['0.000001'] })).data.id);
    if (n % 40 === 39) await chain.settle();
  }
  return ids;
}

test('120 transactions, five more in between: each exactly once (field case CL-11)', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '5', USDC: '5' });
  const ids = await transactions(chain, wallet, 120);
  const seen: string[] = [];
  let next: string | undefined = '/transactions?txType=OUTBOUND&pageSize=50';
  let pages = 0;
  while (next) {
    const answer = await chain.get(next);
    seen.push(...answer.data.transactions.map(({ id }: { id: string }) => id));
    next = links(answer.headers)['next'];
    if (pages++ === 0) await transactions(chain, wallet, 5);
  }
  expect(pages).toBe(3);
  expect(seen).toEqual(ids.toReversed());
});

describe('a list of wallet sets', () => {
  let chain: Chain;
  let sets: { id: string; createDate: string }[];
  const ids = (answer: { data: { walletSets: { id: string }[] } }) => answer.data.walletSets.map(({ id }) => id);
  beforeAll(async () => {
    chain = await Chain.open();
    sets = [];
    for (let n = 0; n < 60; n++) {
      sets.push((await chain.effect('/developer/walletSets')).data.walletSet);
      await chain.world.control.advance(1_000);
    }
  });

  test('is ten long unless told otherwise, newest first, and never longer than fifty', async () => {
    const all = sets.map(({ id }) => id);
    expect(ids(await chain.get('/walletSets'))).toEqual(all.toReversed().slice(0, 10));
    expect(ids(await chain.get('/walletSets?order=ASC&pageSize=5'))).toEqual(all.slice(0, 5));
    expect(ids(await chain.get('/walletSets?pageSize=1000'))).toHaveLength(50);
    expect(await chain.get('/walletSets?pageSize=0')).toMatchObject({ status: 400, code: 2 });
  });

  test('links to its neighbours and keeps the query', async () => {
    const first = await chain.get('/walletSets?pageSize=20&order=ASC');
    expect(Object.keys(links(first.headers))).toEqual(['self', 'first', 'next']);
    const second = await chain.get(links(first.headers)['next']!);
    expect(ids(second)).toEqual(sets.slice(20, 40).map(({ id }) => id));
    expect(Object.keys(links(second.headers))).toEqual(['self', 'first', 'next', 'prev']);
    const third = await chain.get(links(second.headers)['next']!);
    // An exact multiple of the page: no page after the last.
    expect(Object.keys(links(third.headers))).toEqual(['self', 'first', 'prev']);
    expect(ids(await chain.get(links(third.headers)['prev']!))).toEqual(ids(second));
    expect(ids(await chain.get(links(third.headers)['first']!))).toEqual(ids(first));
  });

  test('has a window with both ends in it', async () => {
    const query = new URLSearchParams({ from: sets[10]!.createDate, to: sets[12]!.createDate, order: 'ASC' });
    expect(ids(await chain.get(`/walletSets?${query.toString()}`))).toEqual(sets.slice(10, 13).map(({ id }) => id));
  });

  test('refuses cursors that are none', async () => {
    expect(await chain.get('/walletSets?pageAfter=abc')).toMatchObject({ status: 400, code: 156014 });
    expect(await chain.get(`/walletSets?pageAfter=${NOBODY}`)).toMatchObject({ status: 404, code: 156012 });
    const { id } = sets[0]!;
    expect(await chain.get(`/walletSets?pageAfter=${id}&pageBefore=${id}`)).toMatchObject({ status: 400, code: 2 });
  });
});

test('walking any list forth and back gives its rows once each', () => {
  const walk = (rows: string[], query: ListQuery, rel: 'next' | 'prev') => {
    const pages: string[][] = [];
    let cursor: ListQuery = {};
    for (;;) {
      const found = page(
        { query: { ...query, ...cursor }, url: 'http://host/list' },
        { rows, idOf: (row) => row, keep: (row) => !row.endsWith('7') },
      );
      pages.push(found.rows);
      const link = links(found.headers)[rel];
      if (!link) return pages;
      cursor = Object.fromEntries(new URL(link).searchParams);
      cursor = { pageAfter: cursor.pageAfter, pageBefore: cursor.pageBefore };
    }
  };
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), fc.constantFrom('ASC', 'DESC'), (count, size, order) => {
      const rows = Array.from({ length: count }, (_, n) => `row${n}`);
      const kept = rows.filter((row) => !row.endsWith('7'));
      const wanted = order === 'ASC' ? kept : kept.toReversed();
      const forth = walk(rows, { pageSize: size, order }, 'next');
      expect(forth.flat()).toEqual(wanted);
      expect(forth).toHaveLength(Math.max(1, Math.ceil(kept.length / size)));
    }),
  );
});

test('transactions are filtered by everything that the API names', async () => {
  const chain = await Chain.open();
  const [wallet, other] = await chain.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  await chain.fund(wallet!, { native: '5', USDC: '5' });
  const { id } = (await chain.transfer(wallet!, { destinationAddress: other!.address })).data;
  await chain.settle();
  const { txHash } = await chain.transaction(id);
  const count = async (query: string) => (await chain.get(`/transactions?${query}`)).data.transactions.length;
  expect(await count('')).toBe(4);
  expect(await count('txType=OUTBOUND')).toBe(1);
  expect(await count(`txHash=${txHash}`)).toBe(2);
  expect(await count(`destinationAddress=${other!.address.toLowerCase()}&txType=OUTBOUND`)).toBe(1);
  expect(await count(`walletIds=${other!.id}`)).toBe(1);
  expect(await count(`walletIds=${other!.id},${wallet!.id}`)).toBe(4);
  expect(await count('state=COMPLETE&custodyType=DEVELOPER&operation=TRANSFER&blockchain=ETH-SEPOLIA')).toBe(4);
  expect(await count('blockchain=AVAX-FUJI')).toBe(0);
  expect(await chain.get('/transactions?userId=u')).toMatchObject({ status: 400, code: 155223 });
  expect((await chain.get(`/transactions/${id}?txType=OUTBOUND`)).status).toBe(200);
  expect(await chain.get(`/transactions/${id}?txType=INBOUND`)).toMatchObject({ status: 404, code: 156003 });
  expect(await chain.get(`/transactions/${NOBODY}`)).toMatchObject({ status: 404, code: 156003 });
});
