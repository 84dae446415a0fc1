import { randomUUID } from 'node:crypto';
import { SIGNALS } from '../../src/domain/messages';
import type {
  ChallengeOrder,
  SessionAsk,
  SessionProgress,
  SessionTelling,
  UserBlock,
} from '../../src/domain/userSession';
import { startStack, type Stack } from '../support/stack';
import { until } from '../support/until';
import { approve, challengeOf, makeInitializedUser, pendingOf, sessionOf } from '../support/users';
import { workerHome, type WorkerHome, type WorkerProcess } from '../support/workerProcess';

const PINS = { pin: '123456', newPin: '123456' };

/** Signals that a session, or a flow, hears in one turn: the second changes what the first has set off, before that has begun. */
describe('several things that are heard in one turn', () => {
  let stack: Stack;
  let home: WorkerHome;
  let worker: WorkerProcess;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null }, workers: false });
    home = await workerHome(stack);
    worker = await home.start();
  });
  afterAll(async () => {
    await worker.end('SIGTERM');
    await home.remove();
    await stack.close();
  });

  const changePin = (userId: string) =>
    stack.flows.changePin.start({ ref: `p-${randomUUID()}`, userId, action: 'change' });

  /** A user with a challenge that is open, its session, and another flow in whose name that can be asked. */
  async function opened() {
    const userId = await makeInitializedUser(stack);
    const flow = await changePin(userId);
    const id = await challengeOf(flow);
    const other = await changePin(await makeInitializedUser(stack));
    await challengeOf(other);
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const ask = (ask: SessionAsk, requestId: string = randomUUID()) =>
      session.signal(SIGNALS.ask, { flow: other.workflowId, id: requestId, ask });
    const over = {
      notificationId: randomUUID(),
      id,
      userId,
      type: 'CHANGE_PIN',
      status: 'COMPLETE',
      correlationIds: [],
    };
    const end = () => session.signal(SIGNALS.news, { ...over, errorCode: 0 });
    const effect = {
      flow: 'changePin',
      ref: randomUUID(),
      keyId: stack.keyRing.currentId,
      step: 'approve',
      ordinal: 1,
    };
    const order: ChallengeOrder = { effect, call: 'updateUserPin', body: {} };
    const waiting = async () => (await session.query<SessionProgress>('progress')).waiting;
    return { userId, flow, id, ask, end, order, waiting };
  }

  /** What is signalled meanwhile is heard in one turn: the server keeps it until the turn before is over. */
  async function inOneTurn(before: () => Promise<void>, signals: () => Promise<void>): Promise<void> {
    worker.pause();
    await before();
    await signals();
    worker.resume();
  }

  test('a session: an order, and the end of the challenge that it would wait for', async () => {
    const { userId, flow, id, ask, end, order } = await opened();
    await approve(stack, id, PINS);
    await inOneTurn(
      () => ask({ what: 'recheck' }),
      async () => {
        await ask({ what: 'order', order });
        await end();
      },
    );
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await until(async () => (await pendingOf(stack, userId)).length === 1, 'the order to be carried out');
  });

  test('a session: the end of a challenge, and the withdrawal of the order that waits for it', async () => {
    const { userId, flow, id, ask, end, order, waiting } = await opened();
    await ask({ what: 'order', order }, 'the-order');
    await until(async () => (await waiting()) === 2, 'the order to wait');
    await approve(stack, id, PINS);
    await inOneTurn(
      () => ask({ what: 'recheck' }),
      async () => {
        await end();
        await ask({ what: 'withdraw', order: 'the-order' });
      },
    );
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const next = await changePin(userId);
    const challenge = await challengeOf(next);
    expect(await pendingOf(stack, userId)).toEqual([challenge]);
  });

  test('a flow: that the user is disabled, and that nothing is in the way any more', async () => {
    const { flow, id } = await opened();
    const workflow = stack.flows.client.workflow.getHandle(flow.workflowId);
    const tell = (block: UserBlock | null) => workflow.signal(SIGNALS.session, { block } satisfies SessionTelling);
    await inOneTurn(
      () => tell(null),
      async () => {
        await tell({ reason: 'disabled' });
        await tell(null);
      },
    );
    await approve(stack, id, PINS);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });
});
