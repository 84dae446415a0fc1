import { randomUUID } from 'node:crypto';
import { byEmail } from '../support/onboarding';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { startTestFlow } from '../support/users';
import { fundedWallet } from '../support/wallets';

const SECOND = 1_000;

describe('progress', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  test('shows the input, also after the end', async () => {
    const { ref, ...input } = transferOf(await fundedWallet(stack), { deadline: '3 days' });
    // A developer wallet does not wait for a user, so the deadline fails the flow.
    const flow = await stack.flows.transfer.start({ ref, ...input });
    const shown = { ...input, deadline: 3 * 24 * 60 * 60 * SECOND };
    expect((await flow.progress()).input).toEqual(shown);
    expect(await flow.result()).toMatchObject({ status: 'failed' });
    expect((await flow.progress()).input).toEqual(shown);
  });

  test('shows a sealed field of the input as sealed, without its ciphertext', async () => {
    const email = `${randomUUID()}@example.com`;
    const { ref, ...input } = byEmail({ email });
    const flow = await stack.flows.onboardUser.start({ ref, ...input } as ReturnType<typeof byEmail>);
    const progress = await flow.progress();
    const wallets = [{ blockchains: ['ETH-SEPOLIA'], accountType: 'EOA' }];
    expect(progress.input).toEqual({ ...input, email: { sealed: true }, wallets });
    const text = JSON.stringify(progress);
    for (const secret of [email, 'ciphertext', '$sealed']) expect(text).not.toContain(secret);
    await flow.cancel(await stack.as('ops'));
  });

  test('shows when a flow ended', async () => {
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack), { policy: 'unknown' }));
    await flow.result();
    const { closeTime } = await stack.flows.client.workflow.getHandle(flow.workflowId).describe();
    const { outcome, endedAt } = await flow.progress();
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(Math.abs(Date.parse(endedAt!) - closeTime!.getTime())).toBeLessThan(SECOND);
  });

  test('says that the flow waits for fixed code when its workflow task fails', async () => {
    const flow = await startTestFlow(stack, 'unknownToWorkers', {});
    await until(async () => (await flow.progress()).waitingFor?.startsWith('a worker with fixed code') === true);
    await stack.flows.client.workflow.getHandle(flow.workflowId).terminate();
    expect(await flow.progress()).toMatchObject({ steps: [], endedAt: expect.any(String) });
  });
});
