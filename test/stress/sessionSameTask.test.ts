import { randomUUID } from 'node:crypto';
import { SIGNALS } from '../../src/domain/messages';
import type {
  ChallengeRequest,
  NumberedMessage,
  SessionOperation,
  SessionProgress,
  UserRestriction,
} from '../../src/domain/userSession';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';
import { approve, challengeOf, makeInitializedUser, pendingOf, sessionOf } from '../support/users';
import { createWorkerSetup, type WorkerProcess, type WorkerSetup } from '../support/workerProcess';

const PINS = { pin: '123456', newPin: '123456' };

/** Signals of one workflow task: the second one changes what the first one triggered, before it has started. */
describe('several signals in one workflow task', () => {
  let stack: Stack;
  let setup: WorkerSetup;
  let worker: WorkerProcess;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null }, workers: false });
    setup = await createWorkerSetup(stack);
    worker = await setup.start();
  });
  afterAll(async () => {
    await worker.end('SIGTERM');
    await setup.remove();
    await stack.close();
  });

  const changePin = (userId: string) =>
    stack.flows.changePin.start({ ref: `p-${randomUUID()}`, userId, action: 'change' });

  /** Opens a user's challenge and starts a second flow, in whose name the test sends requests to the user's session. */
  async function openChallenge() {
    const userId = await makeInitializedUser(stack);
    const flow = await changePin(userId);
    const id = await challengeOf(flow);
    const other = await changePin(await makeInitializedUser(stack));
    await challengeOf(other);
    const { runId: firstRunId } = await stack.flows.client.workflow.getHandle(other.workflowId).describe();
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const send = (operation: SessionOperation, requestId: string = randomUUID()) =>
      session.signal(SIGNALS.sessionRequest, {
        flow: other.workflowId,
        firstRunId,
        id: requestId,
        sentAt: Date.now(),
        operation,
      });
    const over = {
      notificationId: randomUUID(),
      id,
      userId,
      type: 'CHANGE_PIN',
      status: 'COMPLETE',
      correlationIds: [],
    };
    const end = () => session.signal(SIGNALS.stateChanged, { ...over, errorCode: 0 });
    const effect = {
      flow: 'changePin',
      ref: randomUUID(),
      step: 'approve',
      ordinal: 1,
    };
    const challengeRequest: ChallengeRequest = { effect, call: 'updateUserPin', body: {} };
    const pendingCount = async () => (await session.query<SessionProgress>('progress')).pendingRequests;
    return { userId, flow, id, send, end, challengeRequest, pendingCount };
  }

  /**
   * Delivers signals in one workflow task. The first signal, `before`, starts a task that the paused worker holds; the server
   * buffers the others until that task ends.
   */
  async function inOneTask(before: () => Promise<void>, signals: () => Promise<void>): Promise<void> {
    worker.pause();
    await before();
    await signals();
    worker.resume();
  }

  test('a session gets a challenge request and the end of the challenge that the request would wait for', async () => {
    const { userId, flow, id, send, end, challengeRequest } = await openChallenge();
    await approve(stack, id, PINS);
    await inOneTask(
      () => send({ type: 'refreshUser' }),
      async () => {
        await send({ type: 'openChallenge', challengeRequest });
        await end();
      },
    );
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await until(async () => (await pendingOf(stack, userId)).length === 1, 'the request to be carried out');
  });

  test('a session gets the end of a challenge and the withdrawal of the request that waits for it', async () => {
    const { userId, flow, id, send, end, challengeRequest, pendingCount } = await openChallenge();
    await send({ type: 'openChallenge', challengeRequest });
    await until(async () => (await pendingCount()) === 2, 'the request to wait');
    await approve(stack, id, PINS);
    await inOneTask(
      () => send({ type: 'refreshUser' }),
      async () => {
        await end();
        await send({ type: 'withdraw', effect: challengeRequest.effect });
      },
    );
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const next = await changePin(userId);
    const challenge = await challengeOf(next);
    expect(await pendingOf(stack, userId)).toEqual([challenge]);
  });

  test('a flow gets a restriction and its removal', async () => {
    const { flow, id } = await openChallenge();
    const workflow = stack.flows.client.workflow.getHandle(flow.workflowId);
    let number = 0;
    const send = (restriction: UserRestriction | null) => {
      const from = { runId: 'test', number: ++number };
      return workflow.signal(SIGNALS.sessionMessage, { restriction, from } satisfies NumberedMessage);
    };
    await inOneTask(
      () => send(null),
      async () => {
        await send({ reason: 'disabled' });
        await send(null);
      },
    );
    await approve(stack, id, PINS);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });
});
