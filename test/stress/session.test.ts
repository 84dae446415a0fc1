import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import {
  approve,
  challengeOf,
  logIn,
  makeInitializedUser,
  sessionOf,
  startApprover,
  startSessionCaller,
} from '../support/users';

const MINUTE = 60_000;

describe('a session under load and over weeks', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());

  test('handles 300 requests in bursts of 30 once each, over several runs', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startSessionCaller(stack, userId, { operation: 'readUser', bursts: 10, burst: 30 });
    expect(await flow.result()).toEqual({ status: 'completed', result: 300 });
    expect(await requestsOf(stack.world, 'getUser')).toHaveLength(300);
    const { raw } = await stack.flows.client.workflow.getHandle(sessionOf(stack, userId)).describe();
    expect(raw.workflowExecutionInfo!.execution!.runId).not.toBe(raw.workflowExecutionInfo!.firstRunId);
  });

  test('renews tokens before they expire while a flow waits for weeks', async () => {
    const auth = await logIn(stack);
    const flow = await startApprover(stack, auth.userId, {
      auth,
      call: 'initializeUser',
      body: { blockchains: ['MATIC-AMOY'] },
    });
    const id = await challengeOf(flow);
    await stack.advance(25 * 24 * 60 * MINUTE);
    expect(await requestsOf(stack.world, 'refreshUserToken')).toHaveLength(2);
    await approve(stack, id, {});
    await stack.advance(24 * 60 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });
});
