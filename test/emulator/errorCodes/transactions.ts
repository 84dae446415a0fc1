import { randomUUID } from 'node:crypto';
import { STRANGER, type TestClient, type TestResponse, token } from '../chain/support';
import type { ErrorCodeCase } from './errorCodeCase';

const SOLANA_STRANGER = 'So11111111111111111111111111111111111111112';
const custom = { feeLevel: undefined };
const estimate = (client: TestClient, walletId: string, body: object = {}) =>
  client.send('POST', '/transactions/transfer/estimateFee', {
    walletId,
    tokenId: token('ETH-SEPOLIA', 'USDC'),
    destinationAddress: STRANGER,
    amounts: ['1'],
    ...body,
  });

/** A code for an invalid transfer from a wallet with 5 native tokens and 500 USDC. */
const byTransfer = (
  code: number,
  body: object,
  walletArgs?: [blockchain: string, accountType?: string],
): ErrorCodeCase => ({
  code,
  status: code < 156_001 || code === 156_006 ? 400 : 404,
  cause: 'request',
  trigger: async (client) => client.transfer(await client.fundedWallet(...(walletArgs ?? [])), body),
});
/** A code that needs a change of the world first. */
const afterSetup = (
  code: number,
  trigger: (client: TestClient) => Promise<TestResponse>,
  status = 400,
): ErrorCodeCase => ({
  code,
  status,
  cause: 'setting',
  trigger,
});

async function withNft(client: TestClient, symbol: string, nftTokenId = '1') {
  const wallet = await client.fundedWallet();
  const tokenId = token('ETH-SEPOLIA', symbol);
  await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, nftTokenId, amount: '1' });
  await client.settle();
  return { wallet, tokenId };
}

/** Completes a transfer. @returns its id and the id of the inbound counterpart */
async function completed(client: TestClient) {
  const wallet = await client.fundedWallet();
  const { id } = (await client.transfer(wallet)).data;
  await client.settle();
  const { data } = await client.get(`/transactions?walletIds=${wallet.id}&txType=INBOUND`);
  return { id: id as string, inbound: data.transactions[0].id as string };
}

