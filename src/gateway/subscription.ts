import type { Api } from '../api';
import { SUBSCRIBED_TYPES } from './routes';

type Notifications = Pick<
  Api,
  'listSubscriptions' | 'createSubscription' | 'updateSubscription' | 'deleteSubscription'
>;

/** `replaced`: it existed with other types, and the API cannot change the types of a subscription. */
export type SubscriptionChange = 'created' | 'unchanged' | 'enabled' | 'replaced';

/**
 * Subscribes an endpoint to the webhook types that flows act on. Safe to repeat. It does not touch subscriptions of
 * other endpoints. A new subscription is created before an old one is deleted, so that no event is missed. An event
 * that both send is handled once.
 * @throws ApiError, for example if the endpoint does not answer HEAD
 */
export async function subscribeWebhooks(api: Notifications, endpoint: string): Promise<SubscriptionChange> {
  const existing = (await api.listSubscriptions()).data.filter((each) => each.endpoint === endpoint);
  const matching = existing.find(({ notificationTypes = ['*'] }) => sameTypes(notificationTypes));
  if (!matching) await api.createSubscription({ body: { endpoint, notificationTypes: [...SUBSCRIBED_TYPES] } });
  else if (!matching.enabled) {
    await api.updateSubscription({ params: { id: matching.id }, body: { name: matching.name, enabled: true } });
  }
  for (const { id } of existing.filter((each) => each !== matching)) await api.deleteSubscription({ params: { id } });
  if (matching) return matching.enabled ? 'unchanged' : 'enabled';
  return existing.length > 0 ? 'replaced' : 'created';
}

function sameTypes(types: readonly string[]): boolean {
  return [...types].sort().join() === [...SUBSCRIBED_TYPES].sort().join();
}
