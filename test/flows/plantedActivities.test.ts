import type { Payload } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import { sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { forgeries, json, Stranger } from '../support/stranger';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

type IFailure = temporal.api.failure.v1.IFailure;

/** Longer than the stranger needs, and shorter than the HTTP timeout. */
const SLOW = { delayMs: 2_000, when: 'before' } as const;

/** Somebody without the key ring completes, fails and schedules activities (docs/security.md#write-access-to-the-namespace). */
describe('planted activities', () => {
  let stack: Stack;
  let stranger: Stranger;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    stranger = await Stranger.connect();
  });
  afterAll(async () => {
    await stranger.close();
    await stack.close();
  });
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  const historyOf = async (workflowId: string) =>
    (await stack.flows.client.workflow.getHandle(workflowId).fetchHistory()).events ?? [];
  const slow = (operation: 'createTransfer' | 'validateAddress') =>
    stack.world.control.addFault({ operation, count: 1, action: SLOW });
  const start = () => stack.flows.transfer.start(transferOf(wallet));

  /** Waits until the flow's activity sends its request. @returns the activity's id */
  async function pendingActivity({ workflowId }: FlowHandle<unknown>, type: string): Promise<string> {
    let activityId: string | null | undefined;
    await until(async () => {
      const { raw } = await stack.flows.client.workflow.getHandle(workflowId).describe();
      const pending = raw.pendingActivities?.find(({ activityType }) => activityType?.name === type);
      activityId = pending?.attempt === 1 && pending.lastStartedTime ? pending.activityId : undefined;
      return typeof activityId === 'string';
    }, type);
    return activityId!;
  }

  /** A result of the same activity in another flow. */
  async function resultElsewhere(type: string): Promise<Payload> {
    const flow = await start();
    await flow.result();
    const events = await historyOf(flow.workflowId);
    const scheduled = events.find((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === type)!;
    const completed = events.find(
      (event) => String(event.activityTaskCompletedEventAttributes?.scheduledEventId) === String(scheduled.eventId),
    )!;
    return completed.activityTaskCompletedEventAttributes!.result!.payloads![0]!;
  }

  const completesOnce = async (flow: FlowHandle<unknown>) => {
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    const sent = (await sentBy(stack.world, wallet.id)).filter(({ refId }) => refId?.includes(flow.ref));
    expect(sent).toHaveLength(1);
    const { result } = (await flow.result()) as { result: { transactionId: string } };
    expect(result.transactionId).toBe(sent[0]!.id);
  };

  test.each(['nothing', 'plain', 'garbage', 'copied'])(
    '%s as the result of a submission: the flow looks it up',
    async (form) => {
      const elsewhere = await resultElsewhere('createTransfer');
      await slow('createTransfer');
      const flow = await start();
      const activityId = await pendingActivity(flow, 'createTransfer');
      const value = { id: randomUUID(), state: 'COMPLETE' };
      await stranger.completeActivity(flow.workflowId, activityId, forgeries({ elsewhere, value })[form]!);
      await completesOnce(flow);
    },
  );

  test.each(['nothing', 'plain', 'copied'])('%s as the result of a read: the flow reads again', async (form) => {
    const elsewhere = await resultElsewhere('validateAddress');
    await slow('validateAddress');
    const flow = await start();
    const activityId = await pendingActivity(flow, 'validateAddress');
    const value = false;
    await stranger.completeActivity(flow.workflowId, activityId, forgeries({ elsewhere, value })[form]!);
    await completesOnce(flow);
    const scheduled = (await historyOf(flow.workflowId)).filter(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'validateAddress',
    );
    expect(scheduled).toHaveLength(2);
  });

  const refusal = {
    type: 'ApiRefused',
    nonRetryable: true,
    details: { payloads: [json({ code: 155201, kind: 'refused' })] },
  };
  const FAILURES: Record<string, IFailure> = {
    refusal: { applicationFailureInfo: refusal },
    'retryable failure': { applicationFailureInfo: { type: 'ApiRetry' } },
    'failure of the server': { serverFailureInfo: { nonRetryable: true } },
    cancellation: { canceledFailureInfo: {} },
    timeout: { timeoutFailureInfo: { timeoutType: 1 } },
    'timeout of all attempts': { timeoutFailureInfo: { timeoutType: 3 } },
    termination: { terminatedFailureInfo: {} },
    'failure within a failure': {
      activityFailureInfo: { activityType: { name: 'readToken' }, activityId: '1' },
      cause: { applicationFailureInfo: refusal },
    },
    'failure of no kind': {},
  };

  test.each(Object.entries(FAILURES))('a %s in plaintext: the flow goes on', async (_what, failure) => {
    for (const [type, operation] of [
      ['createTransfer', 'createTransfer'],
      ['validateAddress', 'validateAddress'],
    ] as const) {
      await slow(operation);
      const flow = await start();
      const activityId = await pendingActivity(flow, type);
      await stranger.failActivity(flow.workflowId, activityId, { message: 'planted', ...failure });
      await completesOnce(flow);
    }
  });

  test('an activity that a stranger schedules or starts is refused, with a copied input too', async () => {
    const victim = await start();
    await victim.result();
    const scheduled = (await historyOf(victim.workflowId)).flatMap(
      (event) => event.activityTaskScheduledEventAttributes ?? [],
    );
    await stack.world.control.clearJournal();
    const tried: string[] = [];
    for (const { activityType, activityId, input, taskQueue: queue } of scheduled) {
      const type = activityType!.name!;
      const taskQueue = queue!.name!;
      for (const [form, payloads] of Object.entries(forgeries({ elsewhere: input!.payloads![0]! }))) {
        const planted = { type, taskQueue, activityId: activityId!, payloads };
        const ends = [
          await stranger.scheduleActivity({ ...planted, workflowId: `stranger-${randomUUID()}` }),
          await stranger.startActivity({ ...planted, activityId: randomUUID() }),
        ];
        expect([type, form, ...ends]).toEqual([type, form, 'Untrusted', 'Untrusted']);
        tried.push(`${type} ${form}`);
      }
      // In a workflow with the id of the flow, the input of each activity decrypts; but it belongs to another run.
      const again = {
        workflowId: victim.workflowId,
        type,
        taskQueue,
        activityId: activityId!,
        payloads: input!.payloads!,
      };
      expect(await stranger.scheduleActivity(again)).toBe(type === 'createTransfer' ? 'OutcomeUnknown' : 'Untrusted');
    }
    expect(tried.length).toBeGreaterThan(0);
    expect(await stack.world.control.journal()).toEqual([]);
  });
});
