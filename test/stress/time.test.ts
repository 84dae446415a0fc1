import { callsOf, comparableEvents } from '../support/history';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Runs in virtual time, which the world and the flows share: docs/architecture.md#virtual-time. */
describe('waiting', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({
      policies: {
        patient: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask' } }],
        'two-days': [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask', unresolvedAfter: '2 days' } }],
      },
    });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: null });
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  const historyOf = (workflowId: string) => stack.flows.client.workflow.getHandle(workflowId).fetchHistory();

  async function transferConfirmedAfter(milliseconds: number, policy: string) {
    await stack.world.control.call('POST', `/chains/${wallet.blockchain}/pace`, { confirmAfterMs: milliseconds });
    const flow = await stack.flows.transfer.start(transferOf(wallet, { policy }));
    await until(async () => (await requestsOf(stack.world, 'createTransfer')).length === 1, 'the submission');
    await stack.advance(milliseconds * 1.7 + DAY);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    const reads = (await requestsOf(stack.world, 'getTransaction')).map(({ at }) => Date.parse(at));
    return { history: await historyOf(flow.workflowId), reads };
  }

  test('a minute and thirty days leave the same history, and the reads become rare', async () => {
    const minute = await transferConfirmedAfter(MINUTE, 'patient');
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
    const month = await transferConfirmedAfter(30 * DAY, 'patient');
    expect(comparableEvents(month.history)).toEqual(comparableEvents(minute.history));
    const gaps = month.reads.slice(1).map((at, index) => at - month.reads[index]!);
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(12 * HOUR);
    expect(month.reads.length).toBeLessThan(80);
  });

  test('a flow past unresolvedAfter is unresolved, a second start finds it, and it completes', async () => {
    await stack.world.control.call('POST', `/chains/${wallet.blockchain}/pace`, { confirmAfterMs: 5 * DAY });
    const input = transferOf(wallet, { policy: 'two-days' });
    const flow = await stack.flows.transfer.start(input);
    await until(async () => (await requestsOf(stack.world, 'createTransfer')).length === 1, 'the submission');
    await stack.advance(3 * DAY);
    expect(await flow.progress()).toMatchObject({ unresolved: true, step: 'follow' });
    expect((await flow.progress()).outcome).toBeUndefined();
    const again = await stack.flows.transfer.start(input);
    expect(again.created).toBe(false);
    await stack.advance(6 * DAY);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('after longer than the idempotency key is valid, the flow looks up the transaction instead of resending', async () => {
    const operation = 'createTransfer';
    await stack.world.control.addFault({ operation, count: 1, action: { drop: 'after' } });
    await stack.world.control.addFault({ operation, skip: 1, action: { status: 503, when: 'before' } });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await until(async () => (await requestsOf(stack.world, operation)).length >= 2, 'the second attempt');
    await stack.advance(2 * HOUR);
    const sent = (await requestsOf(stack.world, operation)).length;
    await stack.advance(DAY);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, operation)).toHaveLength(sent);
    expect(await callsOf(stack.flows.client, flow.workflowId, 'findTransaction')).toBe(1);
    expect(distinct(await requestsOf(stack.world, operation), 'idempotencyKey')).toHaveLength(1);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('an idempotency key used elsewhere leads to a bounded number of look-ups, then to attention', async () => {
    await stack.world.control.addFault({
      operation: 'createTransfer',
      action: { status: 403, code: 156020, when: 'before' },
    });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await until(async () => (await callsOf(stack.flows.client, flow.workflowId, 'findTransaction')) > 0, 'the look-up');
    await stack.advance(120_000);
    const attention = await attentionOf(flow);
    expect(attention).toMatchObject({
      code: 156020,
      options: [{ choice: 'lookAgain' }, { choice: 'retry' }, { choice: 'giveUp' }],
    });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
    expect(await callsOf(stack.flows.client, flow.workflowId, 'findTransaction')).toBe(4);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
    await stack.world.control.clearFaults();
    await flow.decide('retry', await stack.as('ops'));
    await stack.advance(DAY);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(distinct(await requestsOf(stack.world, 'createTransfer'), 'idempotencyKey')).toHaveLength(2);
  });
});
