import { SIGNALS } from '../../src/domain/messages';
import type { SessionProgress } from '../../src/domain/userSession';
import { lengthen, resetToStart, SUGGESTED_LENGTH } from '../support/history';
import { requestsOf } from '../support/journal';
import { startStack, type Stack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import {
  approve,
  challengesOf,
  makeInitializedUser,
  makeUser,
  pendingOf,
  sessionOf,
  challengeOf,
  startApprover,
  walletOf,
} from '../support/users';

const MINUTE = 60_000;
const NEW_PIN = { newPin: '123456' };

/** What a session opens for its flows: one challenge after the other, each of one order alone. */
describe('orders of one user', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterEach(() => stack.world.control.clearFaults());
  afterAll(() => stack.close());

  const control = (path: string, body?: object) => stack.world.control.call('POST', path, body);

  test('the second waits until the challenge of the first is over', async () => {
    const { userId, first, id, second } = await twoInLine();
    expect(await pendingOf(stack, userId)).toEqual([id]);
    await approve(stack, id, { pin: '123456', newPin: '654321' });
    expect(await first.result()).toMatchObject({ status: 'completed', result: { id } });
    const next = await challengeOf(second);
    await approve(stack, next, { pin: '654321', newPin: '123456' });
    expect(await second.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test('one that waits is taken back at once', async () => {
    const { userId, second } = await twoInLine();
    await second.cancel(await stack.as('ops'));
    expect(await second.result()).toMatchObject({ status: 'cancelled' });
    expect(await pendingOf(stack, userId)).toHaveLength(1);
  });

  test('a flow that was terminated loses its place', async () => {
    const userId = await makeInitializedUser(stack);
    const first = await startApprover(stack, userId, { call: 'updateUserPin' });
    await challengeOf(first);
    const second = await startApprover(stack, userId, { call: 'updateUserPin' });
    await stack.flows.client.workflow.getHandle(first.workflowId).terminate();
    const next = await challengeOf(second);
    await approve(stack, next, { pin: '123456', newPin: '654321' });
    expect(await second.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test('the last that waited for another challenge hears of its turn in the next run', async () => {
    const { userId, id, second } = await twoInLine();
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const { runId } = await session.describe();
    await lengthen(stack.flows.client, session.workflowId, SUGGESTED_LENGTH);
    await approve(stack, id, { pin: '123456', newPin: '654321' });
    const next = await challengeOf(second);
    expect((await session.describe()).runId).not.toBe(runId);
    await until(async () => (await second.progress()).block === undefined, 'the second to hear of its turn');
    await approve(stack, next, { pin: '654321', newPin: '123456' });
    expect(await second.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test("what was made beside is no find: another order's challenge is its own alone", async () => {
    const { flows, world } = stack;
    const userId = await makeUser(stack);
    await world.control.clearJournal();
    await world.control.addFault({ operation: 'createUserPin', count: 1, action: { drop: 'before' } });
    await world.control.addFault({ operation: 'createUserPin', count: 2, action: { status: 503 } });
    const lost = await startApprover(stack, userId);
    await until(async () => (await requestsOf(world, 'createUserPin')).length > 0, 'the order to be lost');
    await control(`/users/${userId}/disable`);
    await until(async () => (await lost.progress()).block?.reason === 'disabled', 'the session to hear of it');
    const other = await startApprover(stack, userId);
    const session = flows.client.workflow.getHandle(sessionOf(stack, userId));
    await until(async () => (await session.query<SessionProgress>('progress')).waiting === 2, 'the other to wait');
    const { runId } = await session.describe();
    await lengthen(flows.client, session.workflowId, SUGGESTED_LENGTH);
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
    // As long as the lost one is looked for.
    await stack.advance(5 * MINUTE);
    expect(await lost.result()).toMatchObject({ status: 'cancelled' });
  });

  test('orders that wait are bounded in bytes, so that the next run begins with all of them', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const id = await challengeOf(flow);
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const { runId } = await session.describe();
    const body = { message: 'x'.repeat(120 * 1024) };
    for (let n = 0; n < 40; n++) {
      const effect = { flow: 'signPayload', ref: 'r', keyId: 'k', step: 'sign', ordinal: n };
      const ask = { what: 'order', order: { effect, call: 'signUserMessage', body } };
      await session.signal(SIGNALS.ask, { flow: flow.workflowId, id: `large-${n}`, ask });
    }
    await until(async () => (await session.describe()).runId !== runId, 'the next run to begin');
    const { waiting } = await session.query<SessionProgress>('progress');
    expect(waiting).toBeGreaterThan(5);
    expect(waiting).toBeLessThan(12);
    await approve(stack, id, { pin: '123456', newPin: '654321' });
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await session.terminate();
  });

  test.each(['in line', 'for a disabled user'])(
    'a flow that was terminated while it waited %s opens nothing',
    async (how) => {
      const userId = await makeInitializedUser(stack);
      const first = how === 'in line' ? await startApprover(stack, userId, { call: 'updateUserPin' }) : undefined;
      if (first) await challengeOf(first);
      else await control(`/users/${userId}/disable`);
      const gone = await startApprover(stack, userId, { call: 'updateUserPin' });
      await until(async () => (await gone.progress()).block !== undefined, 'the flow to wait');
      await stack.flows.client.workflow.getHandle(gone.workflowId).terminate();

      if (first) await approve(stack, await challengeOf(first), { pin: '123456', newPin: '123456' });
      else await control(`/users/${userId}/enable`);
      // Behind it in line.
      const next = await startApprover(stack, userId, { call: 'updateUserPin' });
      const id = await challengeOf(next);
      expect(await pendingOf(stack, userId)).toEqual([id]);
      await approve(stack, id, { pin: '123456', newPin: '123456' });
      expect(await next.result()).toMatchObject({ status: 'completed', result: { id } });
    },
  );

  test('a flow that was reset shows the challenge that it has opened, and opens no other', async () => {
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

  test('a signature whose request was lost is looked for by a flow that was reset, and not asked for again', async () => {
    const { control: faults } = stack.world;
    const refused = { status: 400, code: 2 };
    const userId = await makeInitializedUser(stack);
    const walletId = await walletOf(stack, userId);
    await faults.addFault({ operation: 'signUserMessage', count: 1, action: { drop: 'after' } });
    const flow = await startApprover(stack, userId, { call: 'signUserMessage', body: { walletId, message: 'hello' } });
    await until(async () => (await pendingOf(stack, userId)).length === 1, 'the request to be carried out');
    await faults.addFault({ operation: 'listUserChallenges', action: refused });
    await stack.advance(MINUTE);
    expect(await attentionOf(flow)).toMatchObject({ code: 2, reason: expect.stringContaining('is not known') });
    await faults.clearFaults();
    await resetToStart(stack.flows.client, flow.workflowId);
    const id = await challengeOf(flow);
    expect(await pendingOf(stack, userId)).toEqual([id]);
    await control(`/challenges/${id}/reject`);
    expect(await flow.result()).toMatchObject({ status: 'denied' });
  });

  test('one that waits is told so again when the user is enabled, and terminated then opens nothing', async () => {
    const { userId, first, id, second } = await twoInLine();
    const blocked = (reason: string) =>
      until(async () => (await second.progress()).block?.reason === reason, `the second to hear of ${reason}`);
    await control(`/users/${userId}/disable`);
    await first.provide('clientError', { code: 155109 }, await stack.as('app'));
    await blocked('disabled');
    await control(`/users/${userId}/enable`);
    await blocked('otherChallenge');
    await stack.flows.client.workflow.getHandle(second.workflowId).terminate();
    await approve(stack, id, { pin: '123456', newPin: '123456' });
    expect(await first.result()).toMatchObject({ status: 'completed' });
    const third = await startApprover(stack, userId, { call: 'updateUserPin' });
    const next = await challengeOf(third);
    expect(await pendingOf(stack, userId)).toEqual([next]);
  });

  test('of two whose outcomes are not known, the earlier does not find what the later made', async () => {
    const userId = await makeUser(stack);
    const lost = await orderUnknown(userId, 'before');
    const made = await orderUnknown(userId, 'after');
    const [challenge] = await challengesOf(stack, userId);

    await lost.decide('lookAgain', await stack.as('ops'));
    // The looks are over.
    await stack.advance(MINUTE);
    expect(await attentionOf(lost)).toMatchObject({ code: 2 });
    expect((await lost.progress()).approval).toBeUndefined();

    await made.decide('lookAgain', await stack.as('ops'));
    expect(await challengeOf(made)).toBe(challenge!.id);
    await approve(stack, challenge!.id, NEW_PIN);
    expect(await made.result()).toMatchObject({ status: 'completed', result: { id: challenge!.id } });
    await lost.decide('giveUp', await stack.as('ops'));
    expect(await lost.result()).toMatchObject({ status: 'failed', code: 2 });
  });

  test('one that is taken back after its reply was lost, and can not be looked for: a person is asked', async () => {
    const { control: faults } = stack.world;
    const userId = await makeUser(stack);
    await faults.addFault({ operation: 'createUserPin', count: 1, action: { drop: 'after' } });
    await faults.addFault({ operation: 'createUserPin', skip: 1, count: 2, action: { status: 503 } });
    const flow = await startApprover(stack, userId);
    await until(async () => (await challengesOf(stack, userId)).length === 1, 'the order to be carried out');
    await control(`/users/${userId}/disable`);
    await until(async () => (await flow.progress()).block?.reason === 'disabled', 'the session to hear of it');
    await flow.cancel(await stack.as('ops'));
    await faults.addFault({ operation: 'listUserChallenges', action: { status: 400, code: 2 } });
    await control(`/users/${userId}/enable`);
    await until(async () => (await flow.progress()).block === undefined, 'the flow to hear that the user is enabled');
    await stack.advance(MINUTE);
    expect(await attentionOf(flow)).toMatchObject({ code: 2, reason: expect.stringContaining('is not known') });

    await faults.clearFaults();
    await flow.decide('lookAgain', await stack.as('ops'));
    const id = await challengeOf(flow);
    await approve(stack, id, NEW_PIN);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, approvedLate: true } });
  });

  test('one that was found while another is open can be approved beside it, each as itself', async () => {
    const userId = await makeUser(stack);
    const first = await orderUnknown(userId, 'after');
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

  /** A flow whose challenge is open, and one that waits behind it. */
  async function twoInLine() {
    const userId = await makeInitializedUser(stack);
    const first = await startApprover(stack, userId, { call: 'updateUserPin' });
    const id = await challengeOf(first);
    const second = await startApprover(stack, userId, { call: 'updateUserPin' });
    await until(async () => (await second.progress()).block?.reason === 'otherChallenge', 'the second to wait');
    return { userId, first, id, second };
  }

  /**
   * An order whose reply is lost, and what it made can't be looked for.
   * @returns its flow, which asks what became of it; it can be looked for from now on
   */
  async function orderUnknown(userId: string, drop: 'before' | 'after') {
    const { control: faults } = stack.world;
    const refused = { status: 400, code: 2 };
    await faults.clearJournal();
    await faults.addFault({ operation: 'createUserPin', count: 1, action: { drop } });
    await faults.addFault({ operation: 'createUserPin', skip: 1, count: 1, action: refused });
    const flow = await startApprover(stack, userId);
    await until(async () => (await requestsOf(stack.world, 'createUserPin')).length > 0, 'the order to be lost');
    await faults.addFault({ operation: 'listUserChallenges', action: refused });
    await stack.advance(MINUTE);
    expect((await attentionOf(flow)).options.map(({ choice }) => choice)).toContain('lookAgain');
    await faults.clearFaults();
    return flow;
  }
});
