import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { AsyncCheck, Handlers } from '../http/handler';
import type { Subscription } from '../webhooks/subscriptions';
import type { World } from '../world/world';

/** @throws ApiErrorResponse 404; the API has no separate "not found" code for subscriptions */
function findSubscription(world: World, id: string): Subscription {
  const subscription = world.webhooks.subscriptions.find(id);
  if (!subscription) throw new ApiErrorResponse(404, { message: 'Subscription not found' });
  return subscription;
}

function requireSubscriptionSlot({ webhooks }: World): void {
  if (webhooks.subscriptions.isFull())
    throw new ApiErrorResponse(2, { message: 'The maximum number of subscriptions is reached: delete one first' });
}

/**
 * An endpoint must respond to HEAD before it can be subscribed (docs/api-behavior.md#webhooks).
 * @throws ApiErrorResponse 2 it does not, or there are too many subscriptions
 */
export const checkEndpoint: AsyncCheck<'createSubscription'> = async ({ world, body }) => {
  requireSubscriptionSlot(world);
  const problem = await world.webhooks.probe(body.endpoint);
  if (problem === undefined) return;
  const location = 'endpoint';
  const message = `${location}: the HEAD request failed: ${problem}`;
  throw new ApiErrorResponse(2, {
    message: 'API parameter invalid',
    errors: [{ error: 'invalid_value', message, location, invalidValue: body.endpoint }],
  });
};

export const notifications: Handlers<'notifications'> = {
  createSubscription({ world, body }) {
    requireSubscriptionSlot(world);
    return { body: { data: world.webhooks.subscribe(body.endpoint, body.notificationTypes) } };
  },

  listSubscriptions: ({ world }) => ({ body: { data: world.webhooks.subscriptions.list() } }),

  getSubscription: ({ world, params }) => ({ body: { data: findSubscription(world, params.id) } }),

  updateSubscription: ({ world, params, body }) => {
    const updateDate = world.clock.now().toISOString();
    return { body: { data: Object.assign(findSubscription(world, params.id), body, { updateDate }) } };
  },

  deleteSubscription: ({ world, params }) => {
    world.webhooks.unsubscribe(findSubscription(world, params.id).id);
    return { status: 204, body: undefined };
  },

  getNotificationKey: ({ world, params }) => {
    const { id, publicKey, createDate } = world.webhooks.signingKey;
    if (params.id !== id) throw new ApiErrorResponse(404, { message: 'Public key not found' });
    return { body: { data: { id, algorithm: 'ECDSA_SHA_256', publicKey, createDate } } };
  },
};
