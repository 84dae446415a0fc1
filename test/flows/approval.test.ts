import { randomUUID } from 'node:crypto';
import { type ApprovalCredentials, FlowRefusedError, type LoginCredentials } from '../../src';
import { approveNext, byPin, bySocial, deviceLoginOf, type Onboarding } from '../support/onboarding';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';

const MINUTE = 60_000;

/** `approval()` refuses until there is something to approve: docs/users.md#log-in-by-email. */
describe('approval', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());
  beforeEach(() => stack.world.control.clearFaults());

  /** Calls until something can be approved. Every earlier call must be refused for this reason. */
  async function firstApproval(handle: { approval(): Promise<ApprovalCredentials> }): Promise<ApprovalCredentials> {
    let approval: ApprovalCredentials | undefined;
    await until(async () => {
      approval = await handle.approval().catch((error: unknown) => {
        expect(error).toBeInstanceOf(FlowRefusedError);
        expect((error as Error).message).toMatch(/nothing (for its user )?to approve .*check .*progress|not ready/);
        return undefined;
      });
      return approval !== undefined;
    }, 'an approval');
    return approval!;
  }

  const isLoginReady = (flow: Onboarding) =>
    until(async () => (await deviceLoginOf(flow)).deviceToken !== undefined, 'the login');
  /** The tokens that the user's browser receives. */
  const tokensOf = async (flow: Onboarding) =>
    stack.world.control.call<{ userToken: string; encryptionKey: string; refreshToken: string }>(
      'POST',
      '/socialLogin',
      { ...(await deviceLoginOf(flow)), provider: 'Google', account: randomUUID() },
    );
  const provideTokens = async (flow: Onboarding, tokens: Awaited<ReturnType<typeof tokensOf>>) =>
    flow.provide('tokens', tokens, await stack.as('app'));

  test('gives the challenge after the tokens were provided, and never the login again', async () => {
    const flows = await Promise.all(Array.from({ length: 5 }, () => stack.flows.onboardUser.start(bySocial())));
    await Promise.all(
      flows.map(async (flow) => {
        await isLoginReady(flow);
        await provideTokens(flow, await tokensOf(flow));
        const approval = await firstApproval(flow);
        const { challengeId } = (await flow.progress()).approval!;
        expect(approval).toMatchObject({ type: 'challenge', challengeId });
      }),
    );
  });

  test('is refused for as long as the flow checks the tokens', async () => {
    const flow = await stack.flows.onboardUser.start(bySocial());
    await isLoginReady(flow);
    const tokens = await tokensOf(flow);
    await stack.world.control.addFault({ operation: 'getCurrentUser', action: { status: 503 } });
    await provideTokens(flow, tokens);
    for (let call = 0; call < 5; call++) {
      await expect(flow.approval()).rejects.toThrow(FlowRefusedError);
      await expect(flow.approval()).rejects.toThrow(/^The user has logged in, and there is nothing to approve yet/);
    }
    await stack.world.control.clearFaults();
    await stack.advance(MINUTE);
    expect(await firstApproval(flow)).toMatchObject({ type: 'challenge' });
  });

  test('gives another login after the tokens were rejected', async () => {
    const flow = await stack.flows.onboardUser.start(bySocial());
    await isLoginReady(flow);
    const { deviceToken } = (await flow.approval()) as LoginCredentials;
    await provideTokens(flow, { ...(await tokensOf(flow)), userToken: 'invalid' });
    await until(async () => (await flow.progress()).userProblem !== undefined, 'the rejection');
    const login = await firstApproval(flow);
    expect(login).toMatchObject({ type: 'login' });
    expect((login as LoginCredentials).deviceToken).not.toBe(deviceToken);
    await provideTokens(flow, await tokensOf(flow));
    await approveNext(stack, flow);
    await stack.advance(10 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('of a session that is about to start is refused until the challenge is open', async () => {
    const userIds = Array.from({ length: 5 }, () => `user-${randomUUID()}`);
    await Promise.all(
      userIds.map(async (userId) => {
        const flow = await stack.flows.onboardUser.start(byPin({ userId }));
        const approval = await firstApproval(stack.flows.session(userId));
        const { challengeId } = (await flow.progress()).approval!;
        expect(approval).toMatchObject({ type: 'challenge', challengeId });
      }),
    );
  });
});
