import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { randomUUID } from 'node:crypto';
import { sealer } from '../../src/crypto/sealing';
import { flowQueue } from '../../src/domain/activityTable';
import { eventDeliveryId } from '../../src/domain/flowEvent';
import type { FlowName } from '../../src/domain/flowNames';
import { heldEventsId } from '../../src/domain/heldEvents';
import { signalDelivery } from '../../src/temporal/eventDelivery';
import { holdEvent, listHeldEvents, takeHeldEvents } from '../../src/temporal/heldEvents';
import * as workflows from '../../workflows';
import { callOf } from '../support/contractCalls';
import {
  eventDeliverySamples,
  flowEvent,
  flowSamples,
  heldEvent,
  heldEventsSamples,
  laneSamples,
  type MessageSamples,
  senderSamples,
  sessionSamples,
} from '../support/messageSamples';
import { byPin } from '../support/onboarding';
import { oddMessages, otherVersions } from '../support/oddMessages';
import { makePayer } from '../support/payers';
import { Receiver } from '../support/receiver';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { approve, challengeOf, makeInitializedUser, PIN, sessionOf } from '../support/users';
import { emptyWallet } from '../support/wallets';

const UNHANDLED_COMMAND = temporal.api.enums.v1.WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;
const SECRET = `whsec_${Buffer.from('the secret of the endpoint for events').toString('base64')}`;
const CHANGE = { pin: PIN, newPin: '654321' };

/** A running workflow that waits, and a check that it still works. */
interface Subject {
  workflowId: string;
  samples: MessageSamples;
  /** A genuine message takes effect. */
  check(): Promise<void>;
}

/** The messages for which a workflow has a handler, as it reports them itself. */
async function handledBy(workflow: WorkflowHandle) {
  const { definition } = await workflow.query<{
    definition: Record<`${'signal' | 'update' | 'query'}Definitions`, { name: string }[]>;
  }>('__temporal_workflow_metadata');
  const names = (definitions: { name: string }[] = []) =>
    definitions.map(({ name }) => name).filter((name) => name && !name.startsWith('__'));
  return {
    signals: names(definition.signalDefinitions).sort(),
    updates: names(definition.updateDefinitions).sort(),
    queries: names(definition.queryDefinitions).sort(),
  };
}

function update(workflow: WorkflowHandle, name: string, args: unknown[]): Promise<unknown> {
  return workflow.executeUpdate<unknown, [unknown]>(name, { args: args as [unknown] });
}

function query(workflow: WorkflowHandle, name: string, args: unknown[]): Promise<unknown> {
  return workflow.query<unknown, unknown[]>(name, ...args);
}

