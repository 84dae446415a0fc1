import { reportedBy } from '../support/outcomes';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { fundedWallet, type FundedWallet } from '../support/wallets';

describe('transfer', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    wallet = await fundedWallet(stack);
  });
  afterAll(() => stack.close());

  test('completes with the transaction of the API, in at most 60 events with its lane', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { amount: '10.50' }));
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'completed', result: { state: 'COMPLETE', amounts: ['10.50'] } });
    const { data } = await stack.api.getTransaction({ params: { id: reportedBy(outcome).transactionId } });
    expect(data.transaction).toMatchObject({ state: 'COMPLETE', amounts: ['10.50'], walletId: wallet.id });
    const progress = await flow.progress();
    expect(progress.steps.map(({ name, state }) => [name, state])).toEqual([
      ['validate', 'done'],
      ['lane', 'done'],
      ['gate', 'done'],
      ['submit', 'done'],
      ['follow', 'done'],
    ]);
    const history = await stack.flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
    expect(history.events!.length).toBeLessThanOrEqual(60);
  });

  test('from a wallet without a lane takes at most 45 events', async () => {
    const solana = await fundedWallet(stack, { blockchain: 'SOL-DEVNET' });
    const to = '4Nd1mYvUJjpUrhJ4oCN5N4mXcbtVJpBVdPVUuBDTsLbW';
    const flow = await stack.flows.transfer.start(transferOf(solana, { to }));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect((await flow.progress()).steps.map(({ name }) => name)).toEqual(['validate', 'gate', 'submit', 'follow']);
    const history = await stack.flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
    expect(history.events!.length).toBeLessThanOrEqual(45);
  });
});
