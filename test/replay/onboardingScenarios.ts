import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { LoginCredentials } from '../../src/domain/approvalCredentials';
import { approveNext, byEmail, byPin, bySocial, deviceLoginOf, type Onboarding } from '../support/onboarding';
import type { Stack } from '../support/stack';
import { until } from '../support/until';
import { challengeOf } from '../support/users';
import { attention, ended } from './moments';
import type { RunScenario } from './runScenario';

/** Scenarios of `onboardUser`. Keys: `onboardUser.<scenario>`. */
export const ONBOARDING_SCENARIOS: Record<string, RunScenario> = {
  'onboardUser.completedByPin': async (stack) => {
    const flow = await stack.flows.onboardUser.start(byPin({ fund: { native: true } }));
    await approveNext(stack, flow);
    return ended(stack, flow, { status: 'completed' });
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
    return loggedIn(stack, flow, '/otp/verify', { ...login, otp });
  },
  'onboardUser.completedBySocialLogin': async (stack) => {
    const flow = await stack.flows.onboardUser.start(bySocial());
    await until(async () => 'deviceToken' in (await deviceLoginOf(flow)));
    const login = { ...(await deviceLoginOf(flow)), provider: 'Google', account: randomUUID() };
    return loggedIn(stack, flow, '/socialLogin', login);
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
    await approveNext(stack, flow);
    return ended(stack, flow, { status: 'completed' });
  },
};

/** The user logs in with the browser and approves. */
async function loggedIn(stack: Stack, flow: Onboarding, control: string, login: object): Promise<FlowHandle<unknown>> {
  const tokens = await stack.world.control.call('POST', control, login);
  await flow.provide('tokens', tokens as never, await stack.as('app'));
  await approveNext(stack, flow);
  return ended(stack, flow, { status: 'completed' });
}
