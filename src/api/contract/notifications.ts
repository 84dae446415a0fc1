import { z } from 'zod';
import { endpoint } from './endpoint';
import { data, idParams, timestamp } from './schema';

const subscription = z.object({
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  enabled: z.boolean(),
  restricted: z.boolean().optional(),
  notificationTypes: z.array(z.string()).optional(),
  createDate: timestamp,
  updateDate: timestamp,
});
const Subscription = data(subscription);

/** Webhook subscriptions and the keys that sign webhooks (api-facts 8). */
export const notifications = {
  createSubscription: endpoint({
    method: 'POST',
    path: '/v2/notifications/subscriptions',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'none',
    body: z.object({ endpoint: z.url(), notificationTypes: z.array(z.string()).min(1).optional() }),
    response: Subscription,
    summary: 'Subscribes an endpoint to webhooks',
  }),
  listSubscriptions: endpoint({
    method: 'GET',
    path: '/v2/notifications/subscriptions',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    response: data(z.array(subscription)),
    summary: 'Lists subscriptions',
  }),
  getSubscription: endpoint({
    method: 'GET',
    path: '/v2/notifications/subscriptions/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: Subscription,
    errors: [156009],
    summary: 'One subscription',
  }),
  updateSubscription: endpoint({
    method: 'PATCH',
    path: '/v2/notifications/subscriptions/{id}',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'repeatable',
    params: idParams,
    body: z.object({ name: z.string(), enabled: z.boolean() }),
    response: Subscription,
    errors: [156009],
    summary: 'Renames, enables or disables a subscription',
  }),
  deleteSubscription: endpoint({
    method: 'DELETE',
    path: '/v2/notifications/subscriptions/{id}',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'natural',
    params: idParams,
    errors: [156009],
    summary: 'Ends a subscription',
  }),
  getNotificationKey: endpoint({
    method: 'GET',
    path: '/v2/notifications/publicKey/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: data(z.object({ id: z.string(), algorithm: z.string(), publicKey: z.string(), createDate: timestamp })),
    errors: [156009],
    summary: 'The public key (base64 SPKI DER) behind a webhook signature',
  }),
};
