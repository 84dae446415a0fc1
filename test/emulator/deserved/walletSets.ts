import { randomUUID } from 'node:crypto';
import type { Deserved } from './deserved';

export const WALLET_SETS: readonly Deserved[] = [
  {
    code: 155502,
    status: 403,
    by: 'setting',
    earn: async (chain) => {
      const { walletSetId } = await chain.wallet();
      await chain.world.control.call('POST', `/walletSets/${walletSetId}/capacity`, { wallets: 1 });
      return chain.effect('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'] });
    },
  },
  {
    code: 155601,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const id = randomUUID();
      await chain.effect('/developer/walletSets', { id, name: 'first' });
      return chain.effect('/developer/walletSets', { id, name: 'second' });
    },
  },
  { code: 156005, status: 404, by: 'request', earn: (chain) => chain.get(`/walletSets/${randomUUID()}`) },
  {
    code: 156021,
    status: 409,
    by: 'request',
    earn: async (chain) => chain.effect('/developer/walletSets', { id: (await chain.wallet()).id }),
  },
];
