import fc from 'fast-check';
import { type ListQuery, page } from '../../../src/emulator/requests/paging';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from './support';

afterAll(closeOwnEmulator);

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

function links(headers: Headers | Record<string, string>): Record<string, string> {
  const text = headers instanceof Headers ? (headers.get('link') ?? '') : (headers['Link'] ?? '');
  return Object.fromEntries([...text.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', rel = '']) => [rel, url]));
}

async function transactions(client: TestClient, wallet: { id: string; blockchain: string }, count: number) {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await client.transfer(wallet, { amounts: ['0.000001'] })).data.id);
    if (n % 40 === 39) await client.settle();
  }
  return ids;
}

test('paging through 120 transactions returns each once, although five more are added meanwhile', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '5', USDC: '5' });
  const ids = await transactions(client, wallet, 120);
  const seen: string[] = [];
  let next: string | undefined = '/transactions?txType=OUTBOUND&pageSize=50';
  let pages = 0;
  while (next) {
    const response = await client.get(next);
    seen.push(...response.data.transactions.map(({ id }: { id: string }) => id));
    next = links(response.headers)['next'];
    if (pages++ === 0) await transactions(client, wallet, 5);
  }
  expect(pages).toBe(3);
  expect(seen).toEqual(ids.toReversed());
});

describe('a list of wallet sets', () => {
  let client: TestClient;
  let sets: { id: string; createDate: string }[];
  const ids = (response: { data: { walletSets: { id: string }[] } }) => response.data.walletSets.map(({ id }) => id);
  beforeAll(async () => {
    client = await TestClient.open();
    sets = [];
    for (let n = 0; n < 60; n++) {
      sets.push((await client.postWithKey('/developer/walletSets')).data.walletSet);
      await client.world.control.advance(1_000);
    }
  });

  test('has ten rows by default, newest first, and at most fifty', async () => {
    const all = sets.map(({ id }) => id);
    expect(ids(await client.get('/walletSets'))).toEqual(all.toReversed().slice(0, 10));
    expect(ids(await client.get('/walletSets?order=ASC&pageSize=5'))).toEqual(all.slice(0, 5));
    expect(ids(await client.get('/walletSets?pageSize=1000'))).toHaveLength(50);
    expect(await client.get('/walletSets?pageSize=0')).toMatchObject({ status: 400, code: 2 });
  });

  test('links to the neighbouring pages and keeps the query', async () => {
    const first = await client.get('/walletSets?pageSize=20&order=ASC');
    expect(Object.keys(links(first.headers))).toEqual(['self', 'first', 'next']);
    const second = await client.get(links(first.headers)['next']!);
    expect(ids(second)).toEqual(sets.slice(20, 40).map(({ id }) => id));
    expect(Object.keys(links(second.headers))).toEqual(['self', 'first', 'next', 'prev']);
    const third = await client.get(links(second.headers)['next']!);
    // The rows fill the last page, so no further page follows.
    expect(Object.keys(links(third.headers))).toEqual(['self', 'first', 'prev']);
    expect(ids(await client.get(links(third.headers)['prev']!))).toEqual(ids(second));
    expect(ids(await client.get(links(third.headers)['first']!))).toEqual(ids(first));
  });

  test('can be limited to a time window that includes both ends', async () => {
    const query = new URLSearchParams({ from: sets[10]!.createDate, to: sets[12]!.createDate, order: 'ASC' });
    expect(ids(await client.get(`/walletSets?${query.toString()}`))).toEqual(sets.slice(10, 13).map(({ id }) => id));
  });

  test('rejects invalid cursors', async () => {
    expect(await client.get('/walletSets?pageAfter=abc')).toMatchObject({ status: 400, code: 156014 });
    expect(await client.get(`/walletSets?pageAfter=${UNKNOWN_ID}`)).toMatchObject({ status: 404, code: 156012 });
    const { id } = sets[0]!;
    expect(await client.get(`/walletSets?pageAfter=${id}&pageBefore=${id}`)).toMatchObject({ status: 400, code: 2 });
  });
});

test('paging through any list forward and backward returns each row once', () => {
  const walk = (rows: string[], query: ListQuery, rel: 'next' | 'prev') => {
    const pages: string[][] = [];
    let cursor: ListQuery = {};
    for (;;) {
      const found = page(
        { query: { ...query, ...cursor }, url: 'http://host/list' },
        { rows, idOf: (row) => row, filter: (row) => !row.endsWith('7') },
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
      const remaining = rows.filter((row) => !row.endsWith('7'));
      const expected = order === 'ASC' ? remaining : remaining.toReversed();
      const forth = walk(rows, { pageSize: size, order }, 'next');
      expect(forth.flat()).toEqual(expected);
      expect(forth).toHaveLength(Math.max(1, Math.ceil(remaining.length / size)));
    }),
  );
});

test('transactions can be filtered by every documented filter', async () => {
  const client = await TestClient.open();
  const [wallet, other] = await client.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  await client.fund(wallet!, { native: '5', USDC: '5' });
  const { id } = (await client.transfer(wallet!, { destinationAddress: other!.address })).data;
  await client.settle();
  const { txHash } = await client.transaction(id);
  const count = async (query: string) => (await client.get(`/transactions?${query}`)).data.transactions.length;
  expect(await count('')).toBe(4);
  expect(await count('txType=OUTBOUND')).toBe(1);
  expect(await count(`txHash=${txHash}`)).toBe(2);
  expect(await count(`destinationAddress=${other!.address.toLowerCase()}&txType=OUTBOUND`)).toBe(1);
  expect(await count(`walletIds=${other!.id}`)).toBe(1);
  expect(await count(`walletIds=${other!.id},${wallet!.id}`)).toBe(4);
  expect(await count('state=COMPLETE&custodyType=DEVELOPER&operation=TRANSFER&blockchain=ETH-SEPOLIA')).toBe(4);
  expect(await count('blockchain=AVAX-FUJI')).toBe(0);
  expect(await client.get('/transactions?userId=u')).toMatchObject({ status: 400, code: 155223 });
  expect((await client.get(`/transactions/${id}?txType=OUTBOUND`)).status).toBe(200);
  expect(await client.get(`/transactions/${id}?txType=INBOUND`)).toMatchObject({ status: 404, code: 156003 });
  expect(await client.get(`/transactions/${UNKNOWN_ID}`)).toMatchObject({ status: 404, code: 156003 });
});
