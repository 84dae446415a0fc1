import { z } from 'zod';
import { endpoint } from './endpoint';
import { data, idParams, openEnum, rows, timestamp } from './schema';

/**
 * The types that a subscription can name (docs/api-behavior.md#webhooks); `.*` covers a whole family. There is no type
 * for signing challenges. The API sends `webhooks.test` without a subscription to it.
 */
export const NOTIFICATION_TYPES = [
  '*',
  'transactions.*',
  'transactions.inbound',
  'transactions.outbound',
  'challenges.*',
  'challenges.accelerateTransaction',
  'challenges.cancelTransaction',
  'challenges.changePin',
  'challenges.contractExecution',
  'challenges.createTransaction',
  'challenges.createWallet',
  'challenges.initialize',
  'challenges.restorePin',
  'challenges.setPin',
  'challenges.setSecurityQuestions',
  'contracts.*',
  'contracts.eventLog',
  'modularWallet.*',
  'modularWallet.userOperation',
  'modularWallet.inboundTransfer',
  'modularWallet.outboundTransfer',
  'travelRule.*',
  'travelRule.statusUpdate',
  'travelRule.approve',
  'travelRule.deny',
  'rampSession.*',
  'rampSession.completed',
  'rampSession.depositReceived',
  'rampSession.expired',
  'rampSession.failed',
  'rampSession.kycApproved',
  'rampSession.kycRejected',
  'rampSession.kycSubmitted',
] as const;

const subscription = z.object({
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  enabled: z.boolean(),
  restricted: z.boolean().optional(),
  notificationTypes: z.array(openEnum(NOTIFICATION_TYPES)).optional(),
  createDate: timestamp,
  updateDate: timestamp,
});
const Subscription = data(subscription);

/** Webhook subscriptions and the keys that sign webhooks (docs/api-behavior.md#webhooks). */
export const notifications = {
  createSubscription: endpoint({
    method: 'POST',
    path: '/v2/notifications/subscriptions',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'none',
    body: z.object({
      endpoint: z.url({ protocol: /^https?$/ }),
      /** Without it, all types. */
      notificationTypes: z.array(z.enum(NOTIFICATION_TYPES)).min(1).optional(),
    }),
    response: Subscription,
    summary: 'Subscribes an endpoint to webhooks; it must answer HEAD within 5 seconds',
  }),
  listSubscriptions: endpoint({
    method: 'GET',
    path: '/v2/notifications/subscriptions',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    response: data(rows(subscription)),
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
    summary: 'Returns one subscription',
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
    summary: 'Deletes a subscription',
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
    summary: 'Returns the public key (base64 SPKI DER) of a webhook signature',
  }),
};
