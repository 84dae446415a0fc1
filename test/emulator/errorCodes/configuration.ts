import { randomUUID } from 'node:crypto';
import type { ErrorCodeCase } from './errorCodeCase';

export const CONFIGURATION: readonly ErrorCodeCase[] = [
  { code: 156002, status: 404, cause: 'request', trigger: (client) => client.get(`/tokens/${randomUUID()}`) },
  {
    code: 156007,
    status: 401,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.setKeyState('revoked');
      return client.get('/config/entity');
    },
  },
  {
    code: 156008,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.changeSettings({ appId: null });
      return client.get('/config/entity');
    },
  },
  {
    code: 156010,
    status: 404,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.setKeyState('orphaned');
      return client.get('/config/entity');
    },
  },
  {
    code: 156004,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const ciphertext = await client.ciphertext();
      await client.postWithKey('/developer/walletSets', ciphertext);
      return client.postWithKey('/developer/walletSets', ciphertext);
    },
  },
  {
    code: 156013,
    status: 400,
    cause: 'request',
    trigger: (client) => client.postWithKey('/developer/walletSets', { entitySecretCiphertext: 'bm9uZQ==' }),
  },
  {
    code: 156015,
    status: 409,
    cause: 'request',
    trigger: async (client) => client.send('POST', '/config/entity/entitySecret', await client.ciphertext()),
  },
  {
    code: 156016,
    status: 403,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.setEntitySecret(null);
      return client.postWithKey('/developer/walletSets');
    },
  },
  {
    code: 156018,
    status: 403,
    cause: 'setting',
    trigger: async (client) => {
      const { entitySecretCiphertext } = await client.ciphertext();
      return client.control('POST', '/entitySecret/reset', {
        recoveryFile: 'none',
        newEntitySecretCiphertext: entitySecretCiphertext,
      });
    },
  },
  {
    code: 156019,
    status: 403,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.changeSettings({ rotationDue: true });
      return client.postWithKey('/developer/walletSets');
    },
  },
  {
    code: 156020,
    status: 403,
    cause: 'request',
    trigger: async (client) => {
      const idempotencyKey = randomUUID();
      await client.postWithKey('/developer/walletSets', { idempotencyKey });
      return client.postWithKey('/developer/walletSets', { idempotencyKey });
    },
  },
];
