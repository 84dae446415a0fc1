import type { Blockchain } from '../../src/domain/chains';
import { resetToStart } from '../support/history';
import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { type FundedWallet, fundedWallet } from '../support/wallets';

const MINUTE = 60_000;

interface Token {
  id: string;
  blockchain: string;
  symbol?: string;
  standard?: string;
}

interface Inbound {
  id: string;
  tokenId: string;
  state: string;
}

/** Funding means that the tokens of the faucet are in the wallet, and not that something has arrived there. */
describe('fundTestnet', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  const emptyWallet = (blockchain: Blockchain) => fundedWallet(stack, { blockchain, native: '0', usdc: '0' });
  const pace = (blockchain: Blockchain, confirmAfterMs: number | null) =>
    stack.world.control.call('POST', `/chains/${blockchain}/pace`, { confirmAfterMs });
  const send = (wallet: FundedWallet, tokenId: string, amount: string, nftTokenId?: string) =>
    stack.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, amount, nftTokenId });
  const tokens = async () => (await stack.world.control.call<{ tokens: Token[] }>('GET', '/tokens')).tokens;
  const inbound = async (wallet: FundedWallet) => {
    const query = { walletIds: wallet.id, txType: 'INBOUND' } as const;
    return (await stack.api.listTransactions({ query })).data.transactions as Inbound[];
  };
  const request = (wallet: FundedWallet, input: object) =>
    stack.flows.fundTestnet.start({ ref: `f-${wallet.id}`, walletId: wallet.id, ...input });

  test('deposits of strangers do not count, and a person is asked within minutes', async () => {
    const wallet = await emptyWallet('ETH-SEPOLIA');
    await pace('ETH-SEPOLIA', 14 * MINUTE);
    const flow = await request(wallet, { native: true, usdc: true });
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the drip');
    await pace('ETH-SEPOLIA', null);

    const nft = (await tokens()).find(
      ({ blockchain, standard }) => blockchain === 'ETH-SEPOLIA' && standard === 'ERC721',
    )!;
    const imitation = await stack.world.control.call<Token>('POST', '/tokens', {
      blockchain: 'ETH-SEPOLIA',
      tokenAddress: '0x1111111111111111111111111111111111111111',
      symbol: 'USDC',
      standard: 'ERC20',
      decimals: 6,
    });
    await send(wallet, nft.id, '1', '7');
    await send(wallet, imitation.id, '20');
    await send(wallet, wallet.usdcId, '0.000001');
    await stack.advance(11 * MINUTE);
    const { name, reason, options } = await attentionOf(flow);
    expect({ name, options: options.map(({ choice }) => choice) }).toEqual({
      name: 'DripOverdue',
      options: ['keepWaiting', 'giveUp'],
    });
    expect(reason).toBe('missing: ETH, USDC; 3 other deposits do not count');

    await flow.decide('keepWaiting', await stack.as('ops'));
    await stack.advance(8 * MINUTE);
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'completed' });
    const reported = 'result' in outcome ? outcome.result.transactions.map(({ transactionId }) => transactionId) : [];
    const arrived = (await inbound(wallet)).filter(({ id }) => reported.includes(id));
    expect(arrived.map(({ tokenId }) => tokenId).sort()).toEqual([wallet.nativeId, wallet.usdcId].sort());
    expect(await requestsOf(stack.world, 'requestDrip')).toHaveLength(1);
  });

  test('none of many earlier deposits passes for a drip whose reply is lost', async () => {
    const wallet = await emptyWallet('ETH-SEPOLIA');
    for (let n = 0; n < 60; n++) await send(wallet, wallet.usdcId, '20');
    await stack.world.control.clearJournal();
    await stack.advance(MINUTE);
    await stack.world.control.addFault({ operation: 'requestDrip', count: 1, action: { drop: 'before' } });
    const flow = await request(wallet, { usdc: true });
    await until(async () => {
      await stack.advance(10_000);
      const { attention, outcome } = await flow.progress();
      return attention !== undefined || outcome !== undefined;
    }, 'the question');
    expect((await flow.progress()).attention).toMatchObject({ name: 'NoResponse' });
    await flow.decide('retry', await stack.as('ops'));
    await stack.advance(5 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, 'requestDrip')).toMatchObject([{}, {}]);
  });

  test('a deposit that a reorganisation has undone does not count', async () => {
    const wallet = await emptyWallet('ETH-SEPOLIA');
    const flow = await request(wallet, { usdc: true });
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the drip');
    await stack.advance(30_000);
    const [deposit] = await inbound(wallet);
    await stack.world.control.call('POST', `/transactions/${deposit!.id}/reorg`);
    await stack.advance(11 * MINUTE);
    const { name, reason } = await attentionOf(flow);
    expect(name).toBe('DripOverdue');
    expect(reason).toBe('missing: USDC; arrived: 20 USDC (FAILED)');
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'failed', reason });
  });

  test.each(['before', 'after'])(
    'a reset %s the deposits are complete finds the drip, and requests no second one',
    async (when) => {
      const wallet = await emptyWallet('ETH-SEPOLIA');
      await stack.world.control.clearJournal();
      const flow = await request(wallet, { native: true, usdc: true });
      await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the drip');
      if (when === 'after') await stack.advance(11 * MINUTE);
      await resetToStart(stack.flows.client, flow.workflowId);
      await stack.advance(12 * MINUTE);
      expect(await requestsOf(stack.world, 'requestDrip')).toHaveLength(1);
      const outcome = await flow.result();
      const reported = 'result' in outcome ? outcome.result.transactions.map(({ transactionId }) => transactionId) : [];
      const [eth, usdc] = await inbound(wallet);
      expect(reported.sort()).toEqual([eth!.id, usdc!.id].sort());
    },
  );

  test('on ARC-TESTNET one deposit of USDC is both the native token and USDC', async () => {
    const wallet = await emptyWallet('ARC-TESTNET');
    const flow = await request(wallet, { native: true, usdc: true });
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the drip');
    await stack.advance(11 * MINUTE);
    const { outcome, attention } = await flow.progress();
    expect(attention).toBeUndefined();
    expect(outcome).toMatchObject({ status: 'completed', result: { transactions: [{}] } });
  });
});
