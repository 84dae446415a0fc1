import type { Handlers, Preparation } from '../area';
import { Refusal } from '../refusal';
import type { Subscription } from '../subscriptions';
import type { World } from '../world';

/** Subscriptions have no code of their own for "not found". */
function findSubscription(world: World, id: string): Subscription {
  const subscription = world.webhooks.subscriptions.find(id);
  if (!subscription) throw new Refusal(404, { message: 'Subscription not found' });
  return subscription;
}

function requireRoom({ webhooks }: World): void {
  if (webhooks.subscriptions.isFull()) throw new Refusal(2, { message: 'There are as many subscriptions as can be' });
}

/** An endpoint has to answer HEAD before it is subscribed (api-facts 8). @throws Refusal 2 */
export const checkEndpoint: Preparation<'createSubscription'> = async ({ world, body }) => {
  requireRoom(world);
  const problem = await world.webhooks.probe(body.endpoint);
  if (problem === undefined) return;
  const location = 'endpoint';
  const message = `${location}: HEAD was not answered as it should be: ${problem}`;
  throw new Refusal(2, {
    message: 'API parameter invalid',
    errors: [{ error: 'invalid_value', message, location, invalidValue: body.endpoint }],
  });
};

export const notifications: Handlers<'notifications'> = {
  createSubscription({ world, body }) {
    requireRoom(world);
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
    if (params.id !== id) throw new Refusal(404, { message: 'Public key not found' });
    return { body: { data: { id, algorithm: 'ECDSA_SHA_256', publicKey, createDate } } };
  },
};
