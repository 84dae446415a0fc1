import { requestsOf } from '../support/journal';
import { approveNext, byEmail, deviceLoginOf } from '../support/onboarding';
import { canariesIn, rawHistory } from '../support/secrets';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';

const MINUTE = 60_000;

/** No history, log, metric or id contains email addresses, tokens, encryption keys or one-time passwords. */
describe('secrets of an onboarding', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  test('an onboarding by email with a resend leaves no secret in histories, log, metrics or ids', async () => {
    const input = byEmail() as ReturnType<typeof byEmail> & { email: string };
    const flow = await stack.flows.onboardUser.start(input);
    const mails = async () =>
      (await stack.world.control.call<{ mails: { code: string; otpToken: string }[] }>('GET', '/mails')).mails;
    await until(async () => (await deviceLoginOf(flow)).otpToken !== undefined);
    const first = await deviceLoginOf(flow);
    await flow.provide('resendOtp', {}, await stack.as('app'));
    await until(async () => (await deviceLoginOf(flow)).otpToken !== first.otpToken);
    const login = await deviceLoginOf(flow);
    const otp = (await mails()).at(-1)!.code;
    const tokens = await stack.world.control.call<Record<string, string>>('POST', '/otp/verify', { ...login, otp });
    await flow.provide('tokens', tokens as never, await stack.as('app'));
    await approveNext(stack, flow);
    const session = (await flow.progress()).approval?.session;
    await stack.advance(10 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'resendOtp')).toHaveLength(1);

    const canaries = [
      input.email,
      ...Object.values(first),
      ...Object.values(login),
      ...Object.values(tokens),
    ] as string[];
    expect(canaries.length).toBeGreaterThanOrEqual(9);
    const ids = [flow.workflowId, ...stack.advancedWorkflows];
    const histories = ids.map((id) => rawHistory(stack.flows.client, id));
    if (session) histories.push(rawHistory(stack.flows.client, session));
    const texts = [...(await Promise.all(histories)), stack.log.join(''), await stack.metrics.text(), ids.join(' ')];
    for (const text of texts) expect(canariesIn(text, canaries)).toEqual([]);
  });
});
