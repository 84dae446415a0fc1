import { randomUUID } from 'node:crypto';
import type { LoginCredentials } from '../../src/domain/approvalCredentials';
import { distinct, requestsOf } from '../support/journal';
import { approveNext, byEmail, deviceLoginOf, type Onboarding } from '../support/onboarding';
import { reportedBy } from '../support/outcomes';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';

const MINUTE = 60_000;
const SECOND = 1_000;

/** Login by email with device token and OTP token: docs/api-behavior.md#users-and-challenges. */
describe('onboarding by email', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { limits: false } });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.changeSettings({ smtp: 'ready' });
    await stack.world.control.clearJournal();
  });

  const begin = async (more: object = {}) => {
    const email = `${randomUUID()}@example.com`;
    const flow = await stack.flows.onboardUser.start(byEmail({ email, ...more }));
    return { email, flow };
  };
  const mailsTo = async (email: string) =>
    (await stack.world.control.call<{ mails: { code: string; otpToken: string }[] }>('GET', `/mails?to=${email}`))
      .mails;
  const mailed = (email: string, count: number) =>
    until(async () => (await mailsTo(email)).length === count, `mail number ${count}`);
  /** Enters a code as the user, by default the one of the latest mail. @returns the tokens @throws Error with the API's code */
  async function enter(flow: Onboarding, email: string, otp?: string): Promise<Record<string, string>> {
    if (otp !== undefined) {
      return stack.world.control.call('POST', '/otp/verify', { ...(await deviceLoginOf(flow)), otp });
    }
    // The mail can arrive before the flow has its OTP token.
    let login: Partial<LoginCredentials> = {};
    const latest = async () => (await mailsTo(email)).at(-1)!;
    await until(
      async () => (login = await deviceLoginOf(flow)).otpToken === (await latest()).otpToken,
      'the OTP token of the mail',
    );
    return stack.world.control.call('POST', '/otp/verify', { ...login, otp: (await latest()).code });
  }
  const problemOf = async (flow: Onboarding, code: number) => {
    await until(async () => (await flow.progress()).userProblem?.code === code, `the problem ${code}`);
    return (await flow.progress()).userProblem;
  };
  const completed = async (flow: Onboarding, email: string) => {
    await flow.provide('tokens', (await enter(flow, email)) as never, await stack.as('app'));
    await approveNext(stack, flow);
    await stack.advance(10 * MINUTE);
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'completed', result: { wallets: [{ blockchain: 'ETH-SEPOLIA' }] } });
    return reportedBy(outcome);
  };
  /** Another client requests a mail to the same address. */
  const requestOtherMail = (email: string) =>
    stack.api.createEmailDeviceToken({ body: { idempotencyKey: randomUUID(), deviceId: randomUUID(), email } });

  test('requests the device id, sends and resends a mail, and continues as the user who logs in', async () => {
    const { flow, email } = await begin({ deviceId: undefined });
    await until(async () => (await flow.progress()).waitingFor?.includes('device id') ?? false);
    expect((await flow.progress()).inputRequests?.map(({ name }) => name)).toEqual(['deviceId', 'clientError']);
    await expect(flow.provide('resendOtp', {}, await stack.as('app'))).rejects.toThrow(
      /asks only for deviceId, clientError/,
    );
    await expect(flow.provide('deviceId', { deviceId: 'phone' }, await stack.as('app'))).rejects.toThrow(
      /deviceId: is not a device id/,
    );
    const deviceId = randomUUID();
    await flow.provide('deviceId', { deviceId }, await stack.as('app'));
    await mailed(email, 1);
    // The same device id does not start another login.
    await flow.provide('deviceId', { deviceId }, await stack.as('app'));
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, 2);
    await until(async () => (await deviceLoginOf(flow)).otpToken === (await mailsTo(email))[1]!.otpToken);
    expect(await requestsOf(stack.world, 'createEmailDeviceToken')).toHaveLength(1);
    expect(await requestsOf(stack.world, 'resendOtp')).toHaveLength(1);
    const { userId } = await completed(flow, email);
    const { data } = await stack.api.getUser({ params: { id: userId } });
    expect(data.user).toMatchObject({ id: userId, pinStatus: 'UNSET' });
  });

  test('a plain or sealed email address works, and a repeated start with the same address finds the flow', async () => {
    const input = byEmail();
    const { email, ref } = input as { email: string; ref: string };
    const flow = await stack.flows.onboardUser.start(input);
    expect((await stack.flows.onboardUser.start({ ...input })).created).toBe(false);
    await mailed(email, 1);
    await flow.cancel(await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    const sealed = await stack.flows.onboardUser.seal(`${ref}-2`, 'email', email);
    const other = await stack.flows.onboardUser.start({ ...input, ref: `${ref}-2`, email: sealed } as never);
    await mailed(email, 2);
    await other.cancel(await stack.as('ops'));
    // The address is sealed for another flow, so it can't be opened and an operator has to decide.
    const unreadable = await stack.flows.onboardUser.start({ ...input, ref: `${ref}-3`, email: sealed } as never);
    expect(await attentionOf(unreadable)).toMatchObject({ name: 'SealedValueUnreadable' });
    await unreadable.decide('giveUp', await stack.as('ops'));
    expect(await unreadable.result()).toMatchObject({ status: 'failed' });
  });

  test('after five mails a resend is rejected for an hour: still after 59 minutes, no longer after 61', async () => {
    const { flow, email } = await begin();
    await mailed(email, 1);
    for (let sends = 2; sends <= 5; sends++) {
      await flow.provide('resendOtp', {}, await stack.as('app'));
      await mailed(email, sends);
      await until(async () => (await flow.progress()).inputRequests?.length === 4);
    }
    const requests = async () =>
      (await requestsOf(stack.world, 'resendOtp')).length +
      (await requestsOf(stack.world, 'createEmailDeviceToken')).length;
    await expect(flow.provide('resendOtp', {}, await stack.as('app'))).rejects.toThrow(
      /No email can be sent before 20\d\d-.*Z/,
    );
    await stack.advance(59 * MINUTE);
    await expect(flow.provide('resendOtp', {}, await stack.as('app'))).rejects.toThrow(/No email can be sent before/);
    await expect(flow.provide('deviceId', { deviceId: randomUUID() }, await stack.as('app'))).rejects.toThrow(
      /No email can be sent/,
    );
    expect(await requests()).toBe(5);
    await stack.advance(2 * MINUTE);
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, 6);
    await completed(flow, email);
  });

  test.each([155142, 155141])('%d because of other mails stops sending for an hour', async (code) => {
    const { flow, email } = await begin();
    await mailed(email, 1);
    if (code === 155142) {
      for (let others = 0; others < 4; others++) await requestOtherMail(email);
      await flow.provide('resendOtp', {}, await stack.as('app'));
    } else {
      await flow.provide('clientError', { code }, await stack.as('app'));
    }
    expect(await problemOf(flow, code)).toMatchObject({ remedy: expect.stringContaining('60 minutes') });
    const sent = (await mailsTo(email)).length;
    await expect(flow.provide('resendOtp', {}, await stack.as('app'))).rejects.toThrow(/No email can be sent before/);
    await stack.advance(59 * MINUTE);
    await expect(flow.provide('resendOtp', {}, await stack.as('app'))).rejects.toThrow(/No email can be sent before/);
    await stack.advance(2 * MINUTE);
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, sent + 1);
    await completed(flow, email);
  });

  test('three wrong codes void the OTP token (155146): the app sees it, and a resend helps', async () => {
    const { flow, email } = await begin();
    await mailed(email, 1);
    await until(async () => (await deviceLoginOf(flow)).otpToken !== undefined);
    const wrong = String((Number((await mailsTo(email))[0]!.code) + 1) % 1_000_000).padStart(6, '0');
    for (const code of [155133, 155133, 155133, 155146]) {
      await expect(enter(flow, email, wrong)).rejects.toThrow(String(code));
      await flow.provide('clientError', { code }, await stack.as('app'));
      await problemOf(flow, code);
    }
    expect(await mailsTo(email)).toHaveLength(1);
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, 2);
    await until(async () => (await flow.progress()).userProblem === undefined);
    await completed(flow, email);
  });

  test('a resend replaces an expired code (155130), and a new login replaces an expired device token', async () => {
    const { flow, email } = await begin();
    await mailed(email, 1);
    await stack.advance(6 * MINUTE);
    await expect(enter(flow, email)).rejects.toThrow('155130');
    await flow.provide('clientError', { code: 155130 }, await stack.as('app'));
    await problemOf(flow, 155130);
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, 2);
    // The device token is more than ten minutes old. The API rejects the resend, and the flow starts a new login.
    await stack.advance(5 * MINUTE);
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, 3);
    expect((await requestsOf(stack.world, 'resendOtp')).at(-1)).toMatchObject({ code: 155143 });
    expect(await requestsOf(stack.world, 'createEmailDeviceToken')).toHaveLength(2);
    await completed(flow, email);
  });

  test.each([155143, 155144, 155145])(
    'a device token that the browser reports as rejected (%d) is replaced',
    async (code) => {
      const { flow, email } = await begin();
      await mailed(email, 1);
      await flow.provide('clientError', { code }, await stack.as('app'));
      await mailed(email, 2);
      expect(await requestsOf(stack.world, 'createEmailDeviceToken')).toHaveLength(2);
      await until(async () => (await deviceLoginOf(flow)).otpToken === (await mailsTo(email))[1]!.otpToken);
      await completed(flow, email);
    },
  );

  test('another device id during the login starts a separate login', async () => {
    const { flow, email } = await begin();
    await mailed(email, 1);
    await flow.provide('deviceId', { deviceId: randomUUID() }, await stack.as('app'));
    await mailed(email, 2);
    await until(async () => (await deviceLoginOf(flow)).otpToken === (await mailsTo(email))[1]!.otpToken);
    await completed(flow, email);
  });

  test.each(['reject', 'replay'] as const)(
    'a lost reply to the first mail does not stop the login (idempotency mode %s)',
    async (idempotency) => {
      await stack.world.control.changeSettings({ idempotency });
      await stack.world.control.addFault({ operation: 'createEmailDeviceToken', count: 1, action: { drop: 'after' } });
      const { flow, email } = await begin();
      await until(async () => (await deviceLoginOf(flow)).otpToken !== undefined);
      await stack.world.control.changeSettings({ idempotency: 'reject' });
      // In mode `reject` the OTP token of the first mail is lost, so a second mail is sent. Both count towards the limit.
      const mails = idempotency === 'reject' ? 2 : 1;
      expect(await mailsTo(email)).toHaveLength(mails);
      expect(distinct(await requestsOf(stack.world, 'createEmailDeviceToken'), 'idempotencyKey')).toHaveLength(mails);
      await completed(flow, email);
    },
  );

  test('a lost reply to a resend loses the OTP token, so the flow starts a new login', async () => {
    const { flow, email } = await begin();
    await mailed(email, 1);
    await stack.world.control.addFault({ operation: 'resendOtp', count: 1, action: { drop: 'after' } });
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, 3);
    expect(distinct(await requestsOf(stack.world, 'resendOtp'), 'idempotencyKey')).toHaveLength(1);
    await until(async () => (await deviceLoginOf(flow)).otpToken === (await mailsTo(email))[2]!.otpToken);
    await completed(flow, email);
  });

  test('mails that cannot be sent (155150) wait for an operator', async () => {
    await stack.world.control.changeSettings({ smtp: 'missing' });
    const { flow, email } = await begin();
    expect(await attentionOf(flow)).toMatchObject({
      code: 155150,
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
    });
    await stack.world.control.changeSettings({ smtp: 'ready' });
    await flow.decide('retry', await stack.as('ops'));
    await mailed(email, 1);
    await flow.cancel(await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
  });

  test("an operator's retry sends no mail while the limit of an hour lasts", async () => {
    await stack.world.control.changeSettings({ smtp: 'missing' });
    const { flow, email } = await begin();
    expect(await attentionOf(flow)).toMatchObject({ code: 155150 });
    await stack.world.control.changeSettings({ smtp: 'ready' });
    await flow.provide('clientError', { code: 155141 }, await stack.as('app'));
    await flow.decide('retry', await stack.as('ops'));
    await problemOf(flow, 155141);
    expect(await mailsTo(email)).toEqual([]);
    await expect(flow.provide('resendOtp', {}, await stack.as('app'))).rejects.toThrow(/No email can be sent before/);
    await stack.advance(61 * MINUTE);
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await mailed(email, 1);
    await completed(flow, email);
  });

  test('after invalid tokens the user logs in again', async () => {
    const { flow, email } = await begin();
    await mailed(email, 1);
    await flow.provide('tokens', { userToken: 'e30.e30.e30', encryptionKey: 'none' }, await stack.as('app'));
    await problemOf(flow, 155105);
    await completed(flow, email);
  });

  describe('tokens that become invalid while a challenge is open', () => {
    /** Starts an onboarding whose user has to log in again. */
    const loggedOut = async (more: object = {}) => {
      const { control } = stack.world;
      const { flow, email } = await begin(more);
      await mailed(email, 1);
      await until(async () => (await deviceLoginOf(flow)).otpToken !== undefined);
      const tokens = await enter(flow, email);
      await control.addFault({ operation: 'refreshUserToken', action: { status: 403, code: 155105 } });
      await control.addFault({ operation: 'getUserChallenge', action: { status: 403, code: 155104 } });
      await flow.provide('tokens', tokens as never, await stack.as('app'));
      await until(async () => (await mailsTo(email)).length === 2, 'the second login to begin');
      return { flow, email, challengeId: (await flow.progress()).approval!.challengeId };
    };

    test('a login as another user is reported to the app, and the flow continues with the right user', async () => {
      const { flow, email, challengeId } = await loggedOut();
      const otherUser = await begin();
      await mailed(otherUser.email, 1);
      await flow.provide('tokens', (await enter(otherUser.flow, otherUser.email)) as never, await stack.as('app'));
      await problemOf(flow, 155105);
      await stack.world.control.clearFaults();
      await flow.provide('tokens', (await enter(flow, email)) as never, await stack.as('app'));
      await until(async () => (await flow.progress()).restriction === undefined, 'the session to get the tokens');
      // The login is over, so reports of the app are about the challenge again.
      await flow.provide('clientError', { code: 155112 }, await stack.as('app'));
      await problemOf(flow, 155112);
      expect(await approveNext(stack, flow)).toBe(challengeId);
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
    });

    test('the browser gets the credentials for the second login, and the onboarding completes', async () => {
      const { flow, email, challengeId } = await loggedOut();
      await until(async () => (await deviceLoginOf(flow)).otpToken === (await mailsTo(email))[1]!.otpToken);
      await stack.world.control.clearFaults();
      await flow.provide('tokens', (await enter(flow, email)) as never, await stack.as('app'));
      await until(async () => (await flow.progress()).restriction === undefined, 'the session to get the tokens');
      expect(await approveNext(stack, flow)).toBe(challengeId);
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
    });
  });

  test('a repeated login that the API rejects while a challenge is open waits for an operator, then the flow completes', async () => {
    const { control } = stack.world;
    const { flow, email } = await begin();
    await mailed(email, 1);
    await until(async () => (await deviceLoginOf(flow)).otpToken !== undefined);
    const tokens = await enter(flow, email);
    await control.addFault({ operation: 'refreshUserToken', action: { status: 403, code: 155105 } });
    await control.addFault({ operation: 'getUserChallenge', action: { status: 403, code: 155104 } });
    const { id: faultId } = await control.addFault({
      operation: 'createEmailDeviceToken',
      action: { status: 400, code: 155135 },
    });
    await flow.provide('tokens', tokens as never, await stack.as('app'));
    expect(await attentionOf(flow)).toMatchObject({ code: 155135, options: [{ choice: 'retry' }] });
    const { challengeId } = (await flow.progress()).approval!;

    await control.removeFault(faultId);
    await flow.decide('retry', await stack.as('ops'));
    await mailed(email, 2);
    await control.clearFaults();
    await until(async () => (await deviceLoginOf(flow)).otpToken === (await mailsTo(email))[1]!.otpToken);
    await flow.provide('tokens', (await enter(flow, email)) as never, await stack.as('app'));
    await until(async () => (await flow.progress()).restriction === undefined, 'the session to get the tokens');
    expect(await approveNext(stack, flow)).toBe(challengeId);
    await stack.advance(10 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  describe('after a repeated login that the API rejects', () => {
    const REFUSAL = { code: 155135 };
    /** The user's tokens are dead, and no new login is possible. */
    const rejectLogins = async () => {
      const { control } = stack.world;
      await control.addFault({ operation: 'refreshUserToken', action: { status: 403, code: 155105 } });
      await control.addFault({ operation: 'createEmailDeviceToken', action: { status: 400, ...REFUSAL } });
    };
    const loggedIn = async (email: string, flow: Onboarding, mails = 1) => {
      await mailed(email, mails);
      await flow.provide('tokens', (await enter(flow, email)) as never, await stack.as('app'));
    };
    /** The question of the flow, after which logins are possible again. */
    const questionOf = async (flow: Onboarding) => {
      await until(async () => {
        await stack.advance(MINUTE);
        const { attention, outcome } = await flow.progress();
        return attention !== undefined || outcome !== undefined;
      }, 'the question');
      expect((await flow.progress()).outcome).toBeUndefined();
      const question = await attentionOf(flow);
      await stack.world.control.clearFaults();
      return question;
    };
    const logsInAgain = async (email: string, flow: Onboarding, choice: 'retry' | 'lookAgain', mails: number) => {
      await flow.decide(choice, await stack.as('ops'));
      await loggedIn(email, flow, mails);
      await until(async () => (await flow.progress()).restriction === undefined, 'the session to get the tokens');
    };

    test('the flow asks about wallets that the challenge does not name, and reports them', async () => {
      const { control } = stack.world;
      const change = { field: 'data.challenge.correlationIds', change: 'null' } as const;
      await control.addFault({ operation: 'getUserChallenge', action: change });
      await control.addFault({ operation: 'listWallets', action: { status: 403, code: 155104 } });
      const { flow, email } = await begin();
      await loggedIn(email, flow);
      await approveNext(stack, flow);
      await rejectLogins();
      expect(await questionOf(flow)).toMatchObject({ name: 'WalletsMissing' });
      await logsInAgain(email, flow, 'lookAgain', 2);
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { wallets: [{}] } });
    });

    test("the flow asks about the user's wallets that it cannot read, and goes on after the login", async () => {
      const { flow: earlier, email } = await begin();
      await mailed(email, 1);
      await completed(earlier, email);
      await stack.world.control.addFault({ operation: 'listWallets', action: { status: 403, code: 155104 } });
      const { flow } = await begin({ email });
      await mailed(email, 2);
      await rejectLogins();
      await loggedIn(email, flow, 2);
      expect(await questionOf(flow)).toMatchObject({ name: 'LoginEnded', ...REFUSAL, options: [{ choice: 'retry' }] });
      await logsInAgain(email, flow, 'retry', 3);
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { wallets: [{}] } });
    });

    test('the flow asks about a request with an unknown outcome, and does not say that nothing was made', async () => {
      const { control } = stack.world;
      await control.addFault({ operation: 'initializeUser', count: 1, action: { drop: 'after' } });
      await control.addFault({ operation: 'initializeUser', skip: 1, action: { status: 403, code: 155104 } });
      const { flow, email } = await begin();
      await mailed(email, 1);
      await rejectLogins();
      await loggedIn(email, flow);
      const { options } = await questionOf(flow);
      expect(options.map(({ choice }) => choice)).toEqual(['lookAgain', 'retry', 'giveUp']);
      await flow.decide('giveUp', await stack.as('ops'));
      await stack.advance(MINUTE);
      const remedy = expect.stringContaining('look up in the API whether initialize was carried out');
      expect(await flow.result()).toMatchObject({ status: 'failed', remedy });
    });
  });

  test('a login as another user than requested fails the flow', async () => {
    const { flow, email } = await begin({ userId: randomUUID() });
    await mailed(email, 1);
    await until(async () => (await deviceLoginOf(flow)).otpToken !== undefined);
    await flow.provide('tokens', (await enter(flow, email)) as never, await stack.as('app'));
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringContaining('another user') });
    expect(await requestsOf(stack.world, 'initializeUser')).toHaveLength(0);
  });

  test('the flow expires when the user does not log in by the deadline', async () => {
    const { flow, email } = await begin({ deadline: '2 days' });
    await mailed(email, 1);
    await stack.advance(2 * 24 * 60 * MINUTE + SECOND);
    expect(await flow.result()).toMatchObject({ status: 'expired', remedy: expect.stringContaining('new ref') });
    expect(await mailsTo(email)).toHaveLength(1);
  });
});
