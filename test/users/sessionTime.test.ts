import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, makeInitializedUser, PIN, sessionOf, startApprover } from '../support/users';

const MINUTE = 60_000;
const CHANGE = { pin: PIN, newPin: '654321' };

/** Runs in virtual time: locks, waits and the end of an idle session. */
describe('a session over time', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());

  const control = (path: string) => stack.world.control.call('POST', path);
  const describeSession = async (userId: string) =>
    stack.flows.client.workflow.getHandle(sessionOf(stack, userId)).describe();

  test.each([
    ['pin', 'pinLocked', 'updateUserPin', CHANGE],
    ['securityQuestions', 'answersLocked', 'restoreUserPin', { answers: ['there', 'then'], newPin: '654321' }],
  ] as const)('a lock of %s delays the challenge until it is over, without further requests', async (...row) => {
    const [credential, reason, call, entries] = row;
    const userId = await makeInitializedUser(stack);
    await control(`/users/${userId}/${credential}/lock`);
    await stack.world.control.advance(10 * MINUTE);
    await stack.world.control.clearJournal();
    const flow = await startApprover(stack, userId, { call });
    await until(async () => (await flow.progress()).restriction?.reason === reason, 'the flow to show the lock');
    expect((await flow.progress()).attention).toBeUndefined();

    await stack.advance(19 * MINUTE);
    expect((await flow.progress()).approval).toBeUndefined();
    expect(await requestsOf(stack.world, call)).toHaveLength(1);
    await stack.advance(2 * MINUTE);
    const challenge = await challengeOf(flow);
    await until(async () => (await flow.progress()).restriction === undefined, 'the flow to notice');
    await approve(stack, challenge, entries);
    await stack.advance(MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, call)).toHaveLength(2);
  });

  test('an idle session ends, and starts again for the next flow', async () => {
    const userId = await makeInitializedUser(stack);
    for (const entries of [CHANGE, { pin: '654321', newPin: PIN }]) {
      const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
      await approve(stack, await challengeOf(flow), entries);
      await stack.advance(MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      expect((await describeSession(userId)).status.name).toBe('RUNNING');
      await stack.advance(6 * MINUTE);
      expect((await describeSession(userId)).status.name).toBe('COMPLETED');
    }
  });

  test('a run older than a month continues as new at the next request, and its flow notices nothing', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const challenge = await challengeOf(flow);
    const { runId, raw } = await describeSession(userId);
    await stack.advance(31 * 24 * 60 * MINUTE);
    const next = await startApprover(stack, userId, { call: 'restoreUserPin' });
    await until(async () => (await describeSession(userId)).runId !== runId, 'the next run');
    expect((await describeSession(userId)).raw.workflowExecutionInfo!.firstRunId).toBe(
      raw.workflowExecutionInfo!.firstRunId,
    );
    expect((await flow.progress()).approval).toMatchObject({ challengeId: challenge });
    await approve(stack, challenge, CHANGE);
    await stack.advance(MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await approve(stack, await challengeOf(next), { answers: ['there', 'then'], newPin: PIN });
    await stack.advance(MINUTE);
    expect(await next.result()).toMatchObject({ status: 'completed' });
  });

  test('a challenge with an unknown outcome can still be found after the session was idle for long', async () => {
    const { control: world } = stack.world;
    const userId = await makeInitializedUser(stack);
    await world.clearJournal();
    await world.addFault({ operation: 'updateUserPin', count: 1, action: { drop: 'after' } });
    await world.addFault({
      operation: 'listUserChallenges',
      action: { status: 200, body: { data: { challenges: [] } } },
    });
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    await until(async () => (await requestsOf(stack.world, 'updateUserPin')).length > 0, 'the request');
    await stack.advance(10 * MINUTE);
    expect(await attentionOf(flow)).toMatchObject({ reason: expect.stringContaining('it is unknown') });
    await stack.advance(30 * MINUTE);
    await world.clearFaults();
    await flow.decide('lookAgain', await stack.as('ops'));
    await stack.advance(MINUTE);
    const challenge = await challengeOf(flow);
    expect(await stack.flows.session(userId).approval()).toMatchObject({ challengeId: challenge });
    await approve(stack, challenge, CHANGE);
    await stack.advance(MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: challenge } });
  });
});
