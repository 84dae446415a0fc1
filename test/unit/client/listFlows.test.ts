import type { Client } from '@temporalio/client';
import { encodeUnifiedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes';
import { msNumberToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { FlowInputError } from '../../../src/client/errors';
import { listFlows, listPage, type ListPageRequest } from '../../../src/client/listFlows';
import { searchAttributeKeys } from '../../../src/temporal/searchAttributes';
import { Throttle } from '../../../src/temporal/throttle';

const STARTED = new Date('2026-11-27T10:00:00.000Z');

const { WorkflowExecutionStatus } = temporal.api.enums.v1;
type Status = 'RUNNING' | 'COMPLETED' | 'TERMINATED' | 'TIMED_OUT' | 'FAILED' | 'PAUSED';
type Attributes = Partial<Record<'step' | 'attention' | 'outcome', string>>;

/** A workflow as the server lists it. */
function workflow(workflowId: string, status: Status = 'RUNNING', attributes: Attributes = {}) {
  const pairs = Object.entries(attributes).map(([name, value]) => ({
    key: searchAttributeKeys[name as keyof Attributes],
    value,
  }));
  return {
    execution: { workflowId },
    status: WorkflowExecutionStatus[`WORKFLOW_EXECUTION_STATUS_${status}`],
    startTime: msNumberToTs(STARTED.getTime()),
    ...(status !== 'RUNNING' && status !== 'PAUSED' && { closeTime: msNumberToTs(STARTED.getTime()) }),
    searchAttributes: { indexedFields: encodeUnifiedSearchAttributes(undefined, pairs) },
  };
}

/** A client of a server with these workflows, whose page token is the number of workflows listed so far. */
function visibility(workflows: object[]) {
  const queries: { query: string; pageSize: number }[] = [];
  const listWorkflowExecutions = (request: { query: string; pageSize: number; nextPageToken?: Uint8Array }) => {
    queries.push(request);
    const first = Number(Buffer.from(request.nextPageToken ?? []).toString() || 0);
    const next = first + request.pageSize;
    return Promise.resolve({
      executions: workflows.slice(first, next),
      nextPageToken: Buffer.from(next < workflows.length ? `${next}` : ''),
    });
  };
  const client = { workflowService: { listWorkflowExecutions }, options: { namespace: 'default' } };
  return { queries, client: client as unknown as Client };
}

const deps = (client: Client, throttle = new Throttle(1_000)) => ({ client, entity: 'main', throttle });

async function all(client: Client, throttle?: Throttle) {
  const found = [];
  for await (const summary of listFlows(deps(client, throttle))) found.push(summary);
  return found;
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => workflow(`main/transfer/${n}`));

test('a flow has its id, status and attributes, and other workflows are left out', async () => {
  const waiting = { step: 'gate', attention: '155201' };
  const { client } = visibility([
    workflow('main/transfer/a', 'RUNNING', waiting),
    workflow('main/transfer/b', 'COMPLETED', { step: 'gate', outcome: 'denied' }),
    workflow('main/fundTestnet/c', 'TERMINATED', waiting),
    workflow('main/fundTestnet/d', 'TIMED_OUT'),
    workflow('main/fundTestnet/e', 'FAILED'),
    workflow('main/fundTestnet/f', 'PAUSED'),
    workflow('main/foreign/g', 'COMPLETED'),
    workflow('other-workflow'),
  ]);
  const name = (flow: string, ref: string) => ({ workflowId: `main/${flow}/${ref}`, flow, ref, startedAt: STARTED });
  expect(await all(client)).toEqual([
    { ...name('transfer', 'a'), status: 'running', ...waiting },
    { ...name('transfer', 'b'), status: 'denied', step: 'gate', endedAt: STARTED },
    { ...name('fundTestnet', 'c'), status: 'terminated', step: 'gate', endedAt: STARTED },
    { ...name('fundTestnet', 'd'), status: 'timedOut', endedAt: STARTED },
    { ...name('fundTestnet', 'e'), status: 'crashed', endedAt: STARTED },
    { ...name('fundTestnet', 'f'), status: 'running' },
  ]);
});

test('a throttle limits the pages of all lists of a client', async () => {
  const { client, queries } = visibility(numbered(250));
  const throttle = new Throttle(50);
  const startedAt = performance.now();
  const both = await Promise.all([all(client, throttle), all(client, throttle)]);
  expect(both.map((found) => found.length)).toEqual([250, 250]);
  expect(queries).toHaveLength(6);
  expect(performance.now() - startedAt).toBeGreaterThan(5 * 20 - 5);
});

test('a caller that stops iterating causes no further query', async () => {
  const { client, queries } = visibility(numbered(250));
  for await (const _summary of listFlows(deps(client))) break;
  expect(queries).toHaveLength(1);
});

test('pages follow one another by their tokens, each with its own limit', async () => {
  const { client, queries } = visibility(numbered(5));
  const refs = async (request: ListPageRequest) => {
    const { flows, nextPageToken } = await listPage(deps(client), { ...request, flow: 'transfer' });
    return { refs: flows.map(({ ref }) => ref).join(), nextPageToken };
  };
  const first = await refs({ limit: 2 });
  expect(first).toEqual({ refs: '0,1', nextPageToken: expect.stringMatching(/^[\w-]+$/) });
  expect(await refs({ limit: 3, pageToken: first.nextPageToken })).toEqual({ refs: '2,3,4' });
  expect(queries.map(({ query, pageSize }) => [query, pageSize])).toEqual([
    [`Entity = 'main' AND FlowKind = 'transfer'`, 2],
    [`Entity = 'main' AND FlowKind = 'transfer'`, 3],
  ]);
});

test('a page token of another list, or with a typing error, is rejected before any query', async () => {
  const { client, queries } = visibility(numbered(5));
  const { nextPageToken: token } = await listPage(deps(client), { limit: 2, flow: 'transfer' });
  const invalid: ListPageRequest[] = [
    { flow: 'fundTestnet', pageToken: token },
    { flow: 'transfer', pageToken: token!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
    { flow: 'transfer', pageToken: token!.slice(0, -1) },
    { flow: 'transfer', pageToken: 'a token' },
    { flow: 'transfer', pageToken: '' },
    { flow: 'transfer', pageToken: 7 as never },
  ];
  for (const request of invalid) {
    const page = listPage(deps(client), request);
    await expect(page).rejects.toThrow(FlowInputError);
    await expect(page).rejects.toThrow(/pageToken: does not belong to this list; use the token of the page before/);
  }
  expect(queries).toHaveLength(1);
  // The command line computes `since` from a duration.
  expect((await listPage(deps(client), { flow: 'transfer', since: STARTED, pageToken: token })).flows).toHaveLength(3);
});

test.each([0, -1, 1_001, 1.5, Number.NaN])('the limit %d is rejected before any query', async (limit) => {
  const { client, queries } = visibility([]);
  const page = listPage(deps(client), { limit, flow: 7 as never, status: 'ended' as never });
  await expect(page).rejects.toThrow(FlowInputError);
  await expect(page).rejects.toThrow(/flow: [^]*status: [^]*limit: must be a whole number from 1 to 1000/);
  expect(queries).toEqual([]);
});

test('a field that a filter does not have is rejected before any query', async () => {
  const { client, queries } = visibility(numbered(5));
  const misspelled = { stauts: 'failed' } as never;
  await expect(listPage(deps(client), misspelled)).rejects.toThrow(FlowInputError);
  await expect(listFlows(deps(client), misspelled).next()).rejects.toThrow(/stauts: is not a field of this filter/);
  await expect(listFlows(deps(client), { limit: 2 } as never).next()).rejects.toThrow(/limit: is not a field/);
  expect(queries).toEqual([]);
});
