import { requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';

/** With webhooks and the policy's `firstReadAfter`, a transaction is read only if its webhook is late. */

const TRANSFERS = 10;
const transfer = { feeLevel: 'MEDIUM', stuck: 'ask' };

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    webhooks: true,
    policies: {
      default: [{ version: 1, transfer: { ...transfer, firstReadAfter: '10 minutes' } }],
      impatient: [{ version: 1, transfer: { ...transfer, firstReadAfter: '1 day', unresolvedAfter: '2 seconds' } }],
      soon: [{ version: 1, transfer: { ...transfer, firstReadAfter: '15 seconds' } }],
    },
  });
});
beforeEach(async () => {
  await stack.world.control.setSpeed(FAST);
  await stack.world.control.call('DELETE', '/webhooks/faults');
});
afterAll(() => stack.close());

/** Reads of transactions since the journal was cleared. */
async function reads(): Promise<number> {
  const counts = await Promise.all(
    (['getTransaction', 'listTransactions'] as const).map((operation) => requestsOf(stack.world, operation)),
  );
  return counts.flat().length;
}

test('transfers whose webhooks arrive are never read, apart from one list of their wallet', async () => {
  const wallet = await fundedWallet(stack);
  await stack.world.control.clearJournal();
  const flows = await Promise.all(
    Array.from({ length: TRANSFERS }, () => stack.flows.transfer.start(transferOf(wallet))),
  );
  const outcomes = await Promise.all(flows.map((flow) => flow.result()));
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: TRANSFERS }, () => 'completed'));
  // The lane of the wallet lists its outstanding transactions once.
  expect(await reads()).toBe(1);
});

test('a transfer whose webhook is lost is read after the time of the policy, and ends', async () => {
  const wallet = await fundedWallet(stack);
  await stack.world.control.call('POST', '/webhooks/faults', { type: 'transactions.outbound', action: 'lose' });
  await stack.world.control.clearJournal();
  const flow = await stack.flows.transfer.start(transferOf(wallet, { policy: 'soon' }));
  await until(async () => (await sentBy(stack.world, wallet.id))[0]?.state === 'COMPLETE', 'the final state');
  expect((await flow.progress()).outcome).toBeUndefined();
  expect(await flow.result()).toMatchObject({ status: 'completed' });
  expect(await reads()).toBeGreaterThan(0);
});

test('a final state whose webhook does not show everything is read at once', async () => {
  const wallet = await fundedWallet(stack);
  await stack.world.control.call('POST', '/transactions/next', { deny: true });
  await stack.world.control.call('POST', '/webhooks/faults', { type: 'transactions.outbound', action: 'lose' });
  const flow = await stack.flows.transfer.start(transferOf(wallet));
  await until(async () => (await flow.progress()).waitingFor === 'the transaction to be final', 'following');
  await until(async () => (await sentBy(stack.world, wallet.id))[0]?.state === 'DENIED', 'the denial');
  const { id, refId } = (await sentBy(stack.world, wallet.id))[0]!;
  await stack.world.control.call('DELETE', '/webhooks/faults');
  await stack.world.control.call('POST', '/webhooks', {
    notificationType: 'transactions.outbound',
    notification: { id, refId, state: 'DENIED' },
  });
  expect(await flow.result()).toMatchObject({ status: 'denied', screening: expect.anything() });
});

test('a flow is unresolved in time although the first read is later', async () => {
  const wallet = await fundedWallet(stack);
  await stack.world.control.setSpeed(0.001);
  const flow = await stack.flows.transfer.start(transferOf(wallet, { policy: 'impatient' }));
  await until(async () => (await flow.progress()).unresolved === true, 'unresolved');
});

test('a cancellation does not wait for the webhook', async () => {
  const wallet = await fundedWallet(stack);
  await stack.world.control.setSpeed(0.001);
  await stack.world.control.clearJournal();
  const flow = await stack.flows.transfer.start(transferOf(wallet));
  await until(async () => (await flow.progress()).waitingFor === 'the transaction to be final', 'following');
  expect(await requestsOf(stack.world, 'getTransaction')).toEqual([]);
  await flow.cancel(await stack.as('ops'));
  await until(async () => (await requestsOf(stack.world, 'getTransaction')).length > 0, 'the read before the request');
});
