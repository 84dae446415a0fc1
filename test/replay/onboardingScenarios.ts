import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { LoginCredentials } from '../../src/domain/approvalCredentials';
import { approveNext, byEmail, byPin, bySocial, deviceLoginOf, type Onboarding } from '../support/onboarding';
import type { Stack } from '../support/stack';
import { until } from '../support/until';
import { challengeOf, sessionOf } from '../support/users';
import { attention, ended, fault, restricted } from './moments';
import type { RunScenario } from './runScenario';

/** Scenarios of `onboardUser`, and of the session of a user who logs in. Keys: `<workflow type>.<scenario>`. */
export const ONBOARDING_SCENARIOS: Record<string, RunScenario> = {
  'onboardUser.completedByPin': async (stack) => {
    const flow = await stack.flows.onboardUser.start(byPin({ fund: { native: true } }));
    return approved(stack, flow);
  },
  'onboardUser.completedByEmail': async (stack) => {
    const flow = await stack.flows.onboardUser.start(byEmail());
    let login: Partial<LoginCredentials> = {};
    await until(async () => (login = await deviceLoginOf(flow)).otpToken !== undefined);
    const { otpToken: replaced } = login;
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await until(async () => (login = await deviceLoginOf(flow)).otpToken !== replaced);
    const { mails } = await stack.world.control.call<{ mails: { otpToken: string; code: string }[] }>('GET', '/mails');
    const otp = mails.find(({ otpToken }) => otpToken === login.otpToken)!.code;
    await provideTokens(stack, flow, { path: '/otp/verify', body: { ...login, otp } });
    return approved(stack, flow);
  },
  'onboardUser.completedBySocialLogin': async (stack) => {
    const flow = await stack.flows.onboardUser.start(bySocial());
    await provideTokens(stack, flow, await socialLogin(flow, randomUUID()));
    return approved(stack, flow);
  },
  'onboardUser.loggedInAgain': async (stack) => (await loggedInAgain(stack)).flow,
  'userSession.loggedInAgain': async (stack) => ({
    workflowId: sessionOf(stack, (await loggedInAgain(stack)).userId),
  }),
  'userSession.tokensRenewed': async (stack) => {
    await fault(stack, 'listUserChallenges', { status: 403, code: 155104 });
    const flow = await stack.flows.onboardUser.start(bySocial());
    await provideTokens(stack, flow, await socialLogin(flow, randomUUID()));
    await approved(stack, flow);
    return { workflowId: sessionOf(stack, (await flow.progress()).resources.userId!) };
  },
  'onboardUser.lostReplyAdopted': async (stack) => {
    await fault(stack, 'createUser', { drop: 'after' });
    const flow = await stack.flows.onboardUser.start(byPin());
    return approved(stack, flow);
  },
  'onboardUser.waitingForApproval': async (stack) => {
    const flow = await stack.flows.onboardUser.start(byPin());
    await challengeOf(flow);
    return flow;
  },
  'onboardUser.declined': async (stack) => {
    const flow = await stack.flows.onboardUser.start(byPin());
    await stack.world.control.call('POST', `/challenges/${await challengeOf(flow)}/reject`);
    return ended(stack, flow, { status: 'denied', code: 155701 });
  },
  'onboardUser.expired': async (stack) => {
    const flow = await stack.flows.onboardUser.start(byPin({ deadline: '30 minutes' }));
    await challengeOf(flow);
    return ended(stack, flow, { status: 'expired' });
  },
  'onboardUser.adopted': async (stack) => {
    const userId = `user-${randomUUID()}`;
    await stack.api.createUser({ body: { userId } });
    const flow = await stack.flows.onboardUser.start(byPin({ userId }));
    await attention(stack, flow, 155101);
    await flow.decide('adopt', await stack.as('ops'));
    return approved(stack, flow);
  },
};

/** A control of the emulator that plays the login in the browser. */
interface BrowserLogin {
  path: string;
  body: object;
}

async function socialLogin(flow: Onboarding, account: string): Promise<BrowserLogin> {
  let login: Partial<LoginCredentials> = {};
  await until(async () => (login = await deviceLoginOf(flow)).deviceToken !== undefined, 'the login');
  return { path: '/socialLogin', body: { ...login, provider: 'Google', account } };
}

async function provideTokens(stack: Stack, flow: Onboarding, { path, body }: BrowserLogin): Promise<void> {
  const tokens = await stack.world.control.call('POST', path, body);
  await flow.provide('tokens', tokens as never, await stack.as('app'));
}

async function approved(stack: Stack, flow: Onboarding): Promise<FlowHandle<unknown>> {
  await approveNext(stack, flow);
  return ended(stack, flow, { status: 'completed' });
}

/** The API refuses the user's tokens and their renewal, so the user logs in again. */
async function loggedInAgain(stack: Stack) {
  const { control } = stack.world;
  const account = randomUUID();
  await control.addFault({ operation: 'refreshUserToken', action: { status: 403, code: 155105 } });
  await control.addFault({ operation: 'getUserChallenge', action: { status: 403, code: 155104 } });
  const flow = await stack.flows.onboardUser.start(bySocial());
  await provideTokens(stack, flow, await socialLogin(flow, account));
  await restricted(flow, 'loggedOut');
  const again = await socialLogin(flow, account);
  await control.clearFaults();
  await provideTokens(stack, flow, again);
  await restricted(flow, undefined);
  await approved(stack, flow);
  return { flow, userId: (await flow.progress()).resources.userId! };
}
