import { z } from 'zod';
import type { NOTIFICATION_TYPES } from '../api/contract/notifications';

type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/**
 * The target of an event (docs/architecture.md#events-may-come-late-twice-or-never):
 *
 * - `flow`     the flow that its `refId` names
 * - `session`  the session of its user
 * - `held`     no flow handles it: it joins the parked events, where operators see it
 * - `none`     the API's test event, which needs only a response
 */
export type WebhookTarget = 'flow' | 'session' | 'held' | 'none';

/** By type, or by family if the whole family has one target. Types that are not listed are parked. */
const ROUTES: ReadonlyMap<string, WebhookTarget> = new Map<NotificationType | 'webhooks.test', WebhookTarget>([
  ['webhooks.test', 'none'],
  ['transactions.outbound', 'flow'],
  // The `refId` of an inbound transfer never names a flow: the sender is someone else.
  ['transactions.inbound', 'held'],
  ['challenges.*', 'session'],
  ['contracts.*', 'held'],
  ['travelRule.*', 'held'],
  ['rampSession.*', 'held'],
  ['modularWallet.*', 'held'],
]);

/**
 * The types that `walletflow setup` subscribes to: those that flows act on. No flow handles inbound transactions yet.
 */
export const SUBSCRIBED_TYPES = ['transactions.outbound', 'challenges.*'] as const satisfies NotificationType[];

export function targetOf(type: string): WebhookTarget {
  return ROUTES.get(type) ?? ROUTES.get(`${type.split('.')[0]}.*`) ?? 'held';
}

/** The API sends null or an empty text for what it does not know yet. */
const text = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const texts = z
  .array(z.string())
  .nullish()
  .transform((values) => values ?? undefined);

/** Values of any shape. An empty list says nothing. */
const values = z
  .array(z.unknown())
  .nullish()
  .catch(undefined)
  .transform((list) => (list?.length ? list : undefined));

/** An evaluation that cannot be read is left out: the flow then reads the transaction. */
const screeningEvaluation = z
  .object({
    ruleName: text,
    actions: texts,
    reasons: z
      .array(z.object({ source: text, riskScore: text, riskCategories: texts, type: text }))
      .nullish()
      .transform((reasons) => reasons ?? undefined),
  })
  .nullish()
  .catch(undefined)
  .transform((evaluation) => evaluation ?? undefined);

/** The fields of a transaction that flows act on (docs/api-behavior.md#webhooks). */
export const TransactionNotification = z.object({
  id: z.string().min(1),
  state: z.string().min(1),
  refId: text,
  walletId: text,
  destinationAddress: text,
  tokenId: text,
  amounts: texts,
  nfts: values,
  contractAddress: text,
  abiFunctionSignature: text,
  abiParameters: values,
  txHash: text,
  networkFee: text,
  errorReason: text,
  errorDetails: text,
  transactionScreeningEvaluation: screeningEvaluation,
});

/** The end of a challenge (docs/api-behavior.md#webhooks). `errorCode` is 0 on success. */
export const ChallengeNotification = z.object({
  id: z.string().min(1),
  userId: z.string().min(1),
  type: z.string().min(1),
  status: z.string().min(1),
  correlationIds: z
    .array(z.string())
    .nullish()
    .transform((ids) => ids ?? []),
  errorCode: z
    .number()
    .nullish()
    .transform((code) => code || undefined),
});
