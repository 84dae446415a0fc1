import { generateWebhookKey, signWebhook, type WebhookKey } from '../crypto/webhookSignature';
import type { WorldClock } from './clock';
import type { Random } from './random';
import { Subscriptions, type Subscription } from './subscriptions';

/** A receiver has to answer 2xx within this real time (api-facts 8). */
const ANSWER_WITHIN_MS = 5_000;
/** World time between the tries of a webhook; after the last it is given up. The API's own schedule is not published. */
const RETRY_AFTER_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];
/** Deliveries kept for the list; the oldest are dropped. */
const KEPT = 10_000;

/** A webhook to one subscription, with every try to deliver it. */
export interface Delivery {
  /** The same on every try: receivers dedupe on it. */
  notificationId: string;
  subscriptionId: string;
  endpoint: string;
  type: string;
  state: 'pending' | 'delivered' | 'failed';
  /** World time, ISO 8601, of each try, with the receiver's status or why there is none. */
  attempts: { at: string; status?: number; error?: string }[];
}

/** Version 2 of the API's envelope (api-facts 8). */
export interface Envelope {
  subscriptionId: string;
  notificationId: string;
  notificationType: string;
  notification: object;
  timestamp: string;
  version: 2;
}

/** Subscriptions of a world, and the webhooks sent to them: signed, at least once, in no promised order. */
export class Webhooks {
  readonly subscriptions = new Subscriptions();
  readonly signingKey: WebhookKey & { id: string; createDate: string };
  #deliveries: Delivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(
    private readonly clock: WorldClock,
    private readonly random: Random,
  ) {
    this.signingKey = { id: random.uuid(), createDate: clock.now().toISOString(), ...generateWebhookKey() };
  }

  subscribe(endpoint: string, notificationTypes?: string[]): Subscription {
    return this.subscriptions.add({ id: this.random.uuid(), endpoint, notificationTypes, at: this.clock.now() });
  }

  /** Sends `notification`, as it is now, to every subscription that wants the type; returns before anything is sent. */
  emit(type: string, notification: object): void {
    for (const { id, endpoint } of this.subscriptions.wanting(type)) {
      const notificationId = this.random.uuid();
      const envelope: Envelope = {
        subscriptionId: id,
        notificationId,
        notificationType: type,
        notification,
        timestamp: this.clock.now().toISOString(),
        version: 2,
      };
      const delivery: Delivery = { notificationId, subscriptionId: id, endpoint, type, state: 'pending', attempts: [] };
      this.#deliveries.push(delivery);
      if (this.#deliveries.length >= 2 * KEPT) this.#deliveries = this.#deliveries.slice(-KEPT);
      this.#try(delivery, Buffer.from(JSON.stringify(envelope)));
    }
  }

  /** Oldest first. */
  deliveries(): Delivery[] {
    return this.#deliveries.slice(-KEPT);
  }

  /** Resolves when no webhook is on its way; those that wait for their next try don't count. */
  async quiet(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Breaks off what is on its way. */
  close(): void {
    this.#closing.abort();
  }

  #try(delivery: Delivery, body: Buffer): void {
    const sending = this.#send(delivery, body).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #send(delivery: Delivery, body: Buffer): Promise<void> {
    const attempt: Delivery['attempts'][number] = { at: this.clock.now().toISOString() };
    delivery.attempts.push(attempt);
    try {
      const answer = await fetch(delivery.endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-circle-key-id': this.signingKey.id,
          'x-circle-signature': signWebhook(body, this.signingKey.privateKey),
        },
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN_MS), this.#closing.signal]),
      });
      attempt.status = answer.status;
      await answer.body?.cancel();
    } catch (error) {
      attempt.error = reasonOf(error);
    }
    if (attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300) {
      delivery.state = 'delivered';
      return;
    }
    const wait = RETRY_AFTER_MS[delivery.attempts.length - 1];
    if (wait === undefined) delivery.state = 'failed';
    else this.clock.after(wait, () => this.#retry(delivery, body));
  }

  /** A subscription that was ended or disabled since gets nothing more. */
  #retry(delivery: Delivery, body: Buffer): void {
    if (this.subscriptions.find(delivery.subscriptionId)?.enabled) this.#try(delivery, body);
    else delivery.state = 'failed';
  }
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
}
