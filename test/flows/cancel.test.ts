import { requestsOf, sentBy } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** A cancel ends the flow before the point of no return. After it, the flow continues and reports what really happened. */
describe('cancel', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({
      policies: {
        thrifty: [
          { version: 1, transfer: { feeLevel: 'LOW', stuck: 'ask', maxNetworkFee: { 'ETH-SEPOLIA': '0.000000001' } } },
        ],
      },
    });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  const start = (policy?: string) => stack.flows.transfer.start(transferOf(wallet, { policy }));
  const submitted = () =>
    until(async () => (await requestsOf(stack.world, 'createTransfer')).length > 0, 'the submission');
  const fault = (action: object) =>
    stack.world.control.addFault({ operation: 'createTransfer', count: 1, action: action as never });

  test('a cancel at the gate ends the flow before anything is sent, and a second cancel is rejected', async () => {
    const flow = await start('thrifty');
    expect(await attentionOf(flow)).toMatchObject({
      options: [{ choice: 'retry' }, { choice: 'acceptFee' }, { choice: 'giveUp' }],
    });
    expect(await flow.cancel(await stack.as('ops-7'))).toBe('accepted');
    expect(await flow.result()).toMatchObject({ status: 'cancelled', reason: expect.stringContaining('ops-7') });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(0);
    await expect(flow.cancel(await stack.as('ops-7'))).rejects.toThrow(/has ended/);
  });

  test("Temporal's own cancel request ends the flow and names the subject temporal", async () => {
    const flow = await start('thrifty');
    await attentionOf(flow);
    await stack.flows.client.workflow.getHandle(flow.workflowId).cancel();
    expect(await flow.result()).toMatchObject({ status: 'cancelled', reason: expect.stringContaining('temporal') });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(0);
  });

  test('a cancel during the submission waits for its result, and the flow follows the transaction to its end', async () => {
    await fault({ delayMs: 3_000, when: 'after' });
    const flow = await start();
    await submitted();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the point of no return');
    expect(await flow.cancel(await stack.as('ops'))).toBe('tooLate');
    await stack.advance(3_600_000);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
  });

  test('a cancel during a submission with a lost reply leads to a look-up that finds the transaction', async () => {
    await fault({ drop: 'after' });
    const flow = await start();
    await submitted();
    expect(['undecided', 'tooLate']).toContain(await flow.cancel(await stack.as('ops')));
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the point of no return');
    await stack.advance(3_600_000);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('a cancel during a submission that never arrives ends the flow after a look-up', async () => {
    await stack.world.control.addFault({ operation: 'createTransfer', action: { drop: 'before' } });
    const flow = await start();
    await submitted();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await until(async () => (await requestsOf(stack.world, 'listTransactions')).length > 0, 'the look-up');
    await stack.advance(3_600_000);
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
  });

  test('a cancel with an unknown outcome and failing look-ups asks for a decision instead of ending the flow', async () => {
    await stack.world.control.addFault({ operation: 'createTransfer', count: 1, action: { drop: 'before' } });
    await stack.world.control.addFault({ operation: 'createTransfer', skip: 1, action: { drop: 'before' } });
    await stack.world.control.addFault({
      operation: 'listTransactions',
      count: 3,
      action: { status: 400, code: 155999 },
    });
    const flow = await start();
    await submitted();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await until(async () => (await requestsOf(stack.world, 'listTransactions')).length > 0, 'the look-up');
    await stack.advance(3_600_000);
    // Failed look-ups prove nothing, so an operator has to decide.
    expect(await attentionOf(flow)).toMatchObject({
      options: [{ choice: 'lookAgain' }, { choice: 'retry' }, { choice: 'giveUp' }],
    });
    await flow.decide('lookAgain', await stack.as('ops'));
    await stack.advance(3_600_000);
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({
      status: 'failed',
      remedy: 'look up in the API whether submit was carried out, before you start another flow for it',
    });
  });

  test('a cancel without a subject is rejected and changes nothing', async () => {
    const flow = await start('thrifty');
    await attentionOf(flow);
    const { workflow } = stack.flows.client;
    for (const args of [[], [{}], [{ by: '' }]]) {
      await expect(
        workflow.getHandle(flow.workflowId).executeUpdate('cancel', { args: args as [object] }),
      ).rejects.toMatchObject({
        cause: { message: expect.stringContaining('by:') },
      });
    }
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    const { typedSearchAttributes } = await workflow.getHandle(flow.workflowId).describe();
    expect(typedSearchAttributes.getAll().map(({ key }) => key.name)).not.toContain('FlowAttention');
  });

  test('a cancel after the submission is too late, and the flow completes', async () => {
    const flow = await start();
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the point of no return');
    expect(await flow.cancel(await stack.as('ops'))).toBe('tooLate');
    await stack.flows.client.workflow.getHandle(flow.workflowId).cancel();
    await stack.advance(3_600_000);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });
});
