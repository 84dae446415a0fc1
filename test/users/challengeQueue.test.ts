import { SIGNALS } from '../../src/domain/messages';
import type { SessionProgress } from '../../src/domain/userSession';
import { growHistory, resetToLastTask, resetToStart, SUGGESTED_LENGTH } from '../support/history';
import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import {
  approve,
  challengeOf,
  challengesOf,
  makeInitializedUser,
  makeUser,
  pendingOf,
  sessionOf,
  startApprover,
  walletOf,
} from '../support/users';

const MINUTE = 60_000;
const NEW_PIN = { newPin: '123456' };

/** A session opens one challenge at a time. Each challenge belongs to exactly one challenge request. */
describe('challenge requests of one user', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterEach(() => stack.world.control.clearFaults());
  afterAll(() => stack.close());

  const control = (path: string, body?: object) => stack.world.control.call('POST', path, body);

  test('a second request waits until the challenge of the first one ends', async () => {
    const { userId, first, id, second } = await startTwoRequests();
    expect(await pendingOf(stack, userId)).toEqual([id]);
    await approve(stack, id, { pin: '123456', newPin: '654321' });
    expect(await first.result()).toMatchObject({ status: 'completed', result: { id } });
    const next = await challengeOf(second);
    await approve(stack, next, { pin: '654321', newPin: '123456' });
    expect(await second.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test('a waiting request is withdrawn at once', async () => {
    const { userId, second } = await startTwoRequests();
    await second.cancel(await stack.as('ops'));
    expect(await second.result()).toMatchObject({ status: 'cancelled' });
    expect(await pendingOf(stack, userId)).toHaveLength(1);
  });

  test('a terminated flow loses its place in the queue', async () => {
    const userId = await makeInitializedUser(stack);
    const first = await startApprover(stack, userId, { call: 'updateUserPin' });
    await challengeOf(first);
    const second = await startApprover(stack, userId, { call: 'updateUserPin' });
    await stack.flows.client.workflow.getHandle(first.workflowId).terminate();
    const next = await challengeOf(second);
    await approve(stack, next, { pin: '123456', newPin: '654321' });
    expect(await second.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test('a flow that waited for another challenge learns about its turn in the next run of the session', async () => {
    const { userId, id, second } = await startTwoRequests();
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const { runId } = await session.describe();
    await growHistory(stack.flows.client, session.workflowId, SUGGESTED_LENGTH);
    await approve(stack, id, { pin: '123456', newPin: '654321' });
    const next = await challengeOf(second);
    expect((await session.describe()).runId).not.toBe(runId);
    await until(async () => (await second.progress()).restriction === undefined, 'the second flow to get its turn');
    await approve(stack, next, { pin: '654321', newPin: '123456' });
    expect(await second.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test("a look-up for a lost request never returns another request's challenge", async () => {
    const { flows, world } = stack;
    const userId = await makeUser(stack);
    await world.control.clearJournal();
    await world.control.addFault({ operation: 'createUserPin', count: 1, action: { drop: 'before' } });
    await world.control.addFault({ operation: 'createUserPin', count: 2, action: { status: 503 } });
    const lost = await startApprover(stack, userId);
    await until(async () => (await requestsOf(world, 'createUserPin')).length > 0, 'the request to be lost');
    await control(`/users/${userId}/disable`);
    await until(async () => (await lost.progress()).restriction?.reason === 'disabled', 'the session to notice');
    const other = await startApprover(stack, userId);
    const session = flows.client.workflow.getHandle(sessionOf(stack, userId));
    await until(
      async () => (await session.query<SessionProgress>('progress')).pendingRequests === 2,
      'the other flow to wait',
    );
    const { runId } = await session.describe();
    await growHistory(flows.client, session.workflowId, SUGGESTED_LENGTH);
    await lost.cancel(await stack.as('ops'));
    await until(async () => (await session.describe()).runId !== runId, 'the next run');
    await world.control.addFault({ operation: 'createUserPin', count: 1, action: { delayMs: 5_000, when: 'after' } });
    await control(`/users/${userId}/enable`);
    const id = await challengeOf(other);
    expect((await lost.progress()).approval).toBeUndefined();
    await stack.advance(MINUTE);
    expect((await lost.progress()).approval).toBeUndefined();
    await approve(stack, id, NEW_PIN);
    expect(await other.result()).toMatchObject({ status: 'completed', result: { id } });
    // The session looks up the lost request for this long.
    await stack.advance(5 * MINUTE);
    // Nothing was found, but the reply was lost. A person who knows that nothing was opened ends the flow.
    expect(await attentionOf(lost)).toMatchObject({ name: 'OutcomeUnknown' });
    await lost.decide('retry', await stack.as('ops'));
    expect(await lost.result()).toMatchObject({ status: 'cancelled' });
    expect(await challengesOf(stack, userId)).toHaveLength(1);
  });

  test('the queue is bounded in bytes, so the next run can start with every waiting request', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const id = await challengeOf(flow);
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const { runId } = await session.describe();
    const { runId: firstRunId } = await stack.flows.client.workflow.getHandle(flow.workflowId).describe();
    const body = { message: 'x'.repeat(120 * 1024) };
    for (let n = 0; n < 40; n++) {
      const effect = { flow: 'signPayload', ref: 'r', step: 'sign', ordinal: n };
      const operation = { type: 'openChallenge', challengeRequest: { effect, call: 'signUserMessage', body } };
      await session.signal(SIGNALS.sessionRequest, {
        flow: flow.workflowId,
        firstRunId,
        id: `large-${n}`,
        sentAt: Date.now(),
        operation,
      });
    }
    await until(async () => (await session.describe()).runId !== runId, 'the next run to begin');
    const { pendingRequests } = await session.query<SessionProgress>('progress');
    expect(pendingRequests).toBeGreaterThan(5);
    expect(pendingRequests).toBeLessThan(12);
    await approve(stack, id, { pin: '123456', newPin: '654321' });
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await session.terminate();
  });

  test.each(['in the queue', 'for a disabled user'])(
    'a flow that is terminated while it waits %s opens no challenge',
    async (how) => {
      const userId = await makeInitializedUser(stack);
      const first = how === 'in the queue' ? await startApprover(stack, userId, { call: 'updateUserPin' }) : undefined;
      if (first) await challengeOf(first);
      else await control(`/users/${userId}/disable`);
      const terminated = await startApprover(stack, userId, { call: 'updateUserPin' });
      await until(async () => (await terminated.progress()).restriction !== undefined, 'the flow to wait');
      await stack.flows.client.workflow.getHandle(terminated.workflowId).terminate();

      if (first) await approve(stack, await challengeOf(first), { pin: '123456', newPin: '123456' });
      else await control(`/users/${userId}/enable`);
      // Queued behind the terminated flow.
      const next = await startApprover(stack, userId, { call: 'updateUserPin' });
      const id = await challengeOf(next);
      expect(await pendingOf(stack, userId)).toEqual([id]);
      await approve(stack, id, { pin: '123456', newPin: '123456' });
      expect(await next.result()).toMatchObject({ status: 'completed', result: { id } });
    },
  );

  test('a flow that is reset shows the challenge that it opened before and opens no other one', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const id = await challengeOf(flow);
    await resetToStart(stack.flows.client, flow.workflowId);
    expect(await challengeOf(flow)).toBe(id);
    expect(await flow.approval()).toMatchObject({ challengeId: id });
    await approve(stack, id, { pin: '123456', newPin: '123456' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id } });
    expect(await pendingOf(stack, userId)).toEqual([]);
  });

  test('a flow that is reset to a point after a decision keeps its challenge', async () => {
    const userId = await makeInitializedUser(stack);
    await stack.world.control.addFault({
      operation: 'updateUserPin',
      count: 1,
      action: { status: 400, code: 155201, when: 'before' },
    });
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    await attentionOf(flow);
    await flow.decide('retry', await stack.as('ops'));
    const id = await challengeOf(flow);
    await resetToLastTask(stack.flows.client, flow.workflowId);
    expect(await challengeOf(flow)).toBe(id);
    await approve(stack, id, { pin: '123456', newPin: '123456' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id } });
    expect(await pendingOf(stack, userId)).toEqual([]);
  });

  test('a flow that is reset looks up a lost signing request and does not send it again', async () => {
    const { control: faults } = stack.world;
    const rejected = { status: 400, code: 2 };
    const userId = await makeInitializedUser(stack);
    const walletId = await walletOf(stack, userId);
    // The session reads the list once before the request.
    await faults.addFault({ operation: 'listUserChallenges', skip: 1, action: rejected });
    await faults.addFault({ operation: 'signUserMessage', count: 1, action: { drop: 'after' } });
    const flow = await startApprover(stack, userId, { call: 'signUserMessage', body: { walletId, message: 'hello' } });
    await until(async () => (await pendingOf(stack, userId)).length === 1, 'the API to carry out the request');
    await stack.advance(MINUTE);
    expect(await attentionOf(flow)).toMatchObject({ code: 2, reason: expect.stringContaining('it is unknown') });
    await faults.clearFaults();
    await resetToStart(stack.flows.client, flow.workflowId);
    const id = await challengeOf(flow);
    expect(await pendingOf(stack, userId)).toEqual([id]);
    await control(`/challenges/${id}/reject`);
    expect(await flow.result()).toMatchObject({ status: 'denied' });
  });

  test('a waiting flow shows otherChallenge again after the user is enabled, and opens nothing once terminated', async () => {
    const { userId, first, id, second } = await startTwoRequests();
    const restricted = (reason: string) =>
      until(async () => (await second.progress()).restriction?.reason === reason, `the second flow to show ${reason}`);
    await control(`/users/${userId}/disable`);
    await first.provide('clientError', { code: 155109 }, await stack.as('app'));
    await restricted('disabled');
    await control(`/users/${userId}/enable`);
    await restricted('otherChallenge');
    await stack.flows.client.workflow.getHandle(second.workflowId).terminate();
    await approve(stack, id, { pin: '123456', newPin: '123456' });
    expect(await first.result()).toMatchObject({ status: 'completed' });
    const third = await startApprover(stack, userId, { call: 'updateUserPin' });
    const next = await challengeOf(third);
    expect(await pendingOf(stack, userId)).toEqual([next]);
  });

  test('of two requests with unknown outcomes, the earlier one does not find the challenge of the later one', async () => {
    const userId = await makeUser(stack);
    const lost = await lostRequest(userId, 'before');
    const opened = await lostRequest(userId, 'after');
    const [challenge] = await challengesOf(stack, userId);

    await lost.decide('lookAgain', await stack.as('ops'));
    // The look-ups are over.
    await stack.advance(MINUTE);
    expect(await attentionOf(lost)).toMatchObject({ code: 2 });
    expect((await lost.progress()).approval).toBeUndefined();

    await opened.decide('lookAgain', await stack.as('ops'));
    expect(await challengeOf(opened)).toBe(challenge!.id);
    await approve(stack, challenge!.id, NEW_PIN);
    expect(await opened.result()).toMatchObject({ status: 'completed', result: { id: challenge!.id } });
    await lost.decide('giveUp', await stack.as('ops'));
    expect(await lost.result()).toMatchObject({ status: 'failed', code: 2 });
  });

  test('a withdrawn request with a lost reply and failing look-ups asks for a decision', async () => {
    const { control: faults } = stack.world;
    const userId = await makeUser(stack);
    await faults.addFault({ operation: 'createUserPin', count: 1, action: { drop: 'after' } });
    await faults.addFault({ operation: 'createUserPin', skip: 1, count: 2, action: { status: 503 } });
    const flow = await startApprover(stack, userId);
    await until(async () => (await challengesOf(stack, userId)).length === 1, 'the API to carry out the request');
    await control(`/users/${userId}/disable`);
    await until(async () => (await flow.progress()).restriction?.reason === 'disabled', 'the session to notice');
    await flow.cancel(await stack.as('ops'));
    await faults.addFault({ operation: 'listUserChallenges', action: { status: 400, code: 2 } });
    await control(`/users/${userId}/enable`);
    await until(
      async () => (await flow.progress()).restriction === undefined,
      'the flow to notice that the user is enabled',
    );
    await stack.advance(MINUTE);
    expect(await attentionOf(flow)).toMatchObject({ code: 2, reason: expect.stringContaining('it is unknown') });

    await faults.clearFaults();
    await flow.decide('lookAgain', await stack.as('ops'));
    const id = await challengeOf(flow);
    await approve(stack, id, NEW_PIN);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, approvedLate: true } });
  });

  test('a challenge that is found while another one is open can be resolved separately', async () => {
    const userId = await makeUser(stack);
    const first = await lostRequest(userId, 'after');
    const second = await startApprover(stack, userId);
    const later = await challengeOf(second);
    await first.decide('lookAgain', await stack.as('ops'));
    const earlier = await challengeOf(first);
    expect(await pendingOf(stack, userId)).toEqual([earlier, later]);
    expect(await first.approval()).toMatchObject({ challengeId: earlier });
    expect(await second.approval()).toMatchObject({ challengeId: later });

    await approve(stack, later, NEW_PIN);
    expect(await second.result()).toMatchObject({ status: 'completed', result: { id: later } });
    expect(await first.approval()).toMatchObject({ challengeId: earlier });
    await control(`/challenges/${earlier}/reject`);
    expect(await first.result()).toMatchObject({ status: 'denied' });
  });

  /** Starts a flow with an open challenge and a flow that waits behind it. */
  async function startTwoRequests() {
    const userId = await makeInitializedUser(stack);
    const first = await startApprover(stack, userId, { call: 'updateUserPin' });
    const id = await challengeOf(first);
    const second = await startApprover(stack, userId, { call: 'updateUserPin' });
    await until(
      async () => (await second.progress()).restriction?.reason === 'otherChallenge',
      'the second flow to wait',
    );
    return { userId, first, id, second };
  }

  /**
   * Starts a flow whose challenge request is lost while look-ups fail.
   * @returns the flow, which asks for a decision about the unknown outcome; look-ups work again
   */
  async function lostRequest(userId: string, drop: 'before' | 'after') {
    const { control: faults } = stack.world;
    const rejected = { status: 400, code: 2 };
    await faults.clearJournal();
    await faults.addFault({ operation: 'createUserPin', count: 1, action: { drop } });
    await faults.addFault({ operation: 'createUserPin', skip: 1, count: 1, action: rejected });
    // The session reads the list once before the request.
    await faults.addFault({ operation: 'listUserChallenges', skip: 1, action: rejected });
    const flow = await startApprover(stack, userId);
    await until(async () => (await requestsOf(stack.world, 'createUserPin')).length > 0, 'the request to be lost');
    await stack.advance(MINUTE);
    expect((await attentionOf(flow)).options.map(({ choice }) => choice)).toContain('lookAgain');
    await faults.clearFaults();
    return flow;
  }
});
