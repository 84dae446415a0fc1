import { comparableEvents } from '../support/history';
import { requestsOf } from '../support/journal';
import { startStack, type Stack } from '../support/stack';
import {
  approve,
  logIn,
  makeInitializedUser,
  PIN,
  sessionOf,
  shownChallenge,
  startApprover,
  startAsker,
} from '../support/users';

const MINUTE = 60_000;
const CHANGE = { pin: PIN, newPin: '654321' };

describe('a session under load, and over months', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());

  test('WF-03: 300 requests in bursts of 30, over several runs, each once', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startAsker(stack, userId, { what: 'readUser', bursts: 10, burst: 30 });
    expect(await flow.result()).toEqual({ status: 'completed', result: 300 });
    expect(await requestsOf(stack.world, 'getUser')).toHaveLength(300);
    const { raw } = await stack.flows.client.workflow.getHandle(sessionOf(stack, userId)).describe();
    expect(raw.workflowExecutionInfo!.execution!.runId).not.toBe(raw.workflowExecutionInfo!.firstRunId);
  }, 120_000);

  test('a challenge that waits for 60 days adds no event to the session', async () => {
    const lengths: number[] = [];
    for (const days of [0, 60]) {
      const userId = await makeInitializedUser(stack);
      const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
      const id = await shownChallenge(flow);
      await stack.advance(days * 24 * 60 * MINUTE + MINUTE);
      await approve(stack, id, CHANGE);
      await stack.advance(2 * 24 * 60 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      lengths.push(await steadyEvents(sessionOf(stack, userId)), await steadyEvents(flow.workflowId));
    }
    expect(lengths.slice(2)).toEqual(lengths.slice(0, 2));
  }, 300_000);

  async function steadyEvents(id: string): Promise<number> {
    return comparableEvents(await stack.flows.client.workflow.getHandle(id).fetchHistory()).length;
  }

  test('a flow that waits for weeks: renewed before the tokens expire', async () => {
    const auth = await logIn(stack);
    const flow = await startApprover(stack, auth.userId, {
      auth,
      call: 'initializeUser',
      body: { blockchains: ['MATIC-AMOY'] },
    });
    const id = await shownChallenge(flow);
    await stack.advance(25 * 24 * 60 * MINUTE);
    expect(await requestsOf(stack.world, 'refreshUserToken')).toHaveLength(2);
    await approve(stack, id, {});
    await stack.advance(24 * 60 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  }, 300_000);
});
