import { randomUUID } from 'node:crypto';
import { requestsOf } from '../support/journal';
import { startStack, type Stack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { approve, logIn, sessionOf, challengeOf, startApprover } from '../support/users';

const INITIALIZE = { call: 'initializeUser', body: { blockchains: ['MATIC-AMOY'] } } as const;

/** Sessions of users who log in: their tokens are renewed as a pair, once. */
describe('a session with tokens of a login', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });
  afterAll(() => stack.close());

  test('a refused token: one renewal, and the flow completes', async () => {
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

  test('a renewal that is refused: logged out, until new tokens come', async () => {
    const auth = await logIn(stack);
    const { control } = stack.world;
    await control.addFault({ operation: 'listUserChallenges', count: 1, action: { status: 403, code: 155104 } });
    await control.addFault({ operation: 'refreshUserToken', action: { status: 403, code: 155105 } });
    const flow = await startApprover(stack, auth.userId, { auth, ...INITIALIZE });
    await until(async () => (await flow.progress()).block?.reason === 'loggedOut', 'the flow to hear of it');
    // It can't have the user log in: a person hears of it, until somebody else does.
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserLoggedOut' });
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, auth.userId));
    const ask = { what: 'login', tokens: auth.tokens };
    await session.signal('ask', { flow: flow.workflowId, id: randomUUID(), ask });
    const challenge = await challengeOf(flow);
    await until(async () => (await flow.progress()).attention === undefined, 'the attention to go away');
    await approve(stack, challenge, {});
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'refreshUserToken')).toHaveLength(1);
  });
});
