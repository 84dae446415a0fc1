import { randomUUID } from 'node:crypto';
import type { ChallengeCredentials, LoginCredentials } from '../../src/domain/approvalCredentials';
import { requestsOf } from '../support/journal';
import { approveNext, byEmail } from '../support/onboarding';
import { canariesIn, decryptedHistory, rawHistory } from '../support/secrets';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';
import { challengeOf, makeUser, sessionOf, startApprover } from '../support/users';

const MINUTE = 60_000;

/** Missing, a number, too short, another alphabet, extra bits, and the neutral point of the curve. */
const INVALID_KEYS = [undefined, 7, 'abc', `${'A'.repeat(40)}+/=`, `${'A'.repeat(42)}B`, 'A'.repeat(43)];

/** Credentials are fetched fresh and sealed to the caller, so histories hold only ciphertext: docs/security.md#what-a-users-app-gets. */
describe('approval credentials', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());
  beforeEach(() => stack.world.control.clearJournal());

  /** Checks that the canaries are neither in the histories, encrypted or decrypted with the key ring, nor in the log. */
  async function expectUnseen(canaries: string[], ...workflows: string[]): Promise<void> {
    expect(canaries.every((canary) => canary.length > 8)).toBe(true);
    for (const id of workflows) {
      expect(canariesIn(await rawHistory(stack.flows.client, id), canaries)).toEqual([]);
      expect(canariesIn(await decryptedHistory(stack.flows.client, id, stack.keyRing), canaries)).toEqual([]);
    }
    expect(canariesIn(stack.log.join(''), canaries)).toEqual([]);
  }

  test('a user with a PIN gets new working tokens each time, which only the caller can read', async () => {
    const userId = await makeUser(stack);
    const flow = await startApprover(stack, userId);
    const challengeId = await challengeOf(flow);
    const first = (await flow.approval()) as ChallengeCredentials;
    const second = (await stack.flows.session(userId).approval()) as ChallengeCredentials;
    const { appId } = (await stack.api.getEntityConfig({})).data;
    expect(first).toEqual({
      type: 'challenge',
      appId,
      userToken: expect.any(String),
      encryptionKey: expect.any(String),
      challengeId,
    });
    expect(second).toMatchObject({ appId, challengeId });
    expect(second.userToken).not.toBe(first.userToken);
    const { challenge } = (
      await stack.api.getUserChallenge({ params: { id: challengeId } }, { userToken: second.userToken })
    ).data;
    expect(challenge).toMatchObject({ id: challengeId, status: 'PENDING' });
    expect(await requestsOf(stack.world, 'getEntityConfig')).toHaveLength(2);
    expect(await stack.flows.session(userId).progress()).toEqual({
      auth: 'pin',
      open: [{ challengeId, type: 'SET_PIN', flow: flow.workflowId }],
      pendingRequests: 1,
    });
    const canaries = [first, second].flatMap(({ userToken, encryptionKey }) => [userToken, encryptionKey]);
    await expectUnseen(canaries, sessionOf(stack, userId), flow.workflowId);
    for (const publicKey of INVALID_KEYS) {
      const update = { args: [{ publicKey }] as [object] };
      await expect(
        stack.flows.client.workflow.getHandle(sessionOf(stack, userId)).executeUpdate('approval', update),
      ).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/^publicKey: is not an X25519 key; create/) },
      });
    }
  });

  test('the error says that no approval is pending', async () => {
    const userId = await makeUser(stack);
    await expect(stack.flows.session(userId).approval()).rejects.toThrow(
      /^The user has nothing to approve now; check the flow's progress$/,
    );
    expect(await stack.flows.session(userId).progress()).toBeUndefined();
  });

  test('an API error is returned with its code, and the next request asks the API again', async () => {
    const userId = await makeUser(stack);
    const flow = await startApprover(stack, userId);
    await challengeOf(flow);
    await stack.world.control.addFault({
      operation: 'createUserToken',
      count: 1,
      action: { status: 400, code: 155109, when: 'before' },
    });
    await expect(flow.approval()).rejects.toThrow(/^155109 /);
    expect(await flow.approval()).toMatchObject({ type: 'challenge' });
  });

  test("a login by email first gives the device's login credentials, then the tokens of the login", async () => {
    const email = `${randomUUID()}@example.com`;
    const flow = await stack.flows.onboardUser.start(byEmail({ email }));
    const mails = async () =>
      (await stack.world.control.call<{ mails: { code: string }[] }>('GET', `/mails?to=${email}`)).mails;
    await until(async () => (await mails()).length === 1, 'the mail');
    let login: LoginCredentials | undefined;
    await until(async () => {
      login = (await flow.approval().catch(() => undefined)) as LoginCredentials | undefined;
      return login !== undefined;
    }, 'the login');
    expect(login).toMatchObject({ type: 'login', method: 'email', otpToken: expect.any(String) });
    const { deviceToken, deviceEncryptionKey, otpToken } = login!;
    const code = (await mails())[0]!.code;
    const tokens = await stack.world.control.call<{ userToken: string; encryptionKey: string }>('POST', '/otp/verify', {
      deviceToken,
      deviceEncryptionKey,
      otpToken,
      otp: code,
    });
    await flow.provide('tokens', tokens as never, await stack.as('app'));
    await until(async () => (await flow.progress()).approval !== undefined, 'the challenge');
    const approval = (await flow.approval()) as ChallengeCredentials;
    expect(approval).toMatchObject({ type: 'challenge', userToken: tokens.userToken });
    expect(approval.encryptionKey).toBe(tokens.encryptionKey);

    // The tokens of a login are valid for 14 days, so they are returned again without using the refresh token.
    expect(await flow.approval()).toEqual(approval);
    expect(await requestsOf(stack.world, 'refreshUserToken')).toEqual([]);
    const { session } = (await flow.progress()).approval!;
    const canaries = [deviceToken, otpToken!, tokens.userToken, tokens.encryptionKey];
    await expectUnseen(canaries, session, flow.workflowId);
    await approveNext(stack, flow);
    await stack.advance(10 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });
});
