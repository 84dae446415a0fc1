import { type Api, createApi, paginate, PagingStalledError, RowsSkippedError } from '../../../src/api';
import { nextCursor } from '../../../src/api/linkHeader';
import { json, startServer, type TestServer } from './server';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const row = (id: string) => ({
  id,
  custodyType: 'DEVELOPER',
  createDate: '2026-10-21T07:28:00Z',
  updateDate: '2026-10-21T07:28:00Z',
});

/** Newest first, in the order of the API. */
let rows: string[];
/** Whether responses have a `Link` header. */
let links: boolean;
/** Whether the server repeats its first page. */
let stuck: boolean;
/** Ids of rows that do not match the contract. */
let strange: Set<string>;
let afterPage: (() => void) | undefined;
let server: TestServer;
let api: Api;

beforeAll(async () => {
  server = await startServer((response, { url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const size = Number(searchParams.get('pageSize') ?? '10');
    const start = stuck ? 0 : rows.indexOf(searchParams.get('pageAfter') ?? '') + 1;
    const page = rows.slice(start, start + size);
    const next = start + size < rows.length ? page.at(-1) : undefined;
    // Names another host on purpose. The client must use only the cursor, or it would send the API key there.
    const link = [
      '<https://evil.example.com/x>; rel="self"',
      ...(next ? [`<https://evil.example.com/x?pageSize=1&pageAfter=${next}>; rel="next"`] : []),
    ];
    json(
      response,
      { data: { walletSets: page.map((id) => (strange.has(id) ? { id, createDate: 7 } : row(id))) } },
      200,
      links ? { link: link.join(', ') } : {},
    );
    afterPage?.();
  });
  api = createApi({ name: 'acme', kind: 'test', apiKey: 'TEST_API_KEY:a:b', hosts: { api: server.origin } });
});
beforeEach(() => {
  server.seen.length = 0;
  rows = Array.from({ length: 120 }, (_, n) => uuid(n));
  links = true;
  stuck = false;
  strange = new Set();
  afterPage = undefined;
});
afterAll(() => server.close());

async function walk(ids: string[] = []): Promise<string[]> {
  const sets = paginate(api.listWalletSets, { query: { pageSize: 50, order: 'DESC' } }, (body) => body.data.walletSets);
  for await (const { id } of sets) ids.push(id);
  return ids;
}

test.each([true, false])(
  'each id is returned once, and every request has the filters (with Link: %s)',
  async (withLinks) => {
    links = withLinks;
    expect(await walk()).toEqual(rows);
    expect(server.seen).toHaveLength(withLinks ? 3 : 4);
    for (const { url } of server.seen) expect(url).toContain('pageSize=50&order=DESC');
  },
);

test.each([
  [true, 2],
  [false, 3],
])('a full last page costs at most one empty page (with Link: %s)', async (withLinks, requests) => {
  links = withLinks;
  rows = rows.slice(0, 100);
  expect(await walk()).toEqual(rows);
  expect(server.seen).toHaveLength(requests);
});

test('a row that is on two pages is returned once', async () => {
  const original = [...rows];
  afterPage = () => {
    afterPage = undefined;
    rows.push(...rows.splice(10, 1));
  };
  expect(await walk()).toEqual(original);
});

test('rows that are inserted meanwhile do not repeat or hide the original ones', async () => {
  const original = [...rows];
  afterPage = () => {
    afterPage = undefined;
    rows.unshift(...Array.from({ length: 5 }, (_, n) => uuid(900 + n)));
  };
  expect(await walk()).toEqual(original);
});

test.each([true, false])(
  'a repeated cursor does not make a list run forever but fails after one extra request (with Link: %s)',
  async (withLinks) => {
    links = withLinks;
    stuck = true;
    await expect(walk()).rejects.toThrow(PagingStalledError);
    expect(server.seen).toHaveLength(2);
  },
);

test.each([true, false])(
  'strange rows do not end a list early, but make it incomplete (with Link: %s)',
  async (withLinks) => {
    links = withLinks;
    const readable = rows.filter((_, n) => n % 7 !== 3);
    strange = new Set(rows.filter((id) => !readable.includes(id)));
    const ids: string[] = [];
    await expect(walk(ids)).rejects.toThrow(RowsSkippedError);
    expect(ids).toEqual(readable);
  },
);

test('an empty list takes one request', async () => {
  rows = [];
  links = false;
  expect(await walk()).toEqual([]);
  expect(server.seen).toHaveLength(1);
});

test('response returns one page and the cursor of the next one', async () => {
  const { body, next } = await api.listWalletSets.response({ query: { pageSize: 50 } });
  expect(body.data.walletSets).toHaveLength(50);
  expect(next).toBe(uuid(49));
  expect((await api.listWalletSets.response({ query: { pageAfter: uuid(99), pageSize: 50 } })).next).toBeNull();
  links = false;
  expect((await api.listWalletSets.response()).next).toBeUndefined();
});

test.each<[string | undefined, string | null | undefined]>([
  [undefined, undefined],
  ['', null],
  ['<https://a/x?pageAfter=c>; rel="next"', 'c'],
  ['<https://a/x?pageAfter=c>;rel=next', 'c'],
  ['</x?pageAfter=c>; title="t"; rel="last next"', 'c'],
  ['<https://a/x?pageBefore=b>; rel="prev", <https://a/x?pageAfter=c>; rel="next"', 'c'],
  ['<https://a/x?pageAfter=c>; rel="self", <https://a/x>; rel="first"', null],
  ['<https://a/x?pageAfter=c>; rel="nextish"', null],
  ['<https://a/x>; rel="next"', undefined],
])('the next cursor of %j is %j', (link, cursor) => expect(nextCursor(link)).toBe(cursor));
