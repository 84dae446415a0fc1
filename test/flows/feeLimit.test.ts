import { requestsOf, sentBy } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const HOUR = 3_600_000;
/** ETH-SEPOLIA. A token transfer costs 0.001235 there at MEDIUM, and 0.0016575 at HIGH, without headroom. */
const LIMIT = '0.0013';

/** Nothing is sent above the fee limit of a policy unless a person has accepted the fee. */
describe('the fee limit of a policy', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    const transfer = {
      feeLevel: 'MEDIUM',
      maxNetworkFee: { 'ETH-SEPOLIA': LIMIT, 'SOL-DEVNET': '1' },
      feeHeadroom: 0,
    };
    stack = await startStack({
      policies: {
        default: [{ version: 1, transfer: { ...transfer, stuck: 'ask' } }],
        accelerating: [{ version: 1, transfer: { ...transfer, stuck: 'accelerate' } }],
        // The level may cost 0.00154375 with the default of 25 percent.
        cautious: [{ version: 1, transfer: { ...transfer, feeHeadroom: undefined, stuck: 'ask' } }],
        generous: [
          { version: 1, transfer: { ...transfer, maxNetworkFee: { 'ETH-SEPOLIA': '1' }, stuck: 'accelerate' } },
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

  type Fee = Parameters<typeof transferOf>[1] & object;
  const start = (more: Fee = {}) => stack.flows.transfer.start(transferOf(wallet, more));
  const submitted = (flow: Awaited<ReturnType<typeof start>>) =>
    until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');

  test('the fee of the policy and one set within the limit are sent unasked', async () => {
    await submitted(await start());
    await submitted(await start({ fee: { maxFee: '20', priorityFee: '1', gasLimit: '65000' } }));
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(2);
  });

  test.each<Fee>([
    { fee: { feeLevel: 'HIGH' } },
    { fee: { feeLevel: 'LOW', gasLimit: '650000' } },
    { fee: { maxFee: '20', priorityFee: '1', gasLimit: '66000' } },
    { fee: { gasPrice: '20', gasLimit: '66000' } },
    { fee: { gasLimit: '65000' } },
  ])('%j exceeds it and needs a decision before it is sent', async (fee) => {
    const flow = await start(fee);
    expect(await attentionOf(flow)).toMatchObject({
      name: 'FeeAboveLimit',
      options: [{ choice: 'retry' }, { choice: 'acceptFee' }, { choice: 'giveUp' }],
    });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(0);
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'failed' });
  });

  test('a level may cost more by the time of its block, so it needs a decision with headroom', async () => {
    const flow = await start({ policy: 'cautious' });
    expect((await attentionOf(flow)).reason).toContain('0.00154375');
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
  });

  test('own prices are sent unasked up to the limit, because they do not rise', async () => {
    await submitted(await start({ policy: 'cautious', fee: { maxFee: '20', priorityFee: '1', gasLimit: '65000' } }));
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('a person accepts a fee above it', async () => {
    const flow = await start({ fee: { feeLevel: 'MEDIUM', gasLimit: '650000' } });
    expect((await attentionOf(flow)).reason).toContain('0.01235');
    await flow.decide('acceptFee', await stack.as('ops'));
    await submitted(flow);
    const [sent] = await sentBy(stack.world, wallet.id);
    expect(sent).toMatchObject({ estimatedFee: { networkFee: '0.01235' } });
  });

  test('a fee that has risen since a person accepted it is asked about again, and a lower one is sent', async () => {
    const operation = 'estimateTransferFee';
    const estimated = (networkFee: string) => ({ status: 200, body: { data: { medium: { networkFee } } } });
    for (const fee of ['0.02', '0.03', '0.025'])
      await stack.world.control.addFault({ operation, count: 1, action: estimated(fee) });
    const flow = await start();
    const seen = await attentionOf(flow);
    expect(seen.reason).toContain('0.02');
    await flow.decide('acceptFee', await stack.as('ops'));
    await until(async () => ![undefined, seen.id].includes((await flow.progress()).attention?.id), 'the next question');
    expect((await flow.progress()).attention?.reason).toContain('0.03');
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(0);
    await flow.decide('acceptFee', await stack.as('ops'));
    await submitted(flow);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('a fee that a person accepts is the one that they saw, not a higher one that the flow asks about by then', async () => {
    const operation = 'estimateTransferFee';
    const estimated = (networkFee: string) => ({ status: 200, body: { data: { medium: { networkFee } } } });
    await stack.world.control.addFault({ operation, count: 1, action: estimated('0.02') });
    await stack.world.control.addFault({ operation, skip: 1, action: estimated('5') });
    const flow = await start();
    const seen = await attentionOf(flow);
    expect(seen.reason).toContain('0.02');
    await flow.decide('retry', await stack.as('bob'));
    await until(async () => ![undefined, seen.id].includes((await flow.progress()).attention?.id), 'the next question');
    const ada = { ...(await stack.as('ada')), attention: seen.id };
    await expect(flow.decide('acceptFee', ada)).rejects.toThrow(/does not ask this question any more/);
    expect((await flow.progress()).attention?.reason).toContain(' 5;');
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(0);
  });

  test('a gas limit whose cost on the blockchain is not known needs a decision', async () => {
    const solana = await fundedWallet(stack, { blockchain: 'SOL-DEVNET' });
    const flow = await stack.flows.transfer.start({
      ...transferOf(solana, { fee: { feeLevel: 'LOW', gasLimit: '200000' } }),
      to: 'GkbUa3gdJvzXfvTMGhNDSCWH1jvVjSq7SSGUAQUtHwxr',
    });
    expect(await attentionOf(flow)).toMatchObject({ name: 'FeeAboveLimit' });
  });

  test('a transfer that is sent again after a decision is checked again', async () => {
    const operation = 'createTransfer';
    await stack.world.control.addFault({ operation, count: 1, action: { status: 400, code: 155201 } });
    const flow = await start();
    await attentionOf(flow);
    const networkFee = '0.0022';
    await stack.world.control.addFault({
      operation: 'estimateTransferFee',
      action: { status: 200, body: { data: { medium: { networkFee } } } },
    });
    await flow.decide('retry', await stack.as('ops'));
    await until(async () => (await flow.progress()).attention?.name === 'FeeAboveLimit', 'the second check');
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
  });

  test('an acceleration above it needs a decision, and a person may accelerate at that fee', async () => {
    const flow = await start({ policy: 'accelerating' });
    await submitted(flow);
    const { transactionId } = (await flow.progress()).resources;
    await stack.world.control.call('POST', `/transactions/${transactionId}/stick`);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      name: 'TransactionStuck',
      reason: expect.stringMatching(/0\.0016575.*0\.0013/),
    });
    expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(0);
    await flow.decide('accelerate', await stack.as('ops'));
    await until(async () => (await requestsOf(stack.world, 'accelerateTransaction')).length === 1, 'the acceleration');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('an acceleration within it happens unasked', async () => {
    const flow = await start({ policy: 'generous' });
    await submitted(flow);
    const { transactionId } = (await flow.progress()).resources;
    await stack.world.control.call('POST', `/transactions/${transactionId}/stick`);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(1);
  });

  test('an acceleration whose fee the API does not tell needs a decision', async () => {
    await stack.world.control.addFault({
      operation: 'getLowestNonceTransaction',
      action: { status: 404, code: 156003 },
    });
    const flow = await start({ policy: 'generous' });
    await submitted(flow);
    const { transactionId } = (await flow.progress()).resources;
    await stack.world.control.call('POST', `/transactions/${transactionId}/stick`);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({ name: 'TransactionStuck' });
    expect(await requestsOf(stack.world, 'accelerateTransaction')).toHaveLength(0);
  });
});
