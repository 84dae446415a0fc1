import type { Api } from '../api';
import type { Fetch } from './lookup';

/**
 * Reads a subscription of the entity's own. Anybody with an account at the API can have it send webhooks to our endpoint,
 * rightly signed; by its API key an entity sees no subscriptions but its own.
 */
export function ownSubscriptions(api: Pick<Api, 'getSubscription'>): Fetch<true> {
  return async (id, options) => {
    const { data } = await api.getSubscription({ params: { id } }, options);
    return data.id.toLowerCase() === id ? true : undefined;
  };
}
