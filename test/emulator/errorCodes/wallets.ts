import { randomUUID } from 'node:crypto';
import { TestClient, type TestResponse } from '../chain/support';
import type { ErrorCodeCase } from './errorCodeCase';

const create = async (client: TestClient, body: object): Promise<TestResponse> => {
  const { data } = await client.postWithKey('/developer/walletSets');
  return client.postWithKey('/developer/wallets', {
    walletSetId: data.walletSet.id,
    blockchains: ['ETH-SEPOLIA'],
    ...body,
  });
};
const sca = { accountType: 'SCA' };
const derive = (client: TestClient, id: string, blockchain: string) =>
  client.send('PUT', `/developer/wallets/${id}/blockchains/${blockchain}`, {});
const upgrade = (client: TestClient, walletId: string) =>
  client.postWithKey('/developer/transactions/walletUpgrade', {
    walletId,
    newScaCore: 'circle_6900_singleowner_v2',
    feeLevel: 'MEDIUM',
  });
const oldCore = async (client: TestClient) => {
  await client.world.control.changeSettings({ scaCore: 'circle_4337_v1' });
  return client.wallet('ETH-SEPOLIA', 'SCA');
};

export const WALLETS: readonly ErrorCodeCase[] = [
  {
    code: 155501,
    status: 409,
    cause: 'setting',
    trigger: async (client) => {
      const { id } = await client.wallet();
      await client.world.control.call('POST', `/wallets/${id}/freeze`);
      return client.send('PUT', `/wallets/${id}`, { name: 'new' });
    },
  },
  { code: 155503, status: 400, cause: 'request', trigger: (client) => create(client, { count: 2, metadata: [{}] }) },
  {
    code: 155505,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
      await client.transfer(wallet);
      return client.transfer(wallet);
    },
  },
  {
    code: 155506,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.changeSettings({ scaCore: null });
      return create(client, sca);
    },
  },
  {
    code: 155507,
    status: 400,
    cause: 'request',
    trigger: (client) => create(client, { ...sca, blockchains: ['SOL-DEVNET'] }),
  },
  {
    code: 155509,
    status: 400,
    cause: 'setting',
    trigger: async () => create(await TestClient.open({}, 'live'), { ...sca, blockchains: ['ETH'] }),
  },
  {
    code: 155510,
    status: 400,
    cause: 'request',
    trigger: async (client) => derive(client, (await client.wallet()).id, 'SOL-DEVNET'),
  },
  {
    code: 155511,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.changeSettings({ noWallets: ['ETH-SEPOLIA'] });
      return create(client, {});
    },
  },
  {
    code: 155512,
    status: 404,
    cause: 'setting',
    trigger: async (client) => {
      const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
      await client.world.control.call('POST', `/wallets/${wallet.id}/transferOwnership`);
      return client.transfer(wallet);
    },
  },
  {
    code: 155514,
    status: 400,
    cause: 'setting',
    trigger: async (client) => upgrade(client, (await oldCore(client)).id),
  },
  {
    code: 155515,
    status: 400,
    cause: 'request',
    trigger: async (client) => upgrade(client, (await client.wallet()).id),
  },
  {
    code: 155516,
    status: 400,
    cause: 'setting',
    trigger: async (client) => derive(client, (await oldCore(client)).id, 'BASE-SEPOLIA'),
  },
  {
    code: 155517,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const { id } = await client.wallet('ETH-SEPOLIA', 'SCA');
      return client.postWithKey('/developer/sign/message', { walletId: id, message: 'hello' });
    },
  },
  { code: 156001, status: 404, cause: 'request', trigger: (client) => client.get(`/wallets/${randomUUID()}`) },
  { code: 156006, status: 400, cause: 'request', trigger: (client) => create(client, { blockchains: ['ETH'] }) },
  { code: 156009, status: 400, cause: 'request', trigger: (client) => client.get('/wallets/abc') },
  {
    code: 156012,
    status: 404,
    cause: 'request',
    trigger: (client) => client.get(`/wallets?pageAfter=${randomUUID()}`),
  },
  { code: 156014, status: 400, cause: 'request', trigger: (client) => client.get('/wallets?pageBefore=2') },
  {
    code: 156017,
    status: 400,
    cause: 'request',
    trigger: (client) => create(client, { blockchains: ['ETH-SEPOLIA', 'ETH-SEPOLIA'] }),
  },
  {
    code: 156027,
    status: 400,
    cause: 'request',
    trigger: (client) => create(client, { blockchains: ['MATIC-MUMBAI'] }),
  },
];
