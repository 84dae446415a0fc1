import { randomUUID } from 'node:crypto';
import { STRANGER, token, type Answer, type Chain } from '../chain/support';
import type { Deserved } from './deserved';

const SOLANA_STRANGER = 'So11111111111111111111111111111111111111112';
const custom = { feeLevel: undefined };
const estimate = (chain: Chain, walletId: string, body: object = {}) =>
  chain.send('POST', '/transactions/transfer/estimateFee', {
    walletId,
    tokenId: token('ETH-SEPOLIA', 'USDC'),
    destinationAddress: STRANGER,
    amounts: ['1'],
    ...body,
  });

/** Refused for what a transfer from a wallet with 5 native tokens and 500 USDC asks for. */
const asked = (code: number, body: object, on?: [blockchain: string, accountType?: string]): Deserved => ({
  code,
  status: code < 156_001 || code === 156_006 ? 400 : 404,
  by: 'request',
  earn: async (chain) => chain.transfer(await chain.funded(...(on ?? [])), body),
});
/** The same where the world has to be another first. */
const given = (code: number, earn: (chain: Chain) => Promise<Answer>, status = 400): Deserved => ({
  code,
  status,
  by: 'setting',
  earn,
});

async function withNft(chain: Chain, symbol: string, nftTokenId = '1') {
  const wallet = await chain.funded();
  const tokenId = token('ETH-SEPOLIA', symbol);
  await chain.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, nftTokenId, amount: '1' });
  await chain.settle();
  return { wallet, tokenId };
}

/** A transaction that has come to its end, and its inbound counterpart's id. */
async function completed(chain: Chain) {
  const wallet = await chain.funded();
  const { id } = (await chain.transfer(wallet)).data;
  await chain.settle();
  const { data } = await chain.get(`/transactions?walletIds=${wallet.id}&txType=INBOUND`);
  return { id: id as string, inbound: data.transactions[0].id as string };
}

