import { randomUUID } from 'node:crypto';
import type { Deserved } from './deserved';

export const CONFIGURATION: readonly Deserved[] = [
  { code: 156002, status: 404, by: 'request', earn: (chain) => chain.get(`/tokens/${randomUUID()}`) },
  {
    code: 156007,
    status: 401,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.setKeyState('revoked');
      return chain.get('/config/entity');
    },
  },
  {
    code: 156008,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.changeSettings({ appId: null });
      return chain.get('/config/entity');
    },
  },
  {
    code: 156010,
    status: 404,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.setKeyState('orphaned');
      return chain.get('/config/entity');
    },
  },
  {
    code: 156004,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const ciphertext = await chain.ciphertext();
      await chain.effect('/developer/walletSets', ciphertext);
      return chain.effect('/developer/walletSets', ciphertext);
    },
  },
  {
    code: 156013,
    status: 400,
    by: 'request',
    earn: (chain) => chain.effect('/developer/walletSets', { entitySecretCiphertext: 'bm9uZQ==' }),
  },
  {
    code: 156015,
    status: 409,
    by: 'request',
    earn: async (chain) => chain.send('POST', '/config/entity/entitySecret', await chain.ciphertext()),
  },
  {
    code: 156016,
    status: 403,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.setEntitySecret(null);
      return chain.effect('/developer/walletSets');
    },
  },
  {
    code: 156018,
    status: 403,
    by: 'setting',
    earn: async (chain) => {
      const { entitySecretCiphertext } = await chain.ciphertext();
      return chain.control('POST', '/entitySecret/reset', {
        recoveryFile: 'none',
        newEntitySecretCiphertext: entitySecretCiphertext,
      });
    },
  },
  {
    code: 156019,
    status: 403,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.changeSettings({ rotationDue: true });
      return chain.effect('/developer/walletSets');
    },
  },
  {
    code: 156020,
    status: 403,
    by: 'request',
    earn: async (chain) => {
      const idempotencyKey = randomUUID();
      await chain.effect('/developer/walletSets', { idempotencyKey });
      return chain.effect('/developer/walletSets', { idempotencyKey });
    },
  },
];
