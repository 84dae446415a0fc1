import { randomUUID } from 'node:crypto';
import { Chain, type Answer } from '../chain/support';
import type { Deserved } from './deserved';

const create = async (chain: Chain, body: object): Promise<Answer> => {
  const { data } = await chain.effect('/developer/walletSets');
  return chain.effect('/developer/wallets', { walletSetId: data.walletSet.id, blockchains: ['ETH-SEPOLIA'], ...body });
};
const sca = { accountType: 'SCA' };
const derive = (chain: Chain, id: string, blockchain: string) =>
  chain.send('PUT', `/developer/wallets/${id}/blockchains/${blockchain}`, {});
const upgrade = (chain: Chain, walletId: string) =>
  chain.effect('/developer/transactions/walletUpgrade', {
    walletId,
    newScaCore: 'circle_6900_singleowner_v2',
    feeLevel: 'MEDIUM',
  });
const oldCore = async (chain: Chain) => {
  await chain.world.control.changeSettings({ scaCore: 'circle_4337_v1' });
  return chain.wallet('ETH-SEPOLIA', 'SCA');
};

export const WALLETS: readonly Deserved[] = [
  {
    code: 155501,
    status: 409,
    by: 'setting',
    earn: async (chain) => {
      const { id } = await chain.wallet();
      await chain.world.control.call('POST', `/wallets/${id}/freeze`);
      return chain.send('PUT', `/wallets/${id}`, { name: 'new' });
    },
  },
  { code: 155503, status: 400, by: 'request', earn: (chain) => create(chain, { count: 2, metadata: [{}] }) },
  {
    code: 155505,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const wallet = await chain.funded('ETH-SEPOLIA', 'SCA');
      await chain.transfer(wallet);
      return chain.transfer(wallet);
    },
  },
  {
    code: 155506,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.changeSettings({ scaCore: null });
      return create(chain, sca);
    },
  },
  { code: 155507, status: 400, by: 'request', earn: (chain) => create(chain, { ...sca, blockchains: ['SOL-DEVNET'] }) },
  {
    code: 155509,
    status: 400,
    by: 'setting',
    earn: async () => create(await Chain.open({}, 'live'), { ...sca, blockchains: ['ETH'] }),
  },
  {
    code: 155510,
    status: 400,
    by: 'request',
    earn: async (chain) => derive(chain, (await chain.wallet()).id, 'SOL-DEVNET'),
  },
  {
    code: 155511,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.changeSettings({ noWallets: ['ETH-SEPOLIA'] });
      return create(chain, {});
    },
  },
  {
    code: 155512,
    status: 404,
    by: 'setting',
    earn: async (chain) => {
      const wallet = await chain.funded('ETH-SEPOLIA', 'SCA');
      await chain.world.control.call('POST', `/wallets/${wallet.id}/transferOwnership`);
      return chain.transfer(wallet);
    },
  },
  {
    code: 155514,
    status: 400,
    by: 'setting',
    earn: async (chain) => upgrade(chain, (await oldCore(chain)).id),
  },
  {
    code: 155515,
    status: 400,
    by: 'request',
    earn: async (chain) => upgrade(chain, (await chain.wallet()).id),
  },
  {
    code: 155516,
    status: 400,
    by: 'setting',
    earn: async (chain) => derive(chain, (await oldCore(chain)).id, 'BASE-SEPOLIA'),
  },
  {
    code: 155517,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const { id } = await chain.wallet('ETH-SEPOLIA', 'SCA');
      return chain.effect('/developer/sign/message', { walletId: id, message: 'hello' });
    },
  },
  { code: 156001, status: 404, by: 'request', earn: (chain) => chain.get(`/wallets/${randomUUID()}`) },
  { code: 156006, status: 400, by: 'request', earn: (chain) => create(chain, { blockchains: ['ETH'] }) },
  { code: 156009, status: 400, by: 'request', earn: (chain) => chain.get('/wallets/abc') },
  { code: 156012, status: 404, by: 'request', earn: (chain) => chain.get(`/wallets?pageAfter=${randomUUID()}`) },
  { code: 156014, status: 400, by: 'request', earn: (chain) => chain.get('/wallets?pageBefore=2') },
  {
    code: 156017,
    status: 400,
    by: 'request',
    earn: (chain) => create(chain, { blockchains: ['ETH-SEPOLIA', 'ETH-SEPOLIA'] }),
  },
  { code: 156027, status: 400, by: 'request', earn: (chain) => create(chain, { blockchains: ['MATIC-MUMBAI'] }) },
];
