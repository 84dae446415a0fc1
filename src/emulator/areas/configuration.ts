import type { Handlers } from '../area';
import { registerEntitySecret } from '../entitySecret';
import { Refusal } from '../refusal';
import { monitoredTokens } from './monitoredTokens';

export const configuration: Handlers<'configuration'> = {
  getEntityConfig: ({ world }) => {
    const { appId } = world.settings;
    if (appId === null) throw new Refusal(156008);
    return { body: { data: { appId } } };
  },

  getEntityPublicKey: ({ world }) => ({ body: { data: { publicKey: world.entityKey.publicKeyPem } } }),

  registerEntitySecret: ({ world, body }) => ({
    body: { data: { recoveryFile: registerEntitySecret(world, body.entitySecretCiphertext) } },
  }),

  ...monitoredTokens,
};
