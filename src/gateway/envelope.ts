import { z } from 'zod';
import { decodeUtf8, type JsonTextProblem, parseExactJson } from '../exactJson';
import { isId } from './cachedLookup';

/** An event of the API, as it is delivered and parked. The target checks the shape of the notification itself. */
const NotificationSchema = z.looseObject({
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

/** A webhook's event, and its body exactly as the API sent it. */
export interface ReceivedWebhook<E extends Notification = Notification> {
  event: E;
  /**
   * Contains what `event` may change: spaces, the notation of numbers, the order of fields. Parked webhooks keep this
   * text.
   */
  text: string;
}

/** `malformed`: also JSON that is not an envelope. */
export type WebhookBodyProblem = JsonTextProblem | 'notUtf8';

/** Reads the body of a webhook as received. */
export function readWebhook(body: Uint8Array): ReceivedWebhook<Envelope> | WebhookBodyProblem {
  const text = decodeUtf8(body);
  return text === undefined ? 'notUtf8' : readEvent(text, EnvelopeSchema);
}

/** Reads the text of a parked webhook. */
export function readParkedWebhook(text: unknown): ReceivedWebhook | JsonTextProblem {
  return typeof text === 'string' ? readEvent(text, NotificationSchema) : 'malformed';
}

function readEvent<E extends Notification>(text: string, schema: z.ZodType<E>): ReceivedWebhook<E> | JsonTextProblem {
  const parsed = parseExactJson(text);
  if (typeof parsed === 'string') return parsed;
  const { data } = schema.safeParse(parsed.value);
  return data ? { event: data, text } : 'malformed';
}
