import { randomUUID } from 'node:crypto';
import { sealer } from '../../src/crypto/sealing';
import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/ref';
import { FlowHandle } from '../../src/flows/handle';
import { startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';

const SECOND = 1_000;

describe('progress', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  test('of a flow that has ended says when', async () => {
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack), { policy: 'unknown' }));
    await flow.result();
    const { closeTime } = await stack.flows.client.workflow.getHandle(flow.workflowId).describe();
    const { outcome, endedAt } = await flow.progress();
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(Math.abs(Date.parse(endedAt!) - closeTime!.getTime())).toBeLessThan(SECOND);
  });

  test('of a flow whose workflow task fails says that workers are there, with code that does not fit', async () => {
    const { client } = stack.flows;
    const { entity } = stack;
    const ref = randomUUID();
    const id = workflowId({ entity: entity.name, flow: 'unknownToWorkers', ref });
    const workflow = await client.workflow.start('unknownToWorkers', {
      workflowId: id,
      taskQueue: flowQueue(entity.name),
    });
    const flow = new FlowHandle<unknown>({ client, sealer: sealer(stack.sealingKeys) }, id, ref);
    await until(async () => (await flow.progress()).waitingFor?.startsWith('a worker with fixed code') === true);
    await workflow.terminate();
    expect(await flow.progress()).toMatchObject({ steps: [], endedAt: expect.any(String) });
  });
});
