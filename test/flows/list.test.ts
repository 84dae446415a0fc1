import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FlowSummary, ListFilter } from '../../src';
import { openFlows } from '../../src/client/openFlows';
import { flowQueue } from '../../src/domain/activityTable';
import { searchAttributeKeys } from '../../src/temporal/searchAttributes';
import { type Stack, startStack, TEMPORAL } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const HOUR = 3_600_000;

describe('list', () => {
  let stack: Stack;
  let wallet: FundedWallet;
  let empty: FundedWallet;

  beforeAll(async () => {
    const transfer = { feeLevel: 'MEDIUM', unresolvedAfter: '10 minutes', stuck: 'ask' };
    stack = await startStack({ policies: { hasty: [{ version: 1, transfer }] } });
    wallet = await fundedWallet(stack);
    empty = await fundedWallet(stack, { native: '0', usdc: '0' });
  });
  afterAll(() => stack.close());

  const start = (from: FundedWallet, more = {}) => stack.flows.transfer.start(transferOf(from, more));
  const all = async (filter: ListFilter = {}) => {
    const found: FlowSummary[] = [];
    for await (const summary of stack.flows.list(filter)) found.push(summary);
    return found;
  };
  const refs = async (filter: ListFilter) => (await all(filter)).map(({ ref }) => ref).sort();

  /** Starts a workflow of a flow that no worker serves, and that times out. @returns its ref */
  async function startUnserved(): Promise<string> {
    const ref = randomUUID();
    const { name } = stack.entity;
    await stack.flows.client.workflow.start('transfer', {
      workflowId: `${name}/transfer/${ref}`,
      taskQueue: `${flowQueue(name)}/unserved`,
      workflowExecutionTimeout: '1 second',
      typedSearchAttributes: [
        { key: searchAttributeKeys.kind, value: 'transfer' },
        { key: searchAttributeKeys.entity, value: name },
      ],
    });
    return ref;
  }

  /** The search attributes that each upsert of a flow set; `FlowAttention=` unsets it. */
  async function upserts(workflowId: string): Promise<string[]> {
    const { events } = await stack.flows.client.workflow.getHandle(workflowId).fetchHistory();
    return events!.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) =>
      upsert
        ? Object.entries(upsert.searchAttributes?.indexedFields ?? {})
            .map(
              ([name, { data }]) =>
                `${name}=${Buffer.from(data ?? [])
                  .toString()
                  .replaceAll(/["[\]]|null/g, '')}`,
            )
            .sort()
            .join(' ')
        : [],
    );
  }

  test('shows and filters by how each flow ended, also without an outcome', async () => {
    const completed = await start(wallet);
    const failed = await start(wallet, { policy: 'nope' });
    const cancelled = await start(empty);
    const waiting = await start(empty);
    const terminated = await start(empty);
    const timedOut = await startUnserved();
    for (const flow of [cancelled, waiting, terminated]) await attentionOf(flow);
    await cancelled.cancel(await stack.as('ops'));
    await stack.flows.client.workflow.getHandle(terminated.workflowId).terminate();
    await until(async () => (await completed.progress()).pastPointOfNoReturn, 'the submission');
    await stack.advance(HOUR);
    for (const flow of [completed, failed, cancelled]) await flow.result();

    const expected = {
      [completed.ref]: 'completed',
      [failed.ref]: 'failed',
      [cancelled.ref]: 'cancelled',
      [waiting.ref]: 'running',
      [terminated.ref]: 'terminated',
      [timedOut]: 'timedOut',
    } as const;
    const shown = async () => Object.fromEntries((await all()).map(({ ref, status }) => [ref, status]));
    // Visibility lags behind.
    await until(async () => isDeepStrictEqual(await shown(), expected), JSON.stringify(expected));
    for (const [ref, status] of Object.entries(expected)) expect(await refs({ status })).toEqual([ref]);
    for (const status of ['denied', 'expired', 'crashed'] as const) expect(await refs({ status })).toEqual([]);
    expect(await all({ status: 'running', attention: true })).toMatchObject([
      { ref: waiting.ref, status: 'running', step: 'gate', attention: 'InsufficientTokenBalance' },
    ]);
  });

  test('reads page by page', async () => {
    const limit = 2;
    const found: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await stack.flows.listPage({ limit, ...(pageToken !== undefined && { pageToken }) });
      expect(page.flows.length).toBeLessThanOrEqual(limit);
      found.push(...page.flows.map(({ ref }) => ref));
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    expect(found).toEqual((await all()).map(({ ref }) => ref));
    expect(found).toHaveLength(6);
  });

  test('keeps quotes and backslashes of an entity name out of the query', async () => {
    for (const entity of [`x' OR Entity != 'x`, `x\\' OR Entity != 'x`, `x\\\\`]) {
      const { keyRing, sealingKeys } = stack;
      const flows = await openFlows({ entity, keyRing, sealingKeys, temporal: TEMPORAL });
      expect(await flows.listPage()).toEqual({ flows: [] });
      await flows.close();
    }
  });

  test('an ended flow has set its outcome once, in the event that also clears its attention', async () => {
    const flow = await start(wallet, { policy: 'hasty' });
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    const { transactionId } = (await flow.progress()).resources;
    const held = { state: 'HELD', durationMs: HOUR };
    await stack.world.control.call('POST', `/transactions/${transactionId}/label`, held);
    await stack.advance(HOUR / 2);
    await until(async () => (await flow.progress()).unresolved === true, 'the missed deadline');
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await upserts(flow.workflowId)).toEqual([
      'FlowStep=follow',
      'FlowAttention=Unresolved FlowStep=follow',
      'FlowAttention= FlowOutcome=completed',
    ]);
  });
});
