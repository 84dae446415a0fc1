import type { Api } from '../api';
import { isWebhookKey } from '../crypto/webhookSignature';
import type { Fetch } from './lookup';

/** Reads a key that the API signs webhooks with: SPKI DER in base64. */
export function webhookKeys(api: Pick<Api, 'getNotificationKey'>): Fetch<string> {
  return async (id, options) => {
    const { data } = await api.getNotificationKey({ params: { id } }, options);
    return data.id.toLowerCase() === id && isWebhookKey(data.publicKey) ? data.publicKey : undefined;
  };
}
