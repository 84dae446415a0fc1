import { randomBytes } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** Headers of a signed event, as in Standard Webhooks. */
export type EventHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** Generates a secret `whsec_…` in the format of Standard Webhooks. */
export function generateEventSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** @param sentAt the time of this attempt: receivers refuse a signature that is older than five minutes */
export function signEvent(secret: string, id: string, sentAt: Date, body: string): EventHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
}

/** Why the signature of a request is not valid, in the library's words; undefined if it is valid. */
export function signatureProblem(secret: string, headers: Record<string, string>, body: string): string | undefined {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return error.message;
  }
}
