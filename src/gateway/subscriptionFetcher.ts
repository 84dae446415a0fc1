import type { Api } from '../api';
import type { FetchById } from './cachedLookup';

/**
 * Reads a subscription with the entity's API key, which shows only the entity's own subscriptions. Another account can
 * make the API send correctly signed webhooks to our endpoint (docs/api-behavior.md#webhooks).
 */
export function subscriptionFetcher(api: Pick<Api, 'getSubscription'>): FetchById<true> {
  return async (id, options) => {
    const { data } = await api.getSubscription({ params: { id } }, options);
    return data.id.toLowerCase() === id ? true : undefined;
  };
}
