import { registerEntitySecret } from '../credentials/entitySecret';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { monitoredTokens } from './monitoredTokens';

export const configuration: Handlers<'configuration'> = {
  getEntityConfig: ({ world }) => {
    const { appId } = world.settings;
    if (appId === null) throw new ApiErrorResponse(156008);
    return { body: { data: { appId } } };
  },

  getEntityPublicKey: ({ world }) => ({ body: { data: { publicKey: world.entityKey.publicKeyPem } } }),

  registerEntitySecret: ({ world, body }) => ({
    body: { data: { recoveryFile: registerEntitySecret(world, body.entitySecretCiphertext) } },
  }),

  ...monitoredTokens,
};
