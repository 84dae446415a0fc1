import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { listFlows, listQuery, type ListFilter } from '../../../src/flows/list';
import { Pace } from '../../../src/temporal/pace';
import { searchAttributeKeys } from '../../../src/temporal/searchAttributes';

const SINCE = new Date('2026-11-27T10:00:00.000Z');

/** [filter, query] */
const QUERIES: [filter: ListFilter, query: string][] = [
  [{}, `Entity = 'main'`],
  [{ flow: 'transfer' }, `Entity = 'main' AND FlowKind = 'transfer'`],
  [{ attention: true }, `Entity = 'main' AND ExecutionStatus = 'Running' AND FlowAttention IS NOT NULL`],
  [{ attention: false }, `Entity = 'main'`],
  [{ since: SINCE }, `Entity = 'main' AND StartTime >= '2026-11-27T10:00:00.000Z'`],
];

test.each(QUERIES)('%j asks for just that', (filter, query) => {
  expect(listQuery('main', filter)).toBe(query);
});

test('a filter that is none is refused, and never gets into the query', () => {
  const flow = `transfer' OR Entity = 'other` as 'transfer';
  expect(() => listQuery('main', { flow, since: new Date('never') })).toThrow(/flow: is no flow[^]*since: is no date/);
});

/** A client whose visibility has these; `asked` counts the queries as the SDK makes them, one a page. */
function visibility(infos: object[]) {
  const asked: { query?: string; pageSize?: number }[] = [];
  const list = (options: { pageSize: number }) => ({
    async *[Symbol.asyncIterator]() {
      for (let n = 0; n <= infos.length; n++) {
        if (n % options.pageSize === 0) asked.push(options);
        if (n < infos.length) yield infos[n];
      }
    },
  });
  return { asked, client: { workflow: { list } } as unknown as Client };
}

const info = (workflowId: string, status = 'RUNNING', attributes: object[] = []) => ({
  workflowId,
  status: { name: status },
  startTime: SINCE,
  ...(status !== 'RUNNING' && { closeTime: SINCE }),
  typedSearchAttributes: new TypedSearchAttributes(attributes as never),
});

async function all(client: Client, pace = new Pace(1_000)) {
  const found = [];
  for await (const summary of listFlows({ client, entity: 'main', pace })) found.push(summary);
  return found;
}

test('flows are told by id, state and attributes; what is no flow is left out', async () => {
  const waiting = [
    { key: searchAttributeKeys.step, value: 'gate' },
    { key: searchAttributeKeys.attention, value: '155201' },
  ];
  const { client } = visibility([
    info('main/transfer/a', 'RUNNING', waiting),
    info('main/transfer/b', 'COMPLETED', waiting),
    info('main/fundTestnet/c', 'TERMINATED'),
    info('somebody-else'),
  ]);
  const name = (flow: string, ref: string) => ({ workflowId: `main/${flow}/${ref}`, flow, ref, startedAt: SINCE });
  expect(await all(client)).toEqual([
    { ...name('transfer', 'a'), state: 'running', step: 'gate', attention: '155201' },
    { ...name('transfer', 'b'), state: 'ended', step: 'gate', endedAt: SINCE },
    { ...name('fundTestnet', 'c'), state: 'stopped', endedAt: SINCE },
  ]);
});

test('each page waits for its turn, over all lists of a client', async () => {
  const { client, asked } = visibility(Array.from({ length: 250 }, (_, n) => info(`main/transfer/${n}`)));
  const pace = new Pace(50);
  const begun = performance.now();
  const both = await Promise.all([all(client, pace), all(client, pace)]);
  expect(both.map((found) => found.length)).toEqual([250, 250]);
  expect(asked).toHaveLength(6);
  expect(performance.now() - begun).toBeGreaterThan(5 * 20 - 5);
});

test('who takes no more asks no more', async () => {
  const { client, asked } = visibility(Array.from({ length: 250 }, (_, n) => info(`main/transfer/${n}`)));
  for await (const _summary of listFlows({ client, entity: 'main', pace: new Pace(1_000) })) break;
  expect(asked).toHaveLength(1);
});
