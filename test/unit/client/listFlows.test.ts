import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { type ListFilter, listFlows, listQuery } from '../../../src/client/listFlows';
import { searchAttributeKeys } from '../../../src/temporal/searchAttributes';
import { Throttle } from '../../../src/temporal/throttle';

const SINCE = new Date('2026-11-27T10:00:00.000Z');

/** [filter, query] */
const QUERIES: [filter: ListFilter, query: string][] = [
  [{}, `Entity = 'main'`],
  [{ flow: 'transfer' }, `Entity = 'main' AND FlowKind = 'transfer'`],
  [{ attention: true }, `Entity = 'main' AND ExecutionStatus = 'Running' AND FlowAttention IS NOT NULL`],
  [{ attention: false }, `Entity = 'main'`],
  [{ since: SINCE }, `Entity = 'main' AND StartTime >= '2026-11-27T10:00:00.000Z'`],
];

test.each(QUERIES)('filter %j leads to the right query', (filter, query) => {
  expect(listQuery('main', filter)).toBe(query);
});

test('an invalid filter is rejected and never gets into the query', () => {
  const flow = `transfer' OR Entity = 'other` as 'transfer';
  expect(() => listQuery('main', { flow, since: new Date('never') })).toThrow(
    /flow: does not exist[^]*since: is not a valid date/,
  );
});

/** A client that lists these workflows. `queries` has one entry for each page, as the SDK queries. */
function visibility(infos: object[]) {
  const queries: { query?: string; pageSize?: number }[] = [];
  const list = (options: { pageSize: number }) => ({
    async *[Symbol.asyncIterator]() {
      for (let n = 0; n <= infos.length; n++) {
        if (n % options.pageSize === 0) queries.push(options);
        if (n < infos.length) yield infos[n];
      }
    },
  });
  return { queries, client: { workflow: { list } } as unknown as Client };
}

const info = (workflowId: string, status = 'RUNNING', attributes: object[] = []) => ({
  workflowId,
  status: { name: status },
  startTime: SINCE,
  ...(status !== 'RUNNING' && { closeTime: SINCE }),
  typedSearchAttributes: new TypedSearchAttributes(attributes as never),
});

async function all(client: Client, throttle = new Throttle(1_000)) {
  const found = [];
  for await (const summary of listFlows({ client, entity: 'main', throttle })) found.push(summary);
  return found;
}

test('a flow has its id, state and attributes, and other workflows are left out', async () => {
  const waiting = [
    { key: searchAttributeKeys.step, value: 'gate' },
    { key: searchAttributeKeys.attention, value: '155201' },
  ];
  const { client } = visibility([
    info('main/transfer/a', 'RUNNING', waiting),
    info('main/transfer/b', 'COMPLETED', waiting),
    info('main/fundTestnet/c', 'TERMINATED'),
    info('other-workflow'),
  ]);
  const name = (flow: string, ref: string) => ({ workflowId: `main/${flow}/${ref}`, flow, ref, startedAt: SINCE });
  expect(await all(client)).toEqual([
    { ...name('transfer', 'a'), state: 'running', step: 'gate', attention: '155201' },
    { ...name('transfer', 'b'), state: 'ended', step: 'gate', endedAt: SINCE },
    { ...name('fundTestnet', 'c'), state: 'stopped', endedAt: SINCE },
  ]);
});

test('a throttle limits the pages of all lists of a client', async () => {
  const { client, queries } = visibility(Array.from({ length: 250 }, (_, n) => info(`main/transfer/${n}`)));
  const throttle = new Throttle(50);
  const startedAt = performance.now();
  const both = await Promise.all([all(client, throttle), all(client, throttle)]);
  expect(both.map((found) => found.length)).toEqual([250, 250]);
  expect(queries).toHaveLength(6);
  expect(performance.now() - startedAt).toBeGreaterThan(5 * 20 - 5);
});

test('a caller that stops iterating causes no further query', async () => {
  const { client, queries } = visibility(Array.from({ length: 250 }, (_, n) => info(`main/transfer/${n}`)));
  for await (const _summary of listFlows({ client, entity: 'main', throttle: new Throttle(1_000) })) break;
  expect(queries).toHaveLength(1);
});
