import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet } from '../support/wallets';

const HOUR = 3_600_000;

/** Transfers whose transaction takes hours or never becomes final by itself. */
describe('a transaction that takes long', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({
      policies: { accelerating: [{ version: 1, transfer: { feeLevel: 'LOW', stuck: 'accelerate' } }] },
    });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });

  /** Starts a transfer and waits for its submission. @returns the flow and the id of its transaction */
  async function submitted(more: Parameters<typeof transferOf>[1] = {}) {
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack), more));
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    return { flow, id: (await flow.progress()).resources.transactionId! };
  }
  const control = (action: string, id: string, body?: object) =>
    stack.world.control.call('POST', `/transactions/${id}/${action}`, body);

  test('is accelerated by the policy if it is stuck', async () => {
    const { flow, id } = await submitted({ policy: 'accelerating' });
    await control('stick', id);
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(1);
  });

  test('is accelerated three times if it stays stuck, then the flow asks for a decision', async () => {
    const { flow, id } = await submitted({ policy: 'accelerating' });
    await control('stick', id);
    await stack.world.control.addFault({
      operation: 'accelerateTransaction',
      action: { status: 400, code: 155229, when: 'before' },
    });
    await stack.advance(24 * HOUR);
    expect(await attentionOf(flow)).toMatchObject({ name: 'TransactionStuck' });
    expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(3);
    await stack.world.control.clearFaults();
    await flow.decide('accelerate', await stack.as('ops'));
    await until(async () => (await requestsOf(stack.world, 'accelerateTransaction')).length === 4, 'the acceleration');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('is cancelled at the API if an operator decides so', async () => {
    const { flow, id } = await submitted();
    await control('stick', id);
    await stack.advance(HOUR);
    await attentionOf(flow);
    await flow.decide('cancelTransaction', await stack.as('ops'));
    await until(async () => (await requestsOf(stack.world, 'cancelTransaction')).length === 1, 'the cancel');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'cancelled', result: { state: 'CANCELLED' } });
  });

  test('is read at the usual rate despite responses with 429', async () => {
    const { flow, id } = await submitted();
    await control('pace', id, { confirmAfterMs: 10 * 60_000 });
    await stack.world.control.addFault({
      operation: 'getTransaction',
      count: 12,
      action: { status: 429, headers: { 'retry-after': '1' }, when: 'before' },
    });
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('is followed to its end despite invalid responses and unexpected error codes', async () => {
    const { flow, id } = await submitted();
    await control('pace', id, { confirmAfterMs: HOUR });
    await stack.advance(HOUR / 2);
    const operation = 'getTransaction';
    await stack.world.control.addFault({ operation, count: 2, action: { html: true } });
    await stack.world.control.addFault({ operation, count: 1, action: { status: 400, code: 155210 } });
    await stack.advance(24 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
  });
});
