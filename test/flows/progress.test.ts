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
