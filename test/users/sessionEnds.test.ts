import { temporal } from '@temporalio/proto';
import { randomUUID } from 'node:crypto';
import { CODES } from '../../src/domain/codes';
import type { SessionProgress } from '../../src/domain/userSession';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';
import {
  approve,
  challengeOf,
  challengesOf,
  makeInitializedUser,
  PIN,
  sessionOf,
  startApprover,
  walletOf,
} from '../support/users';

type Approver = Awaited<ReturnType<typeof startApprover>>;

const { RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL } = temporal.api.enums.v1.ResetReapplyExcludeType;
const MINUTE = 60_000;
const CHANGE = { pin: PIN, newPin: '654321' };

describe('the session never ends with flows that wait for it', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterEach(() => stack.world.control.clearFaults());
  afterAll(() => stack.close());

  const control = (path: string) => stack.world.control.call('POST', path);
  const session = (userId: string) => stack.flows.client.workflow.getHandle(sessionOf(stack, userId));

  test.each([CODES.userDisabled, CODES.userNotFound])(
    'while reads of a disabled user answer %d, and the flow ends when the user is enabled',
    async (code) => {
      const userId = await makeInitializedUser(stack);
      const status = code === CODES.userDisabled ? 409 : 404;
      await stack.world.control.addFault({ operation: 'getUser', action: { status, code } });
      await control(`/users/${userId}/disable`);
      const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
      await until(async () => (await flow.progress()).restriction?.reason === 'disabled', 'the session to notice');
      for (let n = 0; n < 5; n++) {
        await stack.advance(5 * MINUTE);
        expect((await session(userId).describe()).status.name).toBe('RUNNING');
      }
      await stack.world.control.clearFaults();
      await control(`/users/${userId}/enable`);
      await approve(stack, await laterChallengeOf(flow), CHANGE);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed' });
      expect(await challengesOf(stack, userId)).toHaveLength(2);
    },
  );

  /** Lets time pass, because the flow may notice the loss late. */
  const later = async (happened: () => Promise<boolean>, what: string) =>
    until(async () => {
      if (await happened()) return true;
      await stack.advance(10 * MINUTE);
      return false;
    }, what);
  const laterChallengeOf = async (flow: Approver) => {
    await later(async () => (await flow.progress()).approval !== undefined, 'the challenge');
    return challengeOf(flow);
  };
  const resultOf = async (flow: Approver) => {
    await later(async () => (await flow.progress()).outcome !== undefined, 'the end of the flow');
    return flow.result();
  };

  const LOSSES: Record<string, (userId: string) => Promise<unknown>> = {
    terminated: (userId) => session(userId).terminate('an operator'),
    'reset with its signals': (userId) => resetToStart(userId, []),
    'reset without its signals': (userId) => resetToStart(userId, [RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL]),
  };

  async function resetToStart(userId: string, resetReapplyExcludeTypes: number[]): Promise<void> {
    const { client } = stack.flows;
    const { runId } = await session(userId).describe();
    const { events } = await session(userId).fetchHistory();
    const [firstTask] = events!.filter(({ workflowTaskCompletedEventAttributes: task }) => task);
    await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId: sessionOf(stack, userId), runId },
      reason: 'an operator',
      requestId: randomUUID(),
      workflowTaskFinishEventId: firstTask!.eventId,
      resetReapplyExcludeTypes,
    });
  }

  /** A flow that waits for the end of its challenge. */
  async function waiting() {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    return { userId, flow, challenge: await challengeOf(flow) };
  }

  /** The same, and another flow of the user that waits behind it. */
  async function twoInLine() {
    const { userId, flow: first, challenge } = await waiting();
    const second = await startApprover(stack, userId, { call: 'updateUserPin' });
    await until(async () => (await second.progress()).restriction?.reason === 'otherChallenge', 'the queue');
    return { userId, first, challenge, second };
  }

  const openChallenges = async (userId: string) => (await challengesOf(stack, userId)).length - 1;

  describe.each(Object.entries(LOSSES))('%s', (_name, lose) => {
    test('while a flow waits for the end of a challenge: the user approves it, and the flow ends', async () => {
      const { userId, flow, challenge } = await waiting();
      await lose(userId);
      await stack.advance(10 * MINUTE);
      expect((await session(userId).query<SessionProgress>('progress')).open).toMatchObject([
        { challengeId: challenge },
      ]);
      await approve(stack, challenge, CHANGE);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { id: challenge } });
      expect(await openChallenges(userId)).toBe(1);
    });

    test('and the user approves before the flow notices', async () => {
      const { userId, flow, challenge } = await waiting();
      await lose(userId);
      await approve(stack, challenge, CHANGE);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { id: challenge } });
      expect(await openChallenges(userId)).toBe(1);
    });

    test('while a flow waits for its turn behind another one: each gets one challenge', async () => {
      const { userId, first, challenge, second } = await twoInLine();
      await lose(userId);
      await stack.advance(15 * MINUTE);
      expect(await openChallenges(userId)).toBe(1);
      await approve(stack, challenge, CHANGE);
      expect(await resultOf(first)).toMatchObject({ status: 'completed', result: { id: challenge } });
      await approve(stack, await laterChallengeOf(second), { pin: CHANGE.newPin, newPin: PIN });
      expect(await resultOf(second)).toMatchObject({ status: 'completed' });
      expect(await openChallenges(userId)).toBe(2);
    });

    test('while a flow waits for the end of a lock of the PIN: it gets its challenge after the lock', async () => {
      const userId = await makeInitializedUser(stack);
      await control(`/users/${userId}/pin/lock`);
      const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
      await until(async () => (await flow.progress()).restriction?.reason === 'pinLocked', 'the lock');
      await lose(userId);
      await approve(stack, await laterChallengeOf(flow), CHANGE);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed' });
      expect(await openChallenges(userId)).toBe(1);
    });

    test.each(['updateUserPin', 'signUserMessage'] as const)(
      'after %s was executed, and its reply is lost: a person is asked whose challenge is open',
      async (call) => {
        const userId = await makeInitializedUser(stack);
        const body = call === 'signUserMessage' ? { walletId: await walletOf(stack, userId), message: 'hello' } : {};
        const action = { delayMs: 10_000, when: 'after' } as const;
        await stack.world.control.addFault({ operation: call, count: 1, action });
        const flow = await startApprover(stack, userId, { call, body });
        await until(async () => (await openChallenges(userId)) === 1, 'the challenge');
        await lose(userId);
        await stack.world.control.clearFaults();
        await later(async () => (await flow.progress()).attention !== undefined, 'the question');
        expect(await openChallenges(userId)).toBe(1);
        await flow.decide('giveUp', await stack.as('ops'));
        expect(await resultOf(flow)).toMatchObject({ status: 'failed' });
        expect(await openChallenges(userId)).toBe(1);
      },
    );

    test('and the flow is cancelled: it waits for what the user can still approve, and then ends', async () => {
      const { userId, first, challenge, second } = await twoInLine();
      await lose(userId);
      await second.cancel(await stack.as('ops'));
      await first.cancel(await stack.as('ops'));
      expect(await resultOf(second)).toMatchObject({ status: 'cancelled' });
      await approve(stack, challenge, CHANGE);
      expect(await resultOf(first)).toMatchObject({ status: 'completed', result: { approvedLate: true } });
      expect(await openChallenges(userId)).toBe(1);
    });
  });

  test('terminated again and again: one challenge', async () => {
    const { userId, flow, challenge } = await waiting();
    for (let n = 0; n < 3; n++) {
      await session(userId).terminate();
      await stack.advance(n === 1 ? MINUTE : 10 * MINUTE);
      await until(async () => (await session(userId).describe()).status.name === 'RUNNING' || n === 1, 'the session');
      if (n === 1) await stack.advance(10 * MINUTE);
    }
    await approve(stack, challenge, CHANGE);
    expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { id: challenge } });
    expect(await openChallenges(userId)).toBe(1);
  });
});