describe('a message never stops a workflow', () => {
  let stack: Stack;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.open();
    receiver.defaultResponse = 503;
    const events = { url: receiver.url, secret: SECRET };
    stack = await startStack({ settings: { challengeLifetimeMs: null }, events });
  });
  afterAll(async () => {
    await stack.close();
    receiver.close();
  });

  const nobody = async (workflowId: string) => ({
    flow: `${stack.entity.name}/changePin/${randomUUID()}`,
    token: await sealer(stack.sealingKeys).seal('no token', { flow: workflowId, field: 'by.token' }),
  });

  /** A flow that waits for its user's approval, and ends when the user has approved. */
  async function approvedFlow(start: Promise<Awaited<ReturnType<Stack['flows'][FlowName]['start']>>>, entries: object) {
    const flow = await start;
    const challenge = await challengeOf(flow);
    return {
      workflowId: flow.workflowId,
      samples: flowSamples(await nobody(flow.workflowId)),
      async check() {
        expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
        await approve(stack, challenge, entries);
        await stack.advance(60 * 60_000);
        expect(await flow.result()).toMatchObject({ result: expect.objectContaining({ approvedLate: true }) });
      },
    };
  }

  const ref = () => `m-${randomUUID()}`;
  const SUBJECTS: Record<Exclude<keyof typeof workflows, 'sweep'>, () => Promise<Subject>> = {
    async transfer() {
      const { wallets } = await makePayer(stack);
      const subject = await approvedFlow(stack.flows.transfer.start(transferOf(wallets[0]!)), { pin: PIN });
      return { ...subject, samples: senderSamples(await nobody(subject.workflowId)) };
    },
    async executeContract() {
      const { wallets } = await makePayer(stack);
      const subject = await approvedFlow(stack.flows.executeContract.start(callOf(wallets[0]!)), { pin: PIN });
      return { ...subject, samples: senderSamples(await nobody(subject.workflowId)) };
    },
    async signPayload() {
      const { wallets } = await makePayer(stack);
      const payload = { kind: 'message', message: 'hello' } as const;
      return approvedFlow(stack.flows.signPayload.start({ ref: ref(), walletId: wallets[0]!.id, payload }), {
        pin: PIN,
      });
    },
    async addUserWallets() {
      const userId = await makeInitializedUser(stack);
      const start = stack.flows.addUserWallets.start({ ref: ref(), userId, blockchains: ['ETH-SEPOLIA'] });
      return approvedFlow(start, { pin: PIN });
    },
    async changePin() {
      const userId = await makeInitializedUser(stack);
      return approvedFlow(stack.flows.changePin.start({ ref: ref(), userId, action: 'change' }), CHANGE);
    },
    async onboardUser() {
      const questions = [
        { question: 'Where?', answer: 'there' },
        { question: 'When?', answer: 'then' },
      ];
      return approvedFlow(stack.flows.onboardUser.start(byPin()), { newPin: PIN, questions });
    },
    async fundTestnet() {
      const wallet = await emptyWallet(stack, { blockchain: 'ETH-SEPOLIA', accountType: 'EOA' });
      const flow = await stack.flows.fundTestnet.start({ ref: ref(), walletId: wallet.id, native: true });
      const { signals, ...samples } = flowSamples(await nobody(flow.workflowId));
      await until(async () => (await flow.progress()).step === 'arrive', 'the drip');
      return {
        workflowId: flow.workflowId,
        samples: { ...samples, signals: { stateChanged: signals.stateChanged! } },
        async check() {
          expect(await flow.cancel(await stack.as('ops'))).toBe('tooLate');
          await stack.advance(60 * 60_000);
          expect(await flow.result()).toMatchObject({ status: 'completed' });
        },
      };
    },
    async userSession() {
      const userId = await makeInitializedUser(stack);
      const flow = await stack.flows.changePin.start({ ref: ref(), userId, action: 'change' });
      const challenge = await challengeOf(flow);
      const workflowId = sessionOf(stack, userId);
      return {
        workflowId,
        samples: sessionSamples(await nobody(workflowId)),
        async check() {
          await approve(stack, challenge, CHANGE);
          await stack.advance(60 * 60_000);
          expect(await flow.result()).toMatchObject({ status: 'completed' });
        },
      };
    },
    async walletLane() {
      const { wallets } = await makePayer(stack);
      const flow = await stack.flows.transfer.start(transferOf(wallets[0]!));
      const challenge = await challengeOf(flow);
      const workflowId = `${stack.entity.name}/walletLane/${wallets[0]!.id}`;
      return {
        workflowId,
        samples: laneSamples(await nobody(workflowId)),
        async check() {
          await approve(stack, challenge);
          await stack.advance(60 * 60_000);
          expect(await flow.result()).toMatchObject({ status: 'completed' });
        },
      };
    },
    async heldEvents() {
      const deps = { client: stack.flows.client, entity: stack.entity.name };
      await holdEvent(deps, 'dead', heldEvent('first'));
      return {
        workflowId: heldEventsId(stack.entity.name, 'dead'),
        samples: heldEventsSamples(),
        async check() {
          await holdEvent(deps, 'dead', heldEvent('last'));
          const ids = (await listHeldEvents(deps, 'dead')).entries.map(({ id }) => id);
          expect(ids).toEqual(expect.arrayContaining(['first', 'last']));
          expect(await takeHeldEvents(deps, 'dead', ['last'])).toEqual([heldEvent('last')]);
        },
      };
    },
    async eventDelivery() {
      const deps = { client: stack.flows.client, entity: stack.entity.name };
      const flow = ref();
      const event = (sequence: number) => flowEvent(stack.entity.name, flow, sequence);
      await signalDelivery(deps, 'enqueue', [event(1)]);
      return {
        workflowId: eventDeliveryId(event(1)),
        samples: eventDeliverySamples(event(2)),
        async check() {
          receiver.defaultResponse = 200;
          await signalDelivery(deps, 'enqueue', [event(3)]);
          const isDelivered = async () => receiver.received.some(({ body }) => body.id === event(3).id);
          await until(isDelivered, 'the genuine event to arrive');
          receiver.defaultResponse = 503;
        },
      };
    },
  };

  test('every workflow is tested here, apart from the sweep: it handles no message and ends within seconds', () => {
    expect([...Object.keys(SUBJECTS), 'sweep'].sort()).toEqual(Object.keys(workflows).sort());
  });

  test.each(Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[])('%s', async (type) => {
    const { workflowId, samples, check } = await SUBJECTS[type]();
    const workflow = stack.flows.client.workflow.getHandle(workflowId);
    // Every message that the workflow handles has a row.
    expect(await handledBy(workflow)).toEqual({
      signals: Object.keys(samples.signals).sort(),
      updates: Object.keys(samples.updates).sort(),
      queries: [...samples.queries].sort(),
    });
    const { runId } = await workflow.describe();
    let sent = 0;
    for (const [name, all] of Object.entries(samples.signals))
      for (const sample of all) {
        for (const [, args] of oddMessages(sample)) {
          await workflow.signal(name, ...args);
          sent++;
        }
        for (const message of otherVersions(sample)) await workflow.signal(name, message);
      }
    expect(await failedTasksOf(workflowId, runId)).toEqual([]);
    for (const [name, all] of Object.entries(samples.updates))
      for (const sample of all)
        for (const [oddity, args] of oddMessages(sample)) {
          const outcome = await update(workflow, name, args).then(
            () => 'accepted',
            (error: Error) => error.name,
          );
          expect([name, oddity, outcome]).toEqual([name, oddity, 'WorkflowUpdateFailedError']);
          sent++;
        }
    for (const name of samples.queries)
      for (const args of [[], [null], [7], [{ a: 1 }]]) expect(await query(workflow, name, args)).toBeDefined();
    expect(await failedTasksOf(workflowId, runId)).toEqual([]);
    await check();
    expect(sent).toBeGreaterThan(40);
    process.stdout.write(`${type}: ${sent} odd messages\n`);
  });

  /** Read in pages: the history holds large messages. */
  async function failedTasksOf(workflowId: string, runId?: string) {
    const { client } = stack.flows;
    const failed: unknown[] = [];
    let nextPageToken: Uint8Array | undefined;
    do {
      const page = await client.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId, ...(runId !== undefined && { runId }) },
        maximumPageSize: 20,
        ...(nextPageToken && { nextPageToken }),
      });
      for (const { workflowTaskFailedEventAttributes } of page.history!.events!)
        // A message that arrives while a run is about to end makes the server repeat its task.
        if (workflowTaskFailedEventAttributes && workflowTaskFailedEventAttributes.cause !== UNHANDLED_COMMAND)
          failed.push(workflowTaskFailedEventAttributes.failure);
      ({ nextPageToken } = page);
    } while (nextPageToken?.length);
    return failed;
  }

  test('a list of held events that no worker can read says so, and not that the server is out of reach', async () => {
    const { client } = stack.flows;
    const entity = stack.entity.name;
    const workflowId = heldEventsId(entity, 'dead');
    const wedged = await client.workflow.start('wedged', {
      workflowId,
      taskQueue: flowQueue(entity),
      // The tests above have needed the list.
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    });
    await until(async () => (await wedged.describe()).historyLength > 3, 'the first task');
    await wedged.signal('break');
    await until(async () => (await failedTasksOf(workflowId)).length > 0, 'a failed task');
    await expect(listHeldEvents({ client, entity }, 'dead')).rejects.toMatchObject({
      name: 'HeldEventsUnreadableError',
      message: expect.stringContaining(`Workflow ${workflowId} needs a worker with fixed code`),
    });
    await wedged.terminate();
  });
});
