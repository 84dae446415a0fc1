import { z } from 'zod';

/**
 * The API's envelope, version 2 (api-facts 8). Open: fields that are new pass. The notification's own shape is checked by
 * where it goes.
 */
export const EnvelopeSchema = z.looseObject({
  notificationId: z.string().min(1).max(128),
  notificationType: z
    .string()
    .regex(/^[A-Za-z]+(?:\.[A-Za-z]+)*$/)
    .max(128),
  notification: z.looseObject({}),
  timestamp: z.string().max(64).optional(),
  version: z.literal(2),
});

export type Envelope = z.output<typeof EnvelopeSchema>;

/** The envelope in a webhook's body, or undefined where it holds none. */
export function readEnvelope(raw: Uint8Array): Envelope | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(raw).toString('utf8'));
  } catch {
    return undefined;
  }
  return EnvelopeSchema.safeParse(json).data;
}
