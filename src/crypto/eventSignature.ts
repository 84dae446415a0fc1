import { randomBytes } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** Headers of a signed event, by Standard Webhooks. */
export type EventHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** A new secret, `whsec_…`, as Standard Webhooks writes one. */
export function generateEventSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** @param sentAt of this attempt: a receiver refuses what was signed more than five minutes ago */
export function signEvent(secret: string, id: string, sentAt: Date, body: string): EventHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
}

/** Why a request is not one of ours, in the library's words; undefined when it is. */
export function signatureProblem(secret: string, headers: Record<string, string>, body: string): string | undefined {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return error.message;
  }
}
