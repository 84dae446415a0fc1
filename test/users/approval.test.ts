import { randomUUID } from 'node:crypto';
import type { ChallengeApproval, LoginApproval } from '../../src/domain/approval';
import { requestsOf } from '../support/journal';
import { approveNext, byEmail } from '../support/onboarding';
import { canariesIn, openedHistory, rawHistory } from '../support/secrets';
import { startStack, type Stack } from '../support/stack';
import { until } from '../support/until';
import { makeUser, sessionOf, challengeOf, startApprover } from '../support/users';

const MINUTE = 60_000;

/** Nothing, a number, too short, another alphabet, bits too many, and the neutral point of the curve. */
const NO_KEYS = [undefined, 7, 'abc', `${'A'.repeat(40)}+/=`, `${'A'.repeat(42)}B`, 'A'.repeat(43)];

/** What a user's app needs is got fresh, and sealed to whoever asked: histories hold ciphertext only (DESIGN rule 10). */
describe('approval', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());
  beforeEach(() => stack.world.control.clearJournal());

  /** Nothing of it is in what is stored, sealed or opened by whoever has the key ring, nor in the log. */
  async function expectUnseen(canaries: string[], ...workflows: string[]): Promise<void> {
    expect(canaries.every((canary) => canary.length > 8)).toBe(true);
    for (const id of workflows) {
      expect(canariesIn(await rawHistory(stack.flows.client, id), canaries)).toEqual([]);
      expect(canariesIn(await openedHistory(stack.flows.client, id, stack.keyRing), canaries)).toEqual([]);
    }
    expect(canariesIn(stack.log.join(''), canaries)).toEqual([]);
  }

  test('of a user with a PIN: a pair of its own each time, good at the API, seen by the caller alone', async () => {
    const userId = await makeUser(stack);
    const flow = await startApprover(stack, userId);
    const challengeId = await challengeOf(flow);
    const first = (await flow.approval()) as ChallengeApproval;
    const second = (await stack.flows.session(userId).approval()) as ChallengeApproval;
    const { appId } = (await stack.api.getEntityConfig({})).data;
    expect(first).toEqual({
      stage: 'challenge',
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
      open: { challengeId, type: 'SET_PIN', flow: flow.workflowId },
      waiting: 1,
    });
    const canaries = [first, second].flatMap(({ userToken, encryptionKey }) => [userToken, encryptionKey]);
    await expectUnseen(canaries, sessionOf(stack, userId), flow.workflowId);
    for (const publicKey of NO_KEYS) {
      const update = { args: [{ publicKey }] as [object] };
      await expect(
        stack.flows.client.workflow.getHandle(sessionOf(stack, userId)).executeUpdate('approval', update),
      ).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/^publicKey: is no X25519 key; give the raw/) },
      });
    }
  });

  test('where nothing is to be approved that is told', async () => {
    const userId = await makeUser(stack);
    await expect(stack.flows.session(userId).approval()).rejects.toThrow(
      /^No flow of the user waits for an approval; /,
    );
    expect(await stack.flows.session(userId).progress()).toBeUndefined();
  });

  test('an API that refuses is told by code and remedy, and asked again with the next request', async () => {
    const userId = await makeUser(stack);
    const flow = await startApprover(stack, userId);
    await challengeOf(flow);
    await stack.world.control.addFault({
      operation: 'createUserToken',
      count: 1,
      action: { status: 400, code: 155109, when: 'before' },
    });
    await expect(flow.approval()).rejects.toThrow(/^155109 /);
    expect(await flow.approval()).toMatchObject({ stage: 'challenge' });
  });

  test('of a login by email: first what the device needs, then the pair of the login', async () => {
    const email = `${randomUUID()}@example.com`;
    const flow = await stack.flows.onboardUser.start(byEmail({ email }));
    const mails = async () =>
      (await stack.world.control.call<{ mails: { code: string }[] }>('GET', `/mails?to=${email}`)).mails;
    await until(async () => (await mails()).length === 1, 'the mail');
    let login: LoginApproval | undefined;
    await until(async () => {
      login = (await flow.approval().catch(() => undefined)) as LoginApproval | undefined;
      return login !== undefined;
    }, 'the login');
    expect(login).toMatchObject({ stage: 'login', method: 'email', otpToken: expect.any(String) });
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
    const approval = (await flow.approval()) as ChallengeApproval;
    expect(approval).toMatchObject({ stage: 'challenge', userToken: tokens.userToken });
    expect(approval.encryptionKey).toBe(tokens.encryptionKey);

    // The pair of a login is good for 14 days: the same again, and no refresh token is spent on it.
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
