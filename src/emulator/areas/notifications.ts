import type { Handlers } from '../area';
import { Refusal } from '../refusal';
import type { Subscription } from '../subscriptions';
import type { World } from '../world';

/** Subscriptions have no code of their own for "not found". */
function findSubscription(world: World, id: string): Subscription {
  const subscription = world.webhooks.subscriptions.find(id);
  if (!subscription) throw new Refusal(404, { message: 'Subscription not found' });
  return subscription;
}

export const notifications: Handlers<'notifications'> = {
  createSubscription: ({ world, body }) => ({
    body: { data: world.webhooks.subscribe(body.endpoint, body.notificationTypes) },
  }),

  listSubscriptions: ({ world }) => ({ body: { data: world.webhooks.subscriptions.list() } }),

  getSubscription: ({ world, params }) => ({ body: { data: findSubscription(world, params.id) } }),

  updateSubscription: ({ world, params, body }) => {
    const updateDate = world.clock.now().toISOString();
    return { body: { data: Object.assign(findSubscription(world, params.id), body, { updateDate }) } };
  },

  deleteSubscription: ({ world, params }) => {
    world.webhooks.subscriptions.remove(findSubscription(world, params.id).id);
    return { status: 204, body: undefined };
  },

  getNotificationKey: ({ world, params }) => {
    const { id, publicKey, createDate } = world.webhooks.signingKey;
    if (params.id !== id) throw new Refusal(404, { message: 'Public key not found' });
    return { body: { data: { id, algorithm: 'ECDSA_SHA_256', publicKey, createDate } } };
  },
};
