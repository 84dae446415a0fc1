import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FlowInterruptedError } from '../../src';
import { temporalBinary } from '../../src/dev/temporalBinary';
import { sentBy } from '../support/journal';
import { type Stack, startStack, TEMPORAL } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet } from '../support/wallets';

const MINUTE = 60_000;

/** Runs the command that a remedy names, in the namespace of the tests. */
async function runCommand(remedy: string): Promise<void> {
  const [, ...args] = /temporal workflow reset .*$/.exec(remedy)![0].replace('<why>', 'test').split(' ');
  const binary = await temporalBinary(() => {});
  await promisify(execFile)(binary, [...args, '--address', TEMPORAL.address, '--namespace', TEMPORAL.namespace]);
}

describe('a flow that was terminated', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  const terminate = (flow: { workflowId: string }) =>
    stack.flows.client.workflow.getHandle(flow.workflowId).terminate('by "mistake"');

  test('says so to a start, in its progress and as its result, and goes on after the reset that it names', async () => {
    const wallet = await fundedWallet(stack);
    const input = transferOf(wallet);
    const flow = await stack.flows.transfer.start(input);
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    await terminate(flow);

    const errors = await Promise.all([
      stack.flows.transfer.start(input).catch((error: unknown) => error),
      flow.result().catch((error: unknown) => error),
    ]);
    for (const error of errors) expect(error).toBeInstanceOf(FlowInterruptedError);
    const { interruption, steps, resources, endedAt, ...progress } = await flow.progress();
    expect(errors).toMatchObject([{ interruption }, { interruption }]);
    expect(interruption).toMatchObject({
      status: 'terminated',
      reason: 'the flow was terminated in Temporal: "by \\"mistake\\""',
    });
    expect(steps.at(-1)).toMatchObject({ name: 'follow', state: 'active' });
    expect(resources.transactionId).toBeDefined();
    expect(endedAt).toBeDefined();
    expect(progress).not.toHaveProperty('outcome');

    await runCommand(interruption!.remedy);
    await stack.advance(10 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const again = await stack.flows.transfer.start(input);
    expect(again.created).toBe(false);
    expect(await again.progress()).not.toHaveProperty('interruption');
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('accepts no message, and asks for its decision again after the reset', async () => {
    const wallet = await fundedWallet(stack);
    const flow = await stack.flows.transfer.start(transferOf(wallet, { amount: '1000000' }));
    await attentionOf(flow);
    await terminate(flow);
    const by = await stack.as('ops');
    await expect(flow.decide('giveUp', by)).rejects.toThrow(/has ended/);
    const { interruption, attention } = await flow.progress();
    expect(attention).toBeUndefined();
    await runCommand(interruption!.remedy);
    await attentionOf(flow);
    await flow.decide('giveUp', by);
    expect(await flow.result()).toMatchObject({ status: 'failed' });
  });
});
