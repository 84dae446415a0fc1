import { requestsOf } from '../support/journal';
import { startStack, type Stack } from '../support/stack';
import { makeInitializedUser, sessionOf, startAsker } from '../support/users';

describe('a session under load', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
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
});
