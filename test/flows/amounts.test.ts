import type { temporal } from '@temporalio/proto';
import { callsOf, resetToStart } from '../support/history';
import { sentBy } from '../support/journal';
import { decryptedArguments } from '../support/secrets';
import { reportedBy } from '../support/outcomes';
import { type Stack, startStack } from '../support/stack';
import { RECIPIENT, transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const HOUR = 3_600_000;

/** What the flow asked for is compared with what the API has, and the outcome reports what the API has. */
describe('the amounts of a transfer', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  async function submitted() {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { amount: '10.50' }));
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    return { flow, id: (await flow.progress()).resources.transactionId! };
  }

  /** Completes the transfer, then resets it. The new run looks it up. */
  async function resetWith(listedAmounts: string[]) {
    const { flow, id } = await submitted();
    await stack.advance(HOUR);
    await flow.result();
    const query = { walletIds: wallet.id, txType: 'OUTBOUND' } as const;
    const [transaction] = (await stack.api.listTransactions({ query })).data.transactions!;
    const body = { data: { transactions: [{ ...transaction, amounts: listedAmounts }] } };
    await stack.world.control.addFault({ operation: 'listTransactions', action: { status: 200, body } });
    const lookups = () => callsOf(stack.flows.client, flow.workflowId, 'findTransaction');
    const before = await lookups();
    await resetToStart(stack.flows.client, flow.workflowId);
    await until(async () => (await lookups()) > before, 'the lookup of the second run');
    return { flow, id };
  }

  /** Submits a transfer whose transaction then reads as complete, with these amounts. */
  async function completedWith(amounts: string[]) {
    const { flow, id } = await submitted();
    const { transaction } = (await stack.api.getTransaction({ params: { id } })).data;
    const body = { data: { transaction: { ...transaction, state: 'COMPLETE', amounts } } };
    await stack.world.control.addFault({ operation: 'getTransaction', action: { status: 200, body } });
    await stack.advance(HOUR);
    return { flow, id };
  }

  test('the outcome reports the amounts of the API in the form of the API', async () => {
    const { flow, id } = await completedWith(['10.5']);
    expect(await flow.result()).toMatchObject({
      status: 'completed',
      result: { transactionId: id, amounts: ['10.5'] },
    });
  });

  test.each([[['9.75']], [['4', '6.5']], [[]]])(
    'the amounts %j are not what was sent and need a decision',
    async (amounts) => {
      const { flow } = await completedWith(amounts);
      expect(await attentionOf(flow)).toMatchObject({
        name: 'UnexpectedTransaction',
        reason: expect.stringMatching(/differs in amounts$/),
        options: [{ choice: 'retry' }, { choice: 'giveUp' }],
      });
      await stack.world.control.clearFaults();
      await flow.decide('retry', await stack.as('ops'));
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { amounts: ['10.50'] } });
    },
  );

  test('the outcome reports no amounts if the API reports none', async () => {
    const { flow, id } = await submitted();
    const { transaction } = (await stack.api.getTransaction({ params: { id } })).data;
    const { amounts: _, ...rest } = transaction;
    const body = { data: { transaction: { ...rest, state: 'COMPLETE' } } };
    await stack.world.control.addFault({ operation: 'getTransaction', action: { status: 200, body } });
    await stack.advance(HOUR);
    const outcome = await flow.result();
    expect(outcome.status).toBe('completed');
    expect(reportedBy(outcome)).not.toHaveProperty('amounts');
  });

  test('a lookup adopts a transaction with the same amount in another form', async () => {
    const { flow, id } = await resetWith(['10.500']);
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the adoption');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
    await stack.world.control.clearFaults();
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test.each([[['9.75']], [['10.50', '1']], [[]]])(
    'a lookup that finds the amounts %j asks for a decision, and nothing is sent again',
    async (amounts) => {
      const { flow, id } = await resetWith(amounts);
      await stack.advance(HOUR);
      expect(await attentionOf(flow)).toMatchObject({
        reason: expect.stringContaining('it is unknown whether submit was carried out'),
        options: [{ choice: 'lookAgain' }, { choice: 'retry' }, { choice: 'giveUp' }],
      });
      await stack.world.control.clearFaults();
      await flow.decide('lookAgain', await stack.as('ops'));
      await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the adoption');
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ result: { transactionId: id, amounts: ['10.50'] } });
      expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
    },
  );

  test('the estimate, the request and the lookup name the same movement', async () => {
    const { flow } = await resetWith(['10.5']);
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the adoption');
    const movement = {
      walletId: wallet.id,
      tokenId: wallet.usdcId,
      destinationAddress: RECIPIENT,
      amounts: ['10.50'],
    };
    const inputs = await activityInputs(flow.workflowId);
    expect(inputs.get('estimateTransferFee')).toEqual([movement, ['MEDIUM']]);
    expect(inputs.get('createTransfer')?.[1]).toEqual({ ...movement, feeLevel: 'MEDIUM' });
    expect(inputs.get('findTransaction')?.[1]).toEqual({ ...movement, blockchain: wallet.blockchain });
  });

  /** The arguments of the flow's activities, by name. */
  async function activityInputs(workflowId: string): Promise<Map<string, unknown[]>> {
    const { events } = await stack.flows.client.workflow.getHandle(workflowId).fetchHistory();
    const scheduled = (events as temporal.api.history.v1.IHistoryEvent[]).flatMap(
      ({ activityTaskScheduledEventAttributes: attributes }) => attributes ?? [],
    );
    const decoded = scheduled.map(
      async ({ activityType, input }) =>
        [activityType!.name!, await decryptedArguments(input?.payloads ?? [], stack.keyRing)] as const,
    );
    return new Map(await Promise.all(decoded));
  }
});
