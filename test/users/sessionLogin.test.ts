import { randomUUID } from 'node:crypto';
import { SIGNALS } from '../../src/domain/messages';
import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, logIn, sessionOf, startApprover } from '../support/users';

const INITIALIZE = { call: 'initializeUser', body: { blockchains: ['MATIC-AMOY'] } } as const;

/** User token and refresh token are renewed together, once. */
describe('a session of a user who logged in', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });
  afterAll(() => stack.close());

  test('renews a rejected token once, and the flow completes', async () => {
    const auth = await logIn(stack);
    await stack.world.control.addFault({
      operation: 'listUserChallenges',
      count: 1,
      action: { status: 403, code: 155104 },
    });
    const flow = await startApprover(stack, auth.userId, { auth, ...INITIALIZE });
    await approve(stack, await challengeOf(flow), {});
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'refreshUserToken')).toHaveLength(1);
  });

  test('is logged out after a rejected renewal, until new tokens arrive', async () => {
    const auth = await logIn(stack);
    const { control } = stack.world;
    await control.addFault({ operation: 'listUserChallenges', count: 1, action: { status: 403, code: 155104 } });
    await control.addFault({ operation: 'refreshUserToken', action: { status: 403, code: 155105 } });
    const flow = await startApprover(stack, auth.userId, { auth, ...INITIALIZE });
    await until(async () => (await flow.progress()).restriction?.reason === 'loggedOut', 'the flow to notice');
    // This flow can't log the user in, so it shows attention until another source provides tokens.
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserLoggedOut' });
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, auth.userId));
    const operation = { type: 'login', tokens: auth.tokens };
    const { runId: firstRunId } = await stack.flows.client.workflow.getHandle(flow.workflowId).describe();
    await session.signal(SIGNALS.sessionRequest, {
      flow: flow.workflowId,
      firstRunId,
      id: randomUUID(),
      sentAt: Date.now(),
      operation,
    });
    const challenge = await challengeOf(flow);
    await until(async () => (await flow.progress()).attention === undefined, 'the attention to clear');
    await approve(stack, challenge, {});
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'refreshUserToken')).toHaveLength(1);
  });
});
