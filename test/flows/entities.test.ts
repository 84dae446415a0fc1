import type { Payload } from '@temporalio/common';
import { createDispatcher } from '../../src/api/dispatcher';
import { flowQueue } from '../../src/domain/activityTable';
import { DELIVERY_SIGNALS, eventDeliveryId } from '../../src/domain/flowEvent';
import { workflowId } from '../../src/domain/flowId';
import { heldEventsId } from '../../src/domain/heldEvents';
import { WALLET_LANE } from '../../src/domain/walletLane';
import { toIssuer } from '../../src/identity/localIssuer';
import { identityVerifier } from '../../src/identity/verifier';
import { createLogger } from '../../src/logger';
import { createMetrics } from '../../src/metrics';
import { loadPolicies } from '../../src/policies';
import { signalDelivery } from '../../src/temporal/eventDelivery';
import { holdEvent } from '../../src/temporal/heldEvents';
import { connectWorkers } from '../../src/temporal/workerConnection';
import { createWorkers } from '../../src/worker';
import { sentBy } from '../support/journal';
import { flowEvent } from '../support/messageSamples';
import { makePayer } from '../support/payers';
import { type Stack, startStack, TEMPORAL } from '../support/stack';
import { Stranger } from '../support/stranger';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { challengeOf, sessionOf } from '../support/users';
import { fundedWallet } from '../support/wallets';

const MISROUTED = 'it was sent to the workers of another entity';

/** Two entities with one key ring, so the workers of each can decrypt what belongs to the other. */
describe('the workers of another entity', () => {
  let stack: Stack;
  let stranger: Stranger;
  let other: string;
  let stopOther: () => Promise<void>;

  beforeAll(async () => {
    stack = await startStack({
      policies: {
        default: [
          { version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask', maxNetworkFee: { 'ETH-SEPOLIA': '0.0000001' } } },
        ],
        free: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask' } }],
      },
    });
    stranger = await Stranger.connect();
    other = `${stack.entity.name}-b`;
    const connections = await connectWorkers(TEMPORAL);
    const workers = await createWorkers({
      entity: { ...stack.entity, name: other },
      connections,
      bundlePath: process.env.WALLETFLOW_TEST_BUNDLE ?? '',
      keyRing: stack.keyRing,
      sealingKeys: stack.sealingKeys,
      // Without the fee limit.
      policies: loadPolicies({ default: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask' } }] }),
      identities: identityVerifier([toIssuer(stack.issuer)]),
      logger: createLogger({ level: 'silent' }),
      metrics: createMetrics(),
      dispatcher: createDispatcher({ offline: true }),
      apiShare: 1,
      shutdownGraceMs: 25_000,
    });
    const running = workers.run();
    stopOther = async () => {
      workers.shutdown();
      await running;
      await connections.close();
    };
  });
  afterAll(async () => {
    await stopOther();
    await stranger.close();
    await stack.close();
  });

  const handleOf = (workflowId: string) => stack.flows.client.workflow.getHandle(workflowId);
  const historyOf = async (workflowId: string) => (await handleOf(workflowId).fetchHistory()).events ?? [];
  const inputOf = async (workflowId: string): Promise<Payload[]> =>
    (await historyOf(workflowId))[0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;

  /** Ends a workflow, and starts it with its own start on the queue of the other entity. */
  async function startElsewhere(workflowId: string, type: string): Promise<void> {
    const input = await inputOf(workflowId);
    await handleOf(workflowId).terminate();
    await stranger.start(workflowId, type, flowQueue(other), input);
  }

  test('do not run a flow, so its own policy applies', async () => {
    const wallet = await fundedWallet(stack);
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    expect(await attentionOf(flow)).toMatchObject({ name: 'FeeAboveLimit' });
    await startElsewhere(flow.workflowId, 'transfer');
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringContaining(MISROUTED) });
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
  });

  test('do not run a session, a lane, a delivery or a list of held events', async () => {
    const payer = await makePayer(stack);
    const flow = await stack.flows.transfer.start(transferOf(payer.wallets[0]!, { policy: 'free' }));
    await challengeOf(flow);
    const { client } = stack.flows;
    const deps = { client, entity: stack.entity.name };
    await holdEvent(deps, 'parked', { id: '1', at: new Date().toISOString(), type: 'x', reason: '', payload: 1 });
    const event = flowEvent(stack.entity.name, flow.ref, 1);
    await signalDelivery(deps, DELIVERY_SIGNALS.enqueue, [event]);
    const running = {
      userSession: sessionOf(stack, payer.userId),
      walletLane: workflowId({ entity: stack.entity.name, flow: WALLET_LANE, ref: payer.wallets[0]!.id }),
      heldEvents: heldEventsId(stack.entity.name, 'parked'),
      eventDelivery: eventDeliveryId(event),
    };
    for (const [type, workflowId] of Object.entries(running)) {
      await startElsewhere(workflowId, type);
      await until(async () => (await handleOf(workflowId).describe()).status.name !== 'RUNNING', `the end of ${type}`);
      const error = await handleOf(workflowId)
        .result()
        .catch((reason: Error) => reason);
      expect([type, (error as Error).cause]).toMatchObject([type, { message: expect.stringContaining(MISROUTED) }]);
    }
  });

  test('do not run an activity that this entity has scheduled', async () => {
    const wallet = await fundedWallet(stack);
    const flow = await stack.flows.transfer.start(transferOf(wallet, { policy: 'free' }));
    const isSent = (events: Awaited<ReturnType<typeof historyOf>>) =>
      events.some((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'followTransaction');
    await until(async () => isSent(await historyOf(flow.workflowId)), 'the transfer');
    const scheduled = (await historyOf(flow.workflowId)).flatMap(
      (event) => event.activityTaskScheduledEventAttributes ?? [],
    );
    await handleOf(flow.workflowId).terminate();
    await stack.world.control.clearJournal();
    for (const { activityType, activityId, input, taskQueue } of scheduled) {
      const type = activityType!.name!;
      const end = await stranger.scheduleActivity({
        workflowId: flow.workflowId,
        activityId: activityId!,
        type,
        taskQueue: taskQueue!.name!.replace(stack.entity.name, other),
        payloads: input!.payloads!,
      });
      expect([type, end]).toEqual([type, 'Untrusted']);
    }
    expect(scheduled.map(({ activityType }) => activityType!.name)).toContain('createTransfer');
    expect(await stack.world.control.journal()).toEqual([]);
  });
});
