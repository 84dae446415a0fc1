import { resetToLastCall, resetToStart } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const HOUR = 3_600_000;
/** Testnet addresses with this ending are on the sanctions blocklist (docs/api-behavior.md#screening). */
const SANCTIONED = '0x1111111111111111111111111111111111119999';

describe('outcomes of a transfer', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    wallet = await fundedWallet(stack);
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });

  /** Starts a transfer and waits for its submission. @returns the flow and the id of its transaction */
  async function submitted(more: Parameters<typeof transferOf>[1] = {}) {
    const flow = await stack.flows.transfer.start(transferOf(wallet, more));
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    return { flow, id: (await flow.progress()).resources.transactionId! };
  }
  const control = (action: string, id: string, body?: object) =>
    stack.world.control.call('POST', `/transactions/${id}/${action}`, body);

  test('a transaction that fails on the chain fails the flow with the reason of the API', async () => {
    const { flow, id } = await submitted();
    await control('fail', id, { errorReason: 'FAILED_ON_CHAIN', errorDetails: 'reverted' });
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({
      status: 'failed',
      reason: 'FAILED_ON_CHAIN',
      remedy: 'reverted',
      result: { transactionId: id, state: 'FAILED' },
    });
  });

  test('a denied transaction ends the flow as denied', async () => {
    const { flow, id } = await submitted();
    await control('deny', id);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'denied', result: { state: 'DENIED' } });
  });

  test('a transaction that screening denies keeps the evaluation in the outcome, and nowhere else', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { to: SANCTIONED }));
    await stack.advance(HOUR);
    const outcome = await flow.result();
    expect(outcome).toMatchObject({
      status: 'denied',
      remedy: 'this is final; do not send it again',
      screening: {
        ruleName: "Circle's Sanctions Blocklist",
        actions: ['DENY', 'REVIEW', 'FREEZE_WALLET'],
        reasons: [{ source: 'ADDRESS', riskScore: 'BLOCKLIST', riskCategories: ['SANCTIONS'], type: 'OWNERSHIP' }],
      },
    });
    expect(JSON.stringify('screening' in outcome && outcome.screening)).not.toContain(SANCTIONED);
    const seen = JSON.stringify([await flow.progress(), stack.log]);
    expect(seen).toContain('denied');
    for (const word of ["Circle's Sanctions Blocklist", 'BLOCKLIST', 'SANCTIONS']) expect(seen).not.toContain(word);
  });

  test('an operator accelerates a stuck transaction, and the flow completes', async () => {
    const { flow, id } = await submitted();
    await control('stick', id);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      options: [{ choice: 'accelerate' }, { choice: 'cancelTransaction' }, { choice: 'keepWaiting' }],
    });
    await flow.decide('accelerate', await stack.as('ops'));
    await until(async () => (await requestsOf(stack.world, 'accelerateTransaction')).length === 1, 'the acceleration');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
  });

  test('a reset after the end adopts the transaction and sends nothing again', async () => {
    const { flow, id } = await submitted();
    await stack.advance(HOUR);
    await flow.result();
    await resetToStart(stack.flows.client, flow.workflowId);
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the adoption');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('a reset to a point after a decision repeats what the flow did before it, and adopts the transaction', async () => {
    const fault = {
      operation: 'createTransfer',
      count: 1,
      action: { status: 400, code: 155201, when: 'before' },
    } as const;
    await stack.world.control.addFault(fault);
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await attentionOf(flow);
    await flow.decide('retry', await stack.as('ops'));
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    await stack.advance(HOUR);
    await flow.result();
    await resetToLastCall(stack.flows.client, flow.workflowId, 'createTransfer');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(2);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('an unknown transaction state does not end the flow and is logged once', async () => {
    const { flow, id } = await submitted();
    await control('label', id, { state: 'SOMETHING_NEW', durationMs: 60_000 });
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(stack.log.filter((line) => line.includes('SOMETHING_NEW'))).toHaveLength(1);
  });

  test('a transaction that the API no longer returns asks for a decision and does not end the flow', async () => {
    const { flow, id } = await submitted();
    const operation = 'getTransaction';
    const { id: fault } = await stack.world.control.addFault({ operation, action: { status: 400, code: 156009 } });
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({ code: 156009, options: [{ choice: 'retry' }] });
    await stack.world.control.removeFault(fault);
    await flow.decide('retry', await stack.as('ops'));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
  });

  test('a repeated start returns the same flow, and a different input is a conflict', async () => {
    const input = transferOf(wallet);
    const twenty = await Promise.all(Array.from({ length: 20 }, () => stack.flows.transfer.start(input)));
    expect(twenty.filter(({ created }) => created)).toHaveLength(1);
    await expect(stack.flows.transfer.start({ ...input, amount: '2' })).rejects.toThrow(/another input/);
    await until(async () => (await twenty[0]!.progress()).pastPointOfNoReturn, 'the submission');
    await stack.advance(HOUR);
    expect(await twenty[7]!.result()).toMatchObject({ status: 'completed' });
    const after = await stack.flows.transfer.start(input);
    expect(after.created).toBe(false);
    expect(await after.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('an unknown policy fails the flow and names the policies that exist', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { policy: 'nope' }));
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringContaining('default') });
  });

  test('a frozen wallet fails the flow with 155501 before anything is sent', async () => {
    await stack.world.control.call('POST', `/wallets/${wallet.id}/freeze`);
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    expect(await flow.result()).toMatchObject({ status: 'failed', code: 155501 });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(0);
  });

  test('a decision to give up fails the flow, with a remedy that names no decision', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { amount: '2000' }));
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toEqual({
      status: 'failed',
      code: 155205,
      reason: 'InsufficientTokenBalance',
      remedy: 'add the token to the sending wallet',
    });
  });

  test('a transfer without funds waits and continues after they arrive', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { amount: '2000' }));
    expect(await attentionOf(flow)).toMatchObject({
      code: 155205,
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
    });
    await stack.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId: wallet.usdcId, amount: '5000' });
    await stack.advance(HOUR);
    await flow.decide('retry', await stack.as('ops'));
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('fundTestnet requests one drip and reports both transactions', async () => {
    const empty = await fundedWallet(stack, { native: '0', usdc: '0' });
    await stack.world.control.addFault({ operation: 'requestDrip', count: 1, action: { drop: 'after' } });
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
    const flow = await stack.flows.fundTestnet.start({
      ref: `f-${empty.id}`,
      walletId: empty.id,
      native: true,
      usdc: true,
    });
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the drip');
    await stack.advance(HOUR);
    const outcome = await flow.result();
    expect(outcome.status).toBe('completed');
    expect(reportedBy(outcome).transactions).toHaveLength(2);
    expect(await requestsOf(stack.world, 'requestDrip')).toHaveLength(1);
  });
});
