import { requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { RECIPIENT, transferOf } from '../support/transfers';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** Invalid input leads to an error that names field and remedy. Nothing is sent. */
describe('the input of a transfer', () => {
  let stack: Stack;
  let evm: FundedWallet;
  let solana: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({
      speed: FAST,
      policies: {
        thrifty: [
          { version: 1, transfer: { feeLevel: 'LOW', stuck: 'ask', maxNetworkFee: { 'ETH-SEPOLIA': '0.005' } } },
        ],
      },
    });
    evm = await fundedWallet(stack);
    solana = await fundedWallet(stack, { blockchain: 'SOL-DEVNET' });
  });
  afterAll(() => stack.close());
  beforeEach(() => stack.world.control.clearJournal());

  const nothingSent = async () => expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(0);

  test.each(['10USDC', '1.5abc', '', ' ', 'abc', 'NaN', '0x10', '1,000', '1e6', '-1', '0', '0.000'])(
    'start rejects amount %j',
    async (amount) => {
      await expect(stack.flows.transfer.start(transferOf(evm, { amount }))).rejects.toThrow(/amount: .*"10.50"/);
      await nothingSent();
    },
  );

  test('an amount with more decimals than the token fails the flow instead of being rounded', async () => {
    const flow = await stack.flows.transfer.start(transferOf(evm, { amount: '1.0000001' }));
    expect(await flow.result()).toMatchObject({ status: 'failed', code: 155224, reason: expect.stringContaining('6') });
    await nothingSent();
  });

  test.each(['1.001', '1.005', '0.000001', '.01'])('amount %s is sent unchanged', async (amount) => {
    const flow = await stack.flows.transfer.start(transferOf(evm, { amount }));
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { amounts: [amount] } });
    const sent = await sentBy(stack.world, evm.id);
    expect(sent[0]?.amounts).toEqual([amount]);
  });

  test.each([RECIPIENT, RECIPIENT.toLowerCase()])('EVM address %s is accepted', async (to) => {
    const flow = await stack.flows.transfer.start(transferOf(evm, { to }));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test.each([RECIPIENT.replace(/ed$/, 'eD'), '0x1234', 'So11111111111111111111111111111111111111112'])(
    'EVM address %s fails the flow with 155219',
    async (to) => {
      const flow = await stack.flows.transfer.start(transferOf(evm, { to }));
      expect(await flow.result()).toMatchObject({
        status: 'failed',
        code: 155219,
        reason: expect.stringMatching(/^to/),
      });
      await nothingSent();
    },
  );

  test('a Solana address is sent unchanged', async () => {
    const to = 'So11111111111111111111111111111111111111112';
    const flow = await stack.flows.transfer.start(transferOf(solana, { to, tokenId: solana.usdcId }));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const { data } = await stack.api.listTransactions({ query: { walletIds: solana.id, txType: 'OUTBOUND' } });
    expect(data.transactions?.[0]?.destinationAddress).toBe(to);
  });

  test('a token of another blockchain fails the flow with 155220', async () => {
    const flow = await stack.flows.transfer.start(transferOf(evm, { tokenId: solana.usdcId }));
    expect(await flow.result()).toMatchObject({ status: 'failed', code: 155220 });
    await nothingSent();
  });

  test.each<[object, RegExp]>([
    [{ fee: { feeLevel: 'MEDIUM', maxFee: '1' } }, /fee: 155234/],
    [{ fee: { maxFee: '1', priorityFee: '1' } }, /fee: 155231/],
    [{ fee: { gasLimit: 'abc' } }, /fee: 155236/],
    [{ fee: { gasLimit: '21000', maxFee: '1', priorityFee: '2' } }, /fee: 155237/],
    [{ from: { walletId: 'nope' } }, /from\.walletId: .*UUID/],
    [{ tokenId: 7 }, /tokenId: .*UUID/],
    [{ ref: 'anna@example.com' }, /ref: .*nothing personal/],
    [{ amount: 5 }, /amount: .*string/],
    [{ amuont: '5' }, /amuont: is not a field/],
    [{ to: undefined }, /to: is missing/],
    [{ from: {} }, /from: must name a wallet/],
    [{ ref: undefined }, /ref: is missing/],
    [{ priority: 'asap' }, /priority: must be one of urgent, normal, bulk/],
  ])('start rejects %j', async (more, message) => {
    await expect(stack.flows.transfer.start(transferOf(evm, more))).rejects.toThrow(message);
    await nothingSent();
  });

  test.each([[''], ['x'.repeat(16_385)], [7]])('start rejects the token %p with the other problems', async (token) => {
    const start = stack.flows.transfer.start(transferOf(evm, { ref: '' }), { token: token as string });
    await expect(start).rejects.toThrow(/token: must be a string of 1 to 16384 characters[^]*ref: must have/);
    await nothingSent();
  });

  test('the error for a missing choice lists the choices', async () => {
    const start = stack.flows.changePin.start({ ref: 'pin-1', userId: 'user-1' } as never);
    await expect(start).rejects.toThrow('action: is missing; use one of set, change, restore');
  });

  test.each<[object, number]>([
    [{ gasLimit: '100000' }, 155235],
    [{ gasLimit: '10', maxFee: '30', priorityFee: '1' }, 155233],
    [{ gasLimit: '100000', maxFee: '100000000', priorityFee: '1' }, 155211],
  ])('the API rejects fee %j with %d', async (fee, code) => {
    const flow = await stack.flows.transfer.start(transferOf(evm, { fee }));
    const outcome = await Promise.race([flow.result(), attention(flow)]);
    expect(outcome).toMatchObject({ code });
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
  });

  test('a requested fee above the limit of the policy asks for a decision at the gate', async () => {
    const fee = { gasLimit: '100000', maxFee: '60', priorityFee: '2' };
    const flow = await stack.flows.transfer.start(transferOf(evm, { fee, policy: 'thrifty' }));
    expect(await attention(flow)).toMatchObject({ name: 'FeeAboveLimit', reason: expect.stringContaining('0.006') });
    await nothingSent();
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'failed' });
  });

  test('a requested fee is sent unchanged', async () => {
    const fee = { gasLimit: '100000', maxFee: '60', priorityFee: '2' };
    const flow = await stack.flows.transfer.start(transferOf(evm, { fee }));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['wallet', 156001, { from: { walletId: '0190a1b2-0000-7000-8000-00000000dead' } }],
    ['token', 156002, { tokenId: '0190a1b2-0000-7000-8000-00000000dead' }],
  ])('a %s that does not exist fails the flow with %d after one read', async (_resource, code, more) => {
    const flow = await stack.flows.transfer.start(transferOf(evm, more));
    expect(await flow.result()).toMatchObject({ status: 'failed', code });
    const reads = (await stack.world.control.journal()).filter(({ status }) => status === 404);
    expect(reads).toHaveLength(1);
  });

  async function attention(flow: { progress(): Promise<{ attention?: object }> }): Promise<object> {
    for (;;) {
      const { attention: shown } = await flow.progress();
      if (shown) return shown;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
