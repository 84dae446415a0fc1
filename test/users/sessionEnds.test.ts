import { CODES } from '../../src/domain/codes';
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
} from '../support/users';

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
      await stack.advance(5 * MINUTE);
      const challenge = await challengeOf(flow);
      await approve(stack, challenge, CHANGE);
      await stack.advance(MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      expect(await challengesOf(stack, userId)).toHaveLength(2);
    },
  );
});
