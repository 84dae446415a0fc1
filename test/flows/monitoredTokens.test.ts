import { callsOf, resetToStart } from '../support/history';
import { sentBy } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const HOUR = 3_600_000;

/** Lists of the API hide the transactions of tokens that are not monitored, unless the request asks for all. */
describe('a transfer of a token that is not monitored', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack();
    wallet = await fundedWallet(stack);
    await stack.api.createMonitoredTokens({ body: { tokenIds: [wallet.nativeId] } });
  });
  afterAll(() => stack.close());

  test('is found by a lookup, and not sent again', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    const id = (await flow.progress()).resources.transactionId!;
    await stack.advance(HOUR);
    await flow.result();
    await stack.world.control.call('DELETE', '/idempotencyKeys');
    const lookups = () => callsOf(stack.flows.client, flow.workflowId, 'findTransaction');
    const before = await lookups();
    await resetToStart(stack.flows.client, flow.workflowId);
    await until(async () => (await lookups()) > before, 'the lookup of the second run');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });
});
