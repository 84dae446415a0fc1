import { callsOf } from '../support/history';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Handle = Awaited<ReturnType<Stack['flows']['transfer']['start']>>;

/**
 * A cancel ends the flow before the point of no return. After it, the API is asked to cancel while the state permits it,
 * and the flow reports what really happened.
 */
describe('cancel', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({
      policies: {
        thrifty: [
          { version: 1, transfer: { feeLevel: 'LOW', stuck: 'ask', maxNetworkFee: { 'ETH-SEPOLIA': '0.000000001' } } },
        ],
        accelerating: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'accelerate' } }],
        limited: [
          { version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'accelerate', maxNetworkFee: { 'ETH-SEPOLIA': '1' } } },
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
  /** The next transaction is not in a block for two hours. */
  const confirmLate = () => stack.world.control.call('POST', '/transactions/next', { confirmAfterMs: 2 * HOUR });
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

  test('a cancel during the submission waits for its result, and then asks the API to cancel the transaction', async () => {
    await confirmLate();
    await fault({ delayMs: 3_000, when: 'after' });
    const flow = await start();
    await submitted();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the point of no return');
    await stack.advance(3_600_000);
    expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'ops' } });
    expect(await sentBy(stack.world, wallet.id)).toMatchObject([{ state: 'CANCELLED' }]);
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
  });

  test('a cancel during a submission with a lost reply leads to a look-up that finds the transaction', async () => {
    await confirmLate();
    await fault({ drop: 'after' });
    const flow = await start();
    await submitted();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the point of no return');
    await stack.advance(3_600_000);
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    expect(await sentBy(stack.world, wallet.id)).toMatchObject([{ state: 'CANCELLED' }]);
  });

  test('a cancel during a submission that never arrives ends the flow after a look-up', async () => {
    await stack.world.control.addFault({ operation: 'createTransfer', action: { drop: 'before' } });
    const flow = await start();
    await submitted();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await until(async () => (await callsOf(stack.flows.client, flow.workflowId, 'findTransaction')) > 0, 'the look-up');
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
    await until(async () => (await callsOf(stack.flows.client, flow.workflowId, 'findTransaction')) > 0, 'the look-up');
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
    for (const [problem, ...args] of [['argument: must be an object'], ['by: ', {}], ['by: ', { by: '' }]]) {
      await expect(
        workflow.getHandle(flow.workflowId).executeUpdate('cancel', { args: args as [object] }),
      ).rejects.toMatchObject({
        cause: { message: expect.stringContaining(problem as string) },
      });
    }
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    const { typedSearchAttributes } = await workflow.getHandle(flow.workflowId).describe();
    expect(typedSearchAttributes.getAll().map(({ key }) => key.name)).not.toContain('FlowAttention');
  });

  describe('after the submission', () => {
    const cancellations = () => requestsOf(stack.world, 'cancelTransaction');
    const ops = () => stack.as('ops');

    /** Starts a transfer whose transaction stays `SENT` for two hours, and waits until the flow follows it. */
    const sent = async (plan: object = { confirmAfterMs: 2 * HOUR }, policy?: string) => {
      await stack.world.control.call('POST', '/transactions/next', plan);
      const flow = await start(policy);
      await until(async () => (await flow.progress()).step === 'follow', 'the transaction');
      await stack.advance(MINUTE);
      return flow;
    };
    const reads = async (flow: Handle, state: string) => {
      const { transactionId } = (await flow.progress()).resources;
      const { transaction } = (await stack.api.getTransaction({ params: { id: transactionId! } })).data;
      expect(transaction.state).toBe(state);
    };
    const label = async (flow: Handle, state: string) => {
      const { transactionId } = (await flow.progress()).resources;
      await stack.world.control.call('POST', `/transactions/${transactionId}/label`, {
        state,
        durationMs: 10 * MINUTE,
      });
    };

    /** Starts a transfer whose transaction shows `INITIATED` for ten minutes. */
    const initiated = async () => {
      const flow = await sent();
      await label(flow, 'INITIATED');
      await reads(flow, 'INITIATED');
      return flow;
    };

    test('the API cancels a transaction that is not in a block yet, and the outcome says who asked and what remains', async () => {
      const flow = await sent();
      await reads(flow, 'SENT');
      expect(await flow.cancel(await ops())).toBe('undecided');
      expect(await flow.cancel(await stack.as('ops-2'))).toBe('undecided');
      await stack.advance(MINUTE);
      expect(await flow.result()).toMatchObject({
        status: 'cancelled',
        by: { subject: 'ops' },
        reason: 'cancelled by ops; the API has cancelled the transaction, and nothing was sent',
        result: { state: 'CANCELLED' },
      });
      expect(await sentBy(stack.world, wallet.id)).toMatchObject([{ state: 'CANCELLED' }]);
      expect(await cancellations()).toHaveLength(1);
    });

    test("Temporal's own cancel request asks the API as well", async () => {
      const flow = await sent();
      await stack.flows.client.workflow.getHandle(flow.workflowId).cancel();
      await stack.advance(MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'temporal' } });
      expect(await cancellations()).toHaveLength(1);
    });

    test('a lost reply of the cancellation is repeated with the same key', async () => {
      const flow = await sent();
      await stack.world.control.addFault({ operation: 'cancelTransaction', count: 1, action: { drop: 'after' } });
      await flow.cancel(await ops());
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
      expect(distinct(await cancellations(), 'idempotencyKey')).toHaveLength(1);
    });

    test('it is too late once the transaction is in a block, without a request to the API', async () => {
      const flow = await sent({ confirmAfterMs: 5_000 });
      await reads(flow, 'CONFIRMED');
      expect(await flow.cancel(await ops())).toBe('undecided');
      await until(async () => (await flow.progress()).cancelRequested?.tooLate === true, 'the answer of the API');
      expect(await flow.cancel(await ops())).toBe('tooLate');
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      expect((await flow.progress()).cancelRequested).toMatchObject({ by: { subject: 'ops' }, tooLate: true });
      expect(await cancellations()).toHaveLength(0);
    });

    test('a flow goes on if the API refuses, because the transaction was mined first', async () => {
      const flow = await sent();
      const refused = { status: 400, code: 155229, when: 'before' } as const;
      await stack.world.control.addFault({ operation: 'cancelTransaction', action: refused });
      expect(await flow.cancel(await ops())).toBe('undecided');
      await stack.advance(5 * MINUTE);
      expect(await flow.cancel(await ops())).toBe('tooLate');
      await stack.advance(3 * HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      expect(await cancellations()).toHaveLength(1);
    });

    test('in a state that will become cancellable, the flow waits before it asks the API', async () => {
      const flow = await sent();
      await label(flow, 'CLEARED');
      expect(await flow.cancel(await ops())).toBe('undecided');
      await stack.advance(5 * MINUTE);
      expect(await cancellations()).toHaveLength(0);
      await stack.advance(30 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
      expect(await cancellations()).toHaveLength(1);
    });

    test.each([155229, 155215])(
      'if the transaction changes before the API gets the request (%d), the flow asks again once it is queued',
      async (code) => {
        const flow = await initiated();
        // The API refuses the first request like one in CLEARED, and then shows that state.
        const refused = { status: 400, code, when: 'before' } as const;
        await stack.world.control.addFault({ operation: 'cancelTransaction', count: 1, action: refused });
        expect(await flow.cancel(await ops())).toBe('undecided');
        await until(async () => (await cancellations()).length > 0, 'the first request');
        await label(flow, 'CLEARED');
        await stack.advance(2 * MINUTE);
        expect(await cancellations()).toHaveLength(1);
        await label(flow, 'QUEUED');
        await stack.advance(5 * MINUTE);
        expect((await cancellations()).map(({ status }) => status)).toEqual([400, 201]);
        await stack.advance(30 * MINUTE);
        expect(await flow.result()).toMatchObject({ status: 'cancelled' });
        expect(await sentBy(stack.world, wallet.id)).toMatchObject([{ state: 'CANCELLED' }]);
      },
    );

    test('if the API refuses again after that, it is too late', async () => {
      const flow = await initiated();
      const refused = { status: 400, code: 155229, when: 'before' } as const;
      await stack.world.control.addFault({ operation: 'cancelTransaction', action: refused });
      expect(await flow.cancel(await ops())).toBe('undecided');
      await stack.advance(30 * MINUTE);
      expect(await flow.cancel(await ops())).toBe('tooLate');
      await stack.advance(3 * HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      expect(await cancellations()).toHaveLength(2);
    });

    test('a cancel answers the question about a stuck transaction', async () => {
      const flow = await sent({ stuck: true });
      await stack.advance(10 * MINUTE);
      expect(await attentionOf(flow)).toMatchObject({ name: 'TransactionStuck' });
      expect(await flow.cancel(await ops())).toBe('undecided');
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'ops' } });
      expect((await flow.progress()).attention).toBeUndefined();
    });

    test('a cancel answers the question of a refused acceleration', async () => {
      const refused = { status: 400, code: 155201 } as const;
      await stack.world.control.addFault({ operation: 'accelerateTransaction', action: refused });
      const flow = await sent({ stuck: true }, 'accelerating');
      await stack.advance(10 * MINUTE);
      expect(await attentionOf(flow)).toMatchObject({ code: 155201 });
      expect(await flow.cancel(await ops())).toBe('undecided');
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'ops' } });
    });

    test('a cancel while the flow reads the fee of an acceleration comes before the acceleration', async () => {
      await stack.world.control.addFault({ operation: 'getLowestNonceTransaction', action: { status: 503 } });
      const flow = await sent({ stuck: true }, 'limited');
      await stack.advance(MINUTE);
      await until(async () => (await requestsOf(stack.world, 'getLowestNonceTransaction')).length > 0, 'the read');
      expect(await flow.cancel(await ops())).toBe('undecided');
      await stack.world.control.clearFaults();
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
      expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(0);
    });

    test('the end of a stuck transaction answers the question about it', async () => {
      const flow = await sent({ stuck: true });
      const { transactionId } = (await flow.progress()).resources;
      await stack.advance(10 * MINUTE);
      expect(await attentionOf(flow)).toMatchObject({ name: 'TransactionStuck' });
      const reason = { errorReason: 'FAILED_ON_CHAIN' };
      await stack.world.control.call('POST', `/transactions/${transactionId}/fail`, reason);
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'failed', result: { state: 'FAILED' } });
      expect((await flow.progress()).messages).toBeUndefined();
    });

    test('a transaction that is stuck while the API cancels it is not accelerated unasked', async () => {
      const flow = await sent(undefined, 'accelerating');
      const { transactionId: id } = (await flow.progress()).resources;
      // The API accepts the cancellation, which is not mined yet.
      const accepted = { status: 200, body: { data: { id, state: 'SENT' } } };
      await stack.world.control.addFault({ operation: 'cancelTransaction', action: accepted });
      await flow.cancel(await ops());
      await until(async () => (await cancellations()).length > 0, 'the cancellation');
      await stack.world.control.call('POST', `/transactions/${id}/stick`);
      await stack.advance(HOUR);
      expect(await attentionOf(flow)).toMatchObject({ name: 'TransactionStuck' });
      expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(0);
      await stack.world.control.clearFaults();
      await flow.decide('cancelTransaction', await ops());
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'ops' } });
      expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(0);
    });

    test('a cancelled transaction that fails instead is reported as failed', async () => {
      const flow = await sent();
      const { transactionId } = (await flow.progress()).resources;
      await stack.world.control.setSpeed(0);
      await flow.cancel(await ops());
      await until(async () => (await cancellations()).length > 0, 'the cancellation');
      await stack.world.control.call('POST', `/transactions/${transactionId}/fail`, { errorReason: 'INTERNAL_ERROR' });
      await stack.world.control.setSpeed(1);
      await stack.advance(10 * MINUTE);
      expect(await flow.result()).toMatchObject({ status: 'failed', reason: 'INTERNAL_ERROR' });
      expect((await flow.progress()).cancelRequested).toMatchObject({ tooLate: true });
    });
  });
});
