import { z } from 'zod';
import type { NOTIFICATION_TYPES } from '../api/contract/notifications';

type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/**
 * Whom an event is for (DESIGN rule 6):
 *
 * - `flow`     the flow that its `refId` names
 * - `session`  the session of its user
 * - `box`      nobody yet: kept in the box `parked`, where operators see it
 * - `nobody`   the API tries whether somebody answers
 */
export type Addressee = 'flow' | 'session' | 'box' | 'nobody';

/** By type, or by family where the whole family goes one way; types that are not here go to the box. */
const ROUTES: ReadonlyMap<string, Addressee> = new Map<NotificationType | 'webhooks.test', Addressee>([
  ['webhooks.test', 'nobody'],
  ['transactions.outbound', 'flow'],
  // It bears nobody's refId: who sent it knows nothing of us.
  ['transactions.inbound', 'box'],
  ['challenges.*', 'session'],
  ['contracts.*', 'box'],
  ['travelRule.*', 'box'],
  ['rampSession.*', 'box'],
  ['modularWallet.*', 'box'],
]);

/** What `walletflow setup` subscribes to: what flows act on. Inbound transactions have no flow of their own yet. */
export const SUBSCRIBED_TYPES = ['transactions.outbound', 'challenges.*'] as const satisfies NotificationType[];

export function addresseeOf(type: string): Addressee {
  return ROUTES.get(type) ?? ROUTES.get(`${type.split('.')[0]}.*`) ?? 'box';
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** A transaction as far as flows act on it (api-facts 4, 8). */
export const TransactionNotification = z.object({
  id: z.string().min(1),
  state: z.string().min(1),
  refId: text,
  txHash: text,
  networkFee: text,
  errorReason: text,
  errorDetails: text,
});

/** The end of a challenge (api-facts 8): `errorCode` is 0 on success. */
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
