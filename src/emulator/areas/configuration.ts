import type { Handlers } from '../area';
import { Refusal } from '../refusal';
import { monitoredTokens } from './monitoredTokens';

export const configuration: Handlers<'configuration'> = {
  getEntityConfig: ({ world }) => {
    const { appId } = world.settings;
    if (appId === null) throw new Refusal(156008);
    return { body: { data: { appId } } };
  },

  getEntityPublicKey: ({ world }) => ({ body: { data: { publicKey: world.entityKey.publicKeyPem } } }),

  ...monitoredTokens,
};
