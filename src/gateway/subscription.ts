import type { Api } from '../api';
import { SUBSCRIBED_TYPES } from './routes';

type Notifications = Pick<
  Api,
  'listSubscriptions' | 'createSubscription' | 'updateSubscription' | 'deleteSubscription'
>;

/** `replaced`: it was there with other types, which the API can't change on a subscription. */
export type SubscriptionChange = 'created' | 'kept' | 'enabled' | 'replaced';

/**
 * Has the API send webhooks to an endpoint, once and with the types that flows act on. Safe to repeat; subscriptions of
 * other endpoints are left alone. A new one is there before an old one goes, so that nothing is missed: what both bring
 * counts once.
 * @throws ApiError: also where the endpoint does not answer HEAD
 */
export async function subscribeWebhooks(api: Notifications, endpoint: string): Promise<SubscriptionChange> {
  const own = (await api.listSubscriptions()).data.filter((each) => each.endpoint === endpoint);
  const right = own.find(({ notificationTypes = ['*'] }) => sameTypes(notificationTypes));
  if (!right) await api.createSubscription({ body: { endpoint, notificationTypes: [...SUBSCRIBED_TYPES] } });
  else if (!right.enabled) {
    await api.updateSubscription({ params: { id: right.id }, body: { name: right.name, enabled: true } });
  }
  for (const { id } of own.filter((each) => each !== right)) await api.deleteSubscription({ params: { id } });
  if (right) return right.enabled ? 'kept' : 'enabled';
  return own.length > 0 ? 'replaced' : 'created';
}

function sameTypes(types: readonly string[]): boolean {
  return [...types].sort().join() === [...SUBSCRIBED_TYPES].sort().join();
}
