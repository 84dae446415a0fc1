import { FAST, startStack, type Stack } from '../support/stack';
import { approve, challengesOf, makeUser, sessionOf, shownChallenge, startApprover } from '../support/users';

describe('a session', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());

  test('opens a challenge for a flow and tells it the end', async () => {
    const userId = await makeUser(stack);
    const flow = await startApprover(stack, userId);
    const id = await shownChallenge(flow);
    await approve(stack, id, { newPin: '123456' });
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'completed', result: { id, status: 'COMPLETE' } });
    expect(await challengesOf(stack, userId)).toHaveLength(1);
  });
});
