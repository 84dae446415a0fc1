import { randomUUID } from 'node:crypto';
import { distinct, requestsOf } from '../support/journal';
import { approveNext, bySocial, deviceLoginOf, type Onboarding } from '../support/onboarding';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';

const MINUTE = 60_000;

/** Login at an SSO provider: docs/api-behavior.md#users-and-challenges. */
describe('onboarding by a social login', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });

  const tokens = () => requestsOf(stack.world, 'createSocialDeviceToken');
  /** The user returns from the provider. */
  async function logIn(flow: Onboarding, more: object = {}): Promise<object> {
    let login: object = {};
    await until(async () => Object.keys((login = await deviceLoginOf(flow))).length > 0, 'the device token');
    const body = { ...login, provider: 'Google', account: randomUUID(), ...more };
    return stack.world.control.call('POST', '/socialLogin', body);
  }
  const complete = async (flow: Onboarding) => {
    await flow.provide('tokens', (await logIn(flow)) as never, await stack.as('app'));
    await approveNext(stack, flow);
    await stack.advance(10 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { wallets: [{}] } });
  };

  test('completes after the user confirms without a PIN', async () => {
    const flow = await stack.flows.onboardUser.start(bySocial());
    await until(async () => (await flow.progress()).waitingFor === 'the user to log in at Google');
    await complete(flow);
    expect(await tokens()).toHaveLength(1);
  });

  test.each(['expired', 'invalid'])(
    'an %s token of the provider is reported to the app, and the user can try again',
    async (ssoToken) => {
      const flow = await stack.flows.onboardUser.start(bySocial());
      const code = ssoToken === 'expired' ? 155139 : 155140;
      await expect(logIn(flow, { ssoToken })).rejects.toThrow(String(code));
      await flow.provide('clientError', { code }, await stack.as('app'));
      await until(async () => (await flow.progress()).userProblem?.code === code);
      await complete(flow);
    },
  );

  test('an old device token is renewed on the next request, and a rejected one at once', async () => {
    const flow = await stack.flows.onboardUser.start(bySocial());
    const first = await logIn(flow).then(() => deviceLoginOf(flow));
    await stack.advance(11 * MINUTE);
    const second = await deviceLoginOf(flow);
    expect(second.deviceToken).not.toBe(first.deviceToken);
    expect(await tokens()).toHaveLength(2);
    await flow.provide('clientError', { code: 155143 }, await stack.as('app'));
    await until(async () => (await tokens()).length === 3);
    await complete(flow);
  });

  test('after a lost reply the flow gets another device token with a new idempotency key', async () => {
    await stack.world.control.addFault({
      operation: 'createSocialDeviceToken',
      count: 1,
      action: { drop: 'after' },
    });
    const flow = await stack.flows.onboardUser.start(bySocial());
    await complete(flow);
    expect(distinct(await tokens(), 'idempotencyKey')).toHaveLength(2);
  });
});
