import type { Progress } from '../../src/domain/progress';
import type { FaultSpec } from '../../src/emulator';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** The API does not publish whether a rejected or limited request uses up its idempotency key. Here, each of them does. */
describe('an API whose rejections use up the key', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, settings: { keyUse: 'every' } });
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

  test('a submission that the API limits twice completes without a person', async () => {
    await fault({ count: 2, action: { status: 429, headers: { 'retry-after': '1' }, when: 'before' } });
    const flow = await start();
    // A flow that asks a person does not end.
    let progress: Progress = await flow.progress();
    await until(async () => {
      progress = await flow.progress();
      return progress.attention !== undefined || progress.outcome !== undefined;
    });
    expect(progress.attention).toBeUndefined();
    expect(progress.outcome).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    const requests = await requestsOf(stack.world, 'createTransfer');
    expect(requests.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(
      distinct(
        requests.filter(({ committed }) => committed),
        'refId',
      ),
    ).toHaveLength(1);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });
});
