import { type ChangingProxy, type Reply, startChangingProxy } from '../support/changingProxy';
import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { startSweep, untilShown } from '../support/sweeps';
import { transferOf } from '../support/transfers';
import { fundedWallet } from '../support/wallets';

interface Row {
  id: string;
  refId?: string;
}

/** No transaction moves. */
const FROZEN = 0.001;
const PAGE_SIZE = 50;

describe('a sweep ends although its list', () => {
  let stack: Stack;
  let proxy: ChangingProxy;
  let newest: Row | undefined;

  beforeAll(async () => {
    stack = await startStack({ speed: FROZEN });
    proxy = await startChangingProxy(stack.world.url);
    stack.entity.hosts.api = proxy.url;
    await stack.whileStopped(async () => {});
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack)));
    await untilShown(stack, [flow.workflowId]);
  });
  afterAll(async () => {
    await stack.close();
    proxy.close();
  });

  /** A full page without a transaction of a waiting flow, and with a next page. */
  function fullPage({ headers, body }: Reply, createDate?: string): Reply {
    const { transactions } = (JSON.parse(body) as { data: { transactions: Row[] } }).data;
    // The emulator's own next page is empty.
    newest = transactions[0] ?? newest;
    const { refId: _, ...foreign } = newest!;
    const row = { ...foreign, ...(createDate !== undefined && { createDate }) };
    const link = `<${proxy.url}/v1/w3s/transactions?pageAfter=${row.id}>; rel="next"`;
    const rows = Array.from({ length: PAGE_SIZE }, () => row);
    return { headers: { ...headers, link }, body: JSON.stringify({ data: { transactions: rows } }) };
  }

  /** @returns how many requests one sweep sends */
  async function requestsOfSweep(change: (reply: Reply) => Reply): Promise<number> {
    proxy.change = (path, reply) => (/transactions\?(?!.*walletIds)/.test(path) ? change(reply) : undefined);
    const before = (await requestsOf(stack.world, 'listTransactions')).length;
    await (await startSweep(stack)).result();
    return (await requestsOf(stack.world, 'listTransactions')).length - before;
  }

  test('names the same next page again and again', async () => {
    expect(await requestsOfSweep((reply) => fullPage(reply))).toBe(2);
  });

  test('has no Date header, by which the age of a transaction is known', async () => {
    const old = (reply: Reply) => {
      const { headers, body } = fullPage(reply, '2020-01-01T00:00:00Z');
      const { date: _, ...rest } = headers;
      return { headers: rest, body };
    };
    expect(await requestsOfSweep(old)).toBe(1);
  });
});