export const TRANSACTIONS: readonly Deserved[] = [
  asked(155201, { amounts: ['501'] }),
  given(155202, async (chain) => {
    const wallet = await chain.funded();
    await chain.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, {});
    return chain.transfer(wallet);
  }),
  {
    code: 155203,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const wallet = await chain.funded('ETH-SEPOLIA', 'SCA');
      await chain.transfer(wallet);
      await chain.world.control.advance(1_000);
      return chain.transfer(wallet);
    },
  },
  {
    code: 155204,
    status: 400,
    by: 'request',
    earn: async (chain) =>
      estimate(chain, (await chain.funded()).id, { tokenId: token('ETH-SEPOLIA', 'native'), amounts: ['5'] }),
  },
  {
    code: 155205,
    status: 400,
    by: 'request',
    earn: async (chain) => estimate(chain, (await chain.funded()).id, { amounts: ['501'] }),
  },
  given(155206, async (chain) => {
    const { tokenId } = await withNft(chain, 'SCOL');
    return estimate(chain, (await chain.funded()).id, { tokenId, nftTokenIds: ['1'] });
  }),
  asked(155211, { ...custom, gasLimit: '100001', maxFee: '10000', priorityFee: '1' }),
  {
    code: 155215,
    status: 400,
    by: 'request',
    earn: async (chain) => chain.effect(`/developer/transactions/${(await completed(chain)).id}/cancel`),
  },
  asked(155218, { nftTokenIds: ['1'] }),
  asked(155219, { destinationAddress: '0x12' }),
  asked(155220, { tokenId: token('AVAX-FUJI', 'USDC') }),
  asked(155221, { amounts: ['1', '2'] }),
  given(
    155222,
    async (chain) => {
      const { wallet, tokenId } = await withNft(chain, 'SCOL');
      await chain.world.control.call('PUT', `/tokens/${tokenId}/metadata`, { metadata: null });
      return chain.transfer(wallet, { tokenId, nftTokenIds: ['1'] });
    },
    404,
  ),
  { code: 155223, status: 400, by: 'request', earn: (chain) => chain.get('/transactions?userId=somebody') },
  asked(155224, { amounts: ['1,000'] }),
  asked(155225, { blockchain: 'AVAX-FUJI' }),
  asked(155226, { walletId: undefined, sourceAddress: '0x12', blockchain: 'ETH-SEPOLIA' }),
  {
    code: 155227,
    status: 400,
    by: 'request',
    earn: async (chain) => chain.effect(`/developer/transactions/${(await completed(chain)).inbound}/accelerate`),
  },
  asked(155228, { tokenId: undefined }),
  {
    code: 155229,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const { id } = (await chain.transfer(await chain.funded())).data;
      return chain.effect(`/developer/transactions/${id}/accelerate`);
    },
  },
  asked(155231, custom),
  asked(155232, { ...custom, gasLimit: '400000' }, ['ETH-SEPOLIA', 'SCA']),
  asked(155233, { gasLimit: '20999' }),
  asked(155234, { maxFee: '30' }),
  asked(155235, { ...custom, gasLimit: '65000', maxFee: '30' }),
  asked(155236, { ...custom, gasLimit: '65000', maxFee: 'abc', priorityFee: '1' }),
  asked(155237, { ...custom, gasLimit: '65000', maxFee: '1', priorityFee: '2' }),
  given(155238, async (chain) => {
    await chain.world.control.changeSettings({ eip1559: { 'AVAX-FUJI': false } });
    return chain.transfer(await chain.funded('AVAX-FUJI'), { ...custom, gasLimit: '65000', maxFee: '30' });
  }),
  asked(155239, { tokenId: undefined, tokenAddress: STRANGER }),
  given(155240, (chain) => odd(chain, { standard: 'ERC9999', decimals: 6 })),
  given(155241, (chain) => odd(chain, { standard: 'ERC20' })),
  asked(155242, { tokenId: token('ETH-SEPOLIA', 'SEDN'), amounts: ['5'], nftTokenIds: ['1', '2'] }),
  asked(155244, { sourceAddress: STRANGER, blockchain: 'ETH-SEPOLIA' }),
  given(155254, async (chain) => {
    await chain.world.control.changeSettings({ eip1559: { 'AVAX-FUJI': false } });
    const fee = { ...custom, gasLimit: '65000', gasPrice: '30', maxFee: '30' };
    return chain.transfer(await chain.funded('AVAX-FUJI'), fee);
  }),
  asked(155257, { destinationAddress: SOLANA_STRANGER, tokenId: token('SOL-DEVNET', 'native'), amounts: ['0.0001'] }, [
    'SOL-DEVNET',
  ]),
  asked(155258, { destinationAddress: SOLANA_STRANGER, amounts: ['501'] }, ['SOL-DEVNET']),
  {
    code: 155262,
    status: 400,
    by: 'request',
    earn: async (chain) => chain.transfer(await chain.wallet('SOL-DEVNET'), { destinationAddress: SOLANA_STRANGER }),
  },
  given(155264, async (chain) => {
    const wallet = await chain.funded('MATIC-AMOY');
    await chain.world.control.call('POST', '/transactions/next', { stuck: true });
    for (let n = 0; n < 64; n++) await chain.transfer(wallet);
    return chain.transfer(wallet);
  }),
  asked(156002, { tokenId: '00000000-0000-4000-8000-000000000000' }),
  { code: 156003, status: 404, by: 'request', earn: (chain) => chain.get(`/transactions/${randomUUID()}`) },
  asked(156011, { tokenId: token('ETH-SEPOLIA', 'SCOL'), nftTokenIds: ['77'] }),
];

async function odd(chain: Chain, what: object): Promise<Answer> {
  const { id } = await chain.world.control.call<{ id: string }>('POST', '/tokens', {
    blockchain: 'ETH-SEPOLIA',
    tokenAddress: '0x00000000000000000000000000000000000000aa',
    ...what,
  });
  return chain.transfer(await chain.funded(), { tokenId: id });
}
