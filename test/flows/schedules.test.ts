import type { ScheduleHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { Outcome, TransferResult } from '../../src';
import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/flowId';
import type { FlowStart } from '../../src/domain/flowStart';
import { searchAttributeKeys } from '../../src/temporal/searchAttributes';
import { sentBy } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';

/** docs/architecture.md#flow-identity */
describe('a schedule of Temporal', () => {
  let stack: Stack;
  beforeAll(async () => {
    // A token is sealed for one workflow id, and each flow of a schedule has another.
    stack = await startStack({ issuers: () => [], speed: FAST });
  });
  afterAll(() => stack.close());

  const startedBy = async (schedule: ScheduleHandle) =>
    (await schedule.describe()).info.recentActions.map(({ action }) => action.workflow.workflowId);

  test('starts a new flow each time, with another ref, effect and transaction', async () => {
    const wallet = await fundedWallet(stack);
    const { ref, ...input } = transferOf(wallet, { amount: '1' });
    const { client } = stack.flows;
    const entity = stack.entity.name;
    const start: FlowStart<object> = { input };
    const schedule = await client.schedule.create({
      scheduleId: ref,
      spec: {},
      action: {
        type: 'startWorkflow',
        workflowType: 'transfer',
        workflowId: workflowId({ entity, flow: 'transfer', ref }),
        taskQueue: flowQueue(entity),
        // What a program puts into the argument besides does not matter.
        args: [{ ...start, entity: 'other', ref: 'other' }],
      },
    });
    const outcomes: Outcome<TransferResult>[] = [];
    for (const count of [1, 2]) {
      await schedule.trigger();
      await until(async () => (await startedBy(schedule)).length === count, 'the start');
      const startedId = (await startedBy(schedule)).at(-1)!;
      outcomes.push(await client.workflow.getHandle(startedId).result());
      const flow = stack.flows.transfer.get(startedId.split('/')[2]!);
      expect(await flow.progress()).toMatchObject({ entity, ref: expect.stringMatching(new RegExp(`^${ref}-2`)) });
      // The id ends with a time in seconds, so the next flow has to start in another one.
      await until(async () => new Date().toISOString() > startedId.slice(-20).replace('Z', '.999Z'), 'the next second');
    }
    await schedule.delete();
    const sent = await sentBy(stack.world, wallet.id);
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(new Set(outcomes.map((outcome) => reportedBy(outcome).transactionId)).size).toBe(2);
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ refId }) => refId)).size).toBe(2);
  });

  test.each<[field: string, input: (wallet: { id: string }) => object]>([
    ['from', ({ id }) => ({ from: { walletId: id.toUpperCase() } })],
    ['deadline', () => ({ deadline: '3 days' })],
  ])('cannot start a flow with a %s in another form than `start` sends', async (field, change) => {
    const wallet = await fundedWallet(stack);
    const { ref, ...input } = transferOf(wallet);
    const outcome = await stack.flows.client.workflow.execute('transfer', {
      workflowId: workflowId({ entity: stack.entity.name, flow: 'transfer', ref }),
      taskQueue: flowQueue(stack.entity.name),
      args: [{ input: { ...input, ...change(wallet) } }],
    });
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(new RegExp(`^${field}: is not in the form that`)),
    });
  });

  test('cannot start a flow under a workflow id that names another flow', async () => {
    const { ref, ...input } = transferOf(await fundedWallet(stack));
    const { client } = stack.flows;
    const start: FlowStart<object> = { input };
    for (const id of [`${stack.entity.name}/fundTestnet/${ref}`, `${stack.entity.name}/${randomUUID()}`]) {
      const taskQueue = flowQueue(stack.entity.name);
      const outcome = await client.workflow.execute('transfer', { workflowId: id, taskQueue, args: [start] });
      expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('workflow id') });
      const { typedSearchAttributes } = await client.workflow.getHandle(id).describe();
      expect(typedSearchAttributes.get(searchAttributeKeys.outcome)).toBe('failed');
    }
    expect(await sentBy(stack.world, input.from.walletId!)).toEqual([]);
  });
});
