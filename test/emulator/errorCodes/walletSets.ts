import { randomUUID } from 'node:crypto';
import type { ErrorCodeCase } from './errorCodeCase';

export const WALLET_SETS: readonly ErrorCodeCase[] = [
  {
    code: 155502,
    status: 403,
    cause: 'setting',
    trigger: async (client) => {
      const { walletSetId } = await client.wallet();
      await client.world.control.call('POST', `/walletSets/${walletSetId}/capacity`, { wallets: 1 });
      return client.postWithKey('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'] });
    },
  },
  {
    code: 155601,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const id = randomUUID();
      await client.postWithKey('/developer/walletSets', { id, name: 'first' });
      return client.postWithKey('/developer/walletSets', { id, name: 'second' });
    },
  },
  { code: 156005, status: 404, cause: 'request', trigger: (client) => client.get(`/walletSets/${randomUUID()}`) },
  {
    code: 156021,
    status: 409,
    cause: 'request',
    trigger: async (client) => client.postWithKey('/developer/walletSets', { id: (await client.wallet()).id }),
  },
];
