import { z } from 'zod';
import { isId } from './cachedLookup';

/** An event of the API, as it is delivered and parked. The target checks the shape of the notification itself. */
export const NotificationSchema = z.looseObject({
  notificationId: z.string().min(1).max(128),
  notificationType: z
    .string()
    .regex(/^[A-Za-z]+(?:\.[A-Za-z_]+)*$/)
    .max(128),
  notification: z.looseObject({}),
});

export type Notification = z.output<typeof NotificationSchema>;

/** The API's envelope, version 2 (docs/api-behavior.md#webhooks). Unknown fields are allowed. */
const EnvelopeSchema = NotificationSchema.extend({
  subscriptionId: z.string().refine(isId),
  timestamp: z.string().max(64).optional(),
  version: z.literal(2),
});

export type Envelope = z.output<typeof EnvelopeSchema>;

/** The envelope in a webhook's body, or undefined if the body is not one. */
export function readEnvelope(raw: Uint8Array): Envelope | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(raw).toString('utf8'));
  } catch {
    return undefined;
  }
  return EnvelopeSchema.safeParse(json).data;
}
