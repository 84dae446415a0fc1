import type { FaultSpec } from '../../src/emulator';
import { callsOf } from '../support/history';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** A rejection is final or waits for an operator, depending on its code. It is never retried automatically. */
describe('a rejected submission', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  const start = () => stack.flows.transfer.start(transferOf(wallet));
  const fault = (spec: Omit<FaultSpec, 'operation'>) =>
    stack.world.control.addFault({ operation: 'createTransfer', ...spec });

  test.each([155219, 155224, 155501, 155802, 156006, 155999])(
    '%d is final: the flow sends one request and reports the code',
    async (code) => {
      await fault({ action: { status: 400, code, when: 'before' } });
      const outcome = await (await start()).result();
      const text = expect.stringMatching(/./);
      expect(outcome).toMatchObject({ status: 'failed', code, reason: text, remedy: text });
      expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
      expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
    },
  );

  test('insufficient funds wait for a decision, and a retry is a new request', async () => {
    await fault({ count: 1, action: { status: 400, code: 155201, when: 'before' } });
    const flow = await start();
    const attention = await attentionOf(flow);
    expect(attention).toMatchObject({ code: 155201, options: [{ choice: 'retry' }, { choice: 'giveUp' }] });
    await expect(flow.decide('nonsense', await stack.as('ops'))).rejects.toThrow(/retry, giveUp/);
    await flow.decide('retry', { ...(await stack.as('ops')), id: 'once' });
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const requests = await requestsOf(stack.world, 'createTransfer');
    expect(requests).toHaveLength(2);
    expect(distinct(requests, 'idempotencyKey')).toHaveLength(2);
    // One lookup before the rejection is believed, and one before the new request.
    expect(await callsOf(stack.flows.client, flow.workflowId, 'findTransaction')).toBe(2);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('an operator can give up', async () => {
    await fault({ action: { status: 400, code: 155201, when: 'before' } });
    const flow = await start();
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'failed', code: 155201 });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
  });

  test('a rejection after a 429 costs one lookup, since the API carries out nothing that it answers with 429', async () => {
    await fault({ count: 1, action: { status: 429, headers: { 'retry-after': '1' }, when: 'before' } });
    await fault({ skip: 1, count: 1, action: { status: 400, code: 155201, when: 'before' } });
    const flow = await start();
    await attentionOf(flow);
    expect(await callsOf(stack.flows.client, flow.workflowId, 'findTransaction')).toBe(1);
    await flow.decide('giveUp', await stack.as('ops'));
    await flow.result();
  });
});