export const TRANSACTIONS: readonly ErrorCodeCase[] = [
  byTransfer(155201, { amounts: ['501'] }),
  afterSetup(155202, async (client) => {
    const wallet = await client.fundedWallet();
    await client.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, {});
    return client.transfer(wallet);
  }),
  {
    code: 155203,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
      await client.transfer(wallet);
      await client.world.control.advance(1_000);
      return client.transfer(wallet);
    },
  },
  {
    code: 155204,
    status: 400,
    cause: 'request',
    trigger: async (client) =>
      estimate(client, (await client.fundedWallet()).id, { tokenId: token('ETH-SEPOLIA', 'native'), amounts: ['5'] }),
  },
  {
    code: 155205,
    status: 400,
    cause: 'request',
    trigger: async (client) => estimate(client, (await client.fundedWallet()).id, { amounts: ['501'] }),
  },
  afterSetup(155206, async (client) => {
    const { tokenId } = await withNft(client, 'SCOL');
    return estimate(client, (await client.fundedWallet()).id, { tokenId, nftTokenIds: ['1'] });
  }),
  byTransfer(155211, { ...custom, gasLimit: '100001', maxFee: '10000', priorityFee: '1' }),
  {
    code: 155215,
    status: 400,
    cause: 'request',
    trigger: async (client) => client.postWithKey(`/developer/transactions/${(await completed(client)).id}/cancel`),
  },
  byTransfer(155218, { nftTokenIds: ['1'] }),
  byTransfer(155219, { destinationAddress: '0x12' }),
  byTransfer(155220, { tokenId: token('AVAX-FUJI', 'USDC') }),
  byTransfer(155221, { amounts: ['1', '2'] }),
  afterSetup(
    155222,
    async (client) => {
      const { wallet, tokenId } = await withNft(client, 'SCOL');
      await client.world.control.call('PUT', `/tokens/${tokenId}/metadata`, { metadata: null });
      return client.transfer(wallet, { tokenId, nftTokenIds: ['1'] });
    },
    404,
  ),
  { code: 155223, status: 400, cause: 'request', trigger: (client) => client.get('/transactions?userId=unknown') },
  byTransfer(155224, { amounts: ['1,000'] }),
  byTransfer(155225, { blockchain: 'AVAX-FUJI' }),
  byTransfer(155226, { walletId: undefined, sourceAddress: '0x12', blockchain: 'ETH-SEPOLIA' }),
  {
    code: 155227,
    status: 400,
    cause: 'request',
    trigger: async (client) =>
      client.postWithKey(`/developer/transactions/${(await completed(client)).inbound}/accelerate`),
  },
  byTransfer(155228, { tokenId: undefined }),
  {
    code: 155229,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const { id } = (await client.transfer(await client.fundedWallet())).data;
      return client.postWithKey(`/developer/transactions/${id}/accelerate`);
    },
  },
  byTransfer(155231, custom),
  byTransfer(155232, { ...custom, gasLimit: '400000' }, ['ETH-SEPOLIA', 'SCA']),
  byTransfer(155233, { gasLimit: '20999' }),
  byTransfer(155234, { maxFee: '30' }),
  byTransfer(155235, { ...custom, gasLimit: '65000', maxFee: '30' }),
  byTransfer(155236, { ...custom, gasLimit: '65000', maxFee: 'abc', priorityFee: '1' }),
  byTransfer(155237, { ...custom, gasLimit: '65000', maxFee: '1', priorityFee: '2' }),
  afterSetup(155238, async (client) => {
    await client.world.control.changeSettings({ eip1559: { 'AVAX-FUJI': false } });
    return client.transfer(await client.fundedWallet('AVAX-FUJI'), { ...custom, gasLimit: '65000', maxFee: '30' });
  }),
  byTransfer(155239, { tokenId: undefined, tokenAddress: STRANGER }),
  afterSetup(155240, (client) => odd(client, { standard: 'ERC9999', decimals: 6 })),
  afterSetup(155241, (client) => odd(client, { standard: 'ERC20' })),
  byTransfer(155242, { tokenId: token('ETH-SEPOLIA', 'SEDN'), amounts: ['5'], nftTokenIds: ['1', '2'] }),
  byTransfer(155244, { sourceAddress: STRANGER, blockchain: 'ETH-SEPOLIA' }),
  afterSetup(155254, async (client) => {
    await client.world.control.changeSettings({ eip1559: { 'AVAX-FUJI': false } });
    const fee = { ...custom, gasLimit: '65000', gasPrice: '30', maxFee: '30' };
    return client.transfer(await client.fundedWallet('AVAX-FUJI'), fee);
  }),
  byTransfer(
    155257,
    { destinationAddress: SOLANA_STRANGER, tokenId: token('SOL-DEVNET', 'native'), amounts: ['0.0001'] },
    ['SOL-DEVNET'],
  ),
  byTransfer(155258, { destinationAddress: SOLANA_STRANGER, amounts: ['501'] }, ['SOL-DEVNET']),
  {
    code: 155262,
    status: 400,
    cause: 'request',
    trigger: async (client) =>
      client.transfer(await client.wallet('SOL-DEVNET'), { destinationAddress: SOLANA_STRANGER }),
  },
  afterSetup(155264, async (client) => {
    const wallet = await client.fundedWallet('MATIC-AMOY');
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    for (let n = 0; n < 64; n++) await client.transfer(wallet);
    return client.transfer(wallet);
  }),
  byTransfer(156002, { tokenId: '00000000-0000-4000-8000-000000000000' }),
  { code: 156003, status: 404, cause: 'request', trigger: (client) => client.get(`/transactions/${randomUUID()}`) },
  byTransfer(156011, { tokenId: token('ETH-SEPOLIA', 'SCOL'), nftTokenIds: ['77'] }),
];

async function odd(client: TestClient, what: object): Promise<TestResponse> {
  const { id } = await client.world.control.call<{ id: string }>('POST', '/tokens', {
    blockchain: 'ETH-SEPOLIA',
    tokenAddress: '0x00000000000000000000000000000000000000aa',
    ...what,
  });
  return client.transfer(await client.fundedWallet(), { tokenId: id });
}
