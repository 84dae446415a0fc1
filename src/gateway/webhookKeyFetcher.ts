import type { Api } from '../api';
import { isWebhookKey } from '../crypto/webhookSignature';
import type { FetchById } from './cachedLookup';

/** Reads a key with which the API signs webhooks: SPKI DER in base64. */
export function webhookKeyFetcher(api: Pick<Api, 'getNotificationKey'>): FetchById<string> {
  return async (id, options) => {
    const { data } = await api.getNotificationKey({ params: { id } }, options);
    return data.id.toLowerCase() === id && isWebhookKey(data.publicKey) ? data.publicKey : undefined;
  };
}
