import { deriveWebhookKey, signWebhook, type WebhookKey } from '../../crypto/webhookSignature';
import { MAX_REORDER_DELAY_MS, type WebhookFaults } from '../faults/webhookFaults';
import type { WorldClock } from '../kit/clock';
import type { Random } from '../kit/random';
import type { Settings } from '../settings';
import type { InputLog } from '../state/inputs';
import { callReceiver, type EndpointResponse, isDelivered } from './callReceiver';
import { Deliveries, type Delivery, type DeliveryRow } from './deliveries';
import { DeliveryQueue } from './deliveryQueue';
import { matchesType, type Subscription, Subscriptions } from './subscriptions';

/**
 * World time between delivery attempts. After the last one the delivery fails. The API does not publish its schedule.
 */
const RETRY_AFTER_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];

/** Sent once for every new subscription, to test the receiver: docs/api-behavior.md#webhooks */
const TEST_TYPE = 'webhooks.test';
/** More bytes than the order of the curve has, so that the derived keys are uniformly distributed. */
const KEY_SEED_BYTES = 48;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Version 2 of the API's envelope: docs/api-behavior.md#webhooks */
export interface Envelope {
  subscriptionId: string;
  notificationId: string;
  notificationType: string;
  notification: object;
  timestamp: string;
  version: 2;
}

/** One copy of a delivery attempt. */
interface AttemptCopy {
  /** The entry in the delivery's list of attempts; receives the response later. */
  attempt: Delivery['attempts'][number];
  keyId: string;
  /** Signed with a key other than the one that `keyId` names. */
  forged: boolean;
}

interface DeliveryAttempt {
  /** Counts the attempts of the world. */
  number: number;
  row: DeliveryRow;
  queue: DeliveryQueue<DeliveryRow>;
  posts: AttemptCopy[];
}

type EnvelopeIds = Pick<Envelope, 'subscriptionId' | 'notificationId'>;

/** The subscriptions of a world and the webhooks sent to them: signed, at least once, in no guaranteed order. */
export class Webhooks {
  readonly subscriptions = new Subscriptions();
  readonly deliveries = new Deliveries();
  readonly signingKey: WebhookKey & { id: string; createDate: string };
  /** A key that the API does not publish. */
  readonly #unknownKey: WebhookKey;
  readonly #queues = new Map<string, DeliveryQueue<DeliveryRow>>();
  /** Held-back deliveries by subscription, waiting for a later one to overtake them. */
  readonly #deferred = new Map<string, DeliveryRow[]>();
  readonly #inFlight = new Map<number, DeliveryAttempt>();
  #attemptCount = 0;
  /** During a replay nothing is sent; the replay calls `completeAttempt` with the recorded responses. */
  #paused: boolean;
  readonly #closing = new AbortController();

  constructor(
    private readonly world: {
      clock: WorldClock;
      random: Random;
      /** For keys; separate from `random`, which makes ids. */
      keyRandom: Random;
      faults: WebhookFaults;
      settings: Settings;
      log: InputLog;
      /** Starts paused, until `resume` is called. */
      paused: boolean;
    },
  ) {
    const { clock, random, keyRandom } = world;
    this.#paused = world.paused;
    const key = deriveWebhookKey(keyRandom.bytes(KEY_SEED_BYTES));
    this.signingKey = { id: random.uuid(), createDate: clock.now().toISOString(), ...key };
    this.#unknownKey = deriveWebhookKey(keyRandom.bytes(KEY_SEED_BYTES));
  }

  /** Starts sending, first the attempts that were in flight. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    for (const attempt of this.#inFlight.values()) void this.#sendAttempt(attempt);
  }

  /** Returns why an endpoint can't be subscribed: it must respond to HEAD with 2xx in time. Undefined if it can. */
  async probe(endpoint: string): Promise<string | undefined> {
    const response = await callReceiver(endpoint, { method: 'HEAD' }, this.#limits());
    return isDelivered(response) ? undefined : (response.error ?? `status ${response.status}`);
  }

  subscribe(endpoint: string, notificationTypes?: string[]): Subscription {
    const { clock, random } = this.world;
    const subscription = this.subscriptions.add({ id: random.uuid(), endpoint, notificationTypes, at: clock.now() });
    const ids = { subscriptionId: NO_ID, notificationId: NO_ID };
    // Not added to `deliveries`, so it is attempted only once.
    this.#start(this.#rowOf(subscription, TEST_TYPE, { hello: 'world' }, ids));
    return subscription;
  }

  unsubscribe(id: string): void {
    this.subscriptions.remove(id);
    this.#deferred.delete(id);
    this.#queues.delete(id);
  }

  /** Sends a snapshot of `notification` to every subscription that includes the type. Returns before sending. */
  emit(type: string, notification: object): void {
    for (const subscription of this.subscriptions.matching(type)) {
      const row = this.#rowOf(subscription, type, notification);
      const dropped = this.deliveries.add(row);
      if (dropped) this.#drop(dropped);
      this.#firstSend(row);
    }
  }

  /** Sends a delivery again, now. If this attempt fails, the delivery keeps its state. */
  redeliver(row: DeliveryRow): void {
    row.timer?.();
    this.#start(row);
  }

  /**
   * Resolves when no webhook is in flight. Ignores deliveries waiting for their next attempt, and slow receivers.
   */
  async whenIdle(): Promise<void> {
    for (;;) {
      const busy = [...this.#queues.values()].filter((queue) => queue.busy);
      if (busy.length === 0) return;
      await Promise.all(busy.map((queue) => queue.whenOneDone()));
    }
  }

  /** Aborts what is in flight. */
  close(): void {
    this.#closing.abort();
    for (const queue of this.#queues.values()) queue.clear();
  }

  #rowOf({ id, endpoint }: Subscription, type: string, notification: object, fixedIds?: EnvelopeIds): DeliveryRow {
    const ids = fixedIds ?? { subscriptionId: id, notificationId: this.world.random.uuid() };
    const timestamp = this.world.clock.now().toISOString();
    const envelope: Envelope = { ...ids, notificationType: type, notification, timestamp, version: 2 };
    const { notificationId } = ids;
    return {
      resource: { notificationId, subscriptionId: id, endpoint, type, state: 'pending', attempts: [] },
      body: Buffer.from(JSON.stringify(envelope)),
      attemptCount: 0,
      copies: 1,
      deferred: [],
    };
  }

  /** Starts the first attempt, subject to faults. */
  #firstSend(row: DeliveryRow): void {
    const { subscriptionId, type } = row.resource;
    const faults = this.world.faults.strike((pattern) => matchesType(pattern, type), 'emit');
    const has = (action: string) => faults.some((fault) => fault.action === action);
    if (has('lose')) {
      row.resource.state = 'lost';
      return;
    }
    if (has('double')) row.copies = 2;
    const delayMs = faults.reduce((sum, fault) => sum + (fault.delayMs ?? 0), 0);
    if (has('reorder')) {
      this.#deferred.set(subscriptionId, [...(this.#deferred.get(subscriptionId) ?? []), row]);
      this.#startAfter(row, MAX_REORDER_DELAY_MS);
      return;
    }
    row.deferred = this.#deferred.get(subscriptionId) ?? [];
    this.#deferred.delete(subscriptionId);
    if (delayMs > 0) this.#startAfter(row, delayMs);
    else this.#start(row);
  }

  #start(row: DeliveryRow): void {
    delete row.timer;
    delete row.resource.nextAt;
    if (this.#isSubscribed(row)) this.#queueOf(row).add(row);
    else if (row.resource.state === 'pending') row.resource.state = 'failed';
  }

  /** A subscription that has since been deleted or disabled receives nothing more. */
  #isSubscribed({ resource }: DeliveryRow): boolean {
    return this.subscriptions.find(resource.subscriptionId)?.enabled ?? false;
  }

  #startAfter(row: DeliveryRow, milliseconds: number): void {
    const { clock } = this.world;
    row.timer?.();
    row.resource.nextAt = new Date(clock.now().getTime() + milliseconds).toISOString();
    row.timer = clock.after(milliseconds, () => this.#start(row));
  }

  #queueOf({ resource: { subscriptionId } }: DeliveryRow): DeliveryQueue<DeliveryRow> {
    const queue: DeliveryQueue<DeliveryRow> =
      this.#queues.get(subscriptionId) ?? new DeliveryQueue<DeliveryRow>((row) => this.#startAttempt(row, queue));
    this.#queues.set(subscriptionId, queue);
    return queue;
  }

  /** Starts one attempt. It succeeds if any of its copies is delivered. */
  #startAttempt(row: DeliveryRow, queue: DeliveryQueue<DeliveryRow>): void {
    const posts = this.#isSubscribed(row) ? Array.from({ length: row.copies }, () => this.#postOf(row)) : [];
    const attempt = { number: this.#attemptCount++, row, queue, posts };
    this.#inFlight.set(attempt.number, attempt);
    if (posts.length === 0) this.completeAttempt(attempt.number, []);
    else if (!this.#paused) void this.#sendAttempt(attempt);
  }

  #postOf({ resource }: DeliveryRow): AttemptCopy {
    const { clock, random, faults } = this.world;
    const struck =
      resource.type === TEST_TYPE ? [] : faults.strike((pattern) => matchesType(pattern, resource.type), 'attempt');
    const isUnknown = struck.some(({ action }) => action === 'unknownKey');
    const attempt = { at: clock.now().toISOString() };
    resource.attempts.push(attempt);
    return { attempt, keyId: isUnknown ? random.uuid() : this.signingKey.id, forged: struck.length > 0 };
  }

  async #sendAttempt({ number, row, queue, posts }: DeliveryAttempt): Promise<void> {
    const responses = await Promise.all(posts.map((post) => this.#post(row, post, queue)));
    if (this.#closing.signal.aborted) return queue.done();
    this.world.clock.atInstant(() => {
      this.world.log.add({ at: this.world.clock.now().getTime(), tried: number, answers: responses });
      this.completeAttempt(number, responses);
    });
  }

  async #post(
    { resource, body }: DeliveryRow,
    { keyId, forged }: AttemptCopy,
    queue: DeliveryQueue<DeliveryRow>,
  ): Promise<EndpointResponse> {
    const { privateKey } = forged ? this.#unknownKey : this.signingKey;
    const headers = {
      'content-type': 'application/json',
      'x-circle-key-id': keyId,
      'x-circle-signature': signWebhook(body, privateKey),
    };
    const response = await callReceiver(resource.endpoint, { method: 'POST', headers, body }, this.#limits());
    queue.slow = response.status === undefined && response.late;
    return response;
  }

  /** Whether the attempt with this number is in flight and has this many copies. */
  hasAttempt(number: number, copies: number): boolean {
    return this.#inFlight.get(number)?.posts.length === copies;
  }

  /** Records the responses to an attempt. The clock must be at the time of the responses. */
  completeAttempt(number: number, responses: readonly EndpointResponse[]): void {
    const { row, queue, posts } = this.#inFlight.get(number)!;
    this.#inFlight.delete(number);
    const { resource } = row;
    for (const [index, { status, error }] of responses.entries()) {
      Object.assign(posts[index]!.attempt, status === undefined ? { error } : { status });
    }
    row.copies = 1;
    // A deferred delivery without a timer has already been sent.
    for (const deferred of row.deferred.splice(0)) if (deferred.timer) this.redeliver(deferred);
    if (responses.some(isDelivered)) resource.state = 'delivered';
    if (resource.state === 'pending') {
      const wait = this.#isSubscribed(row) && this.deliveries.has(row) ? RETRY_AFTER_MS[row.attemptCount] : undefined;
      row.attemptCount += 1;
      if (wait === undefined) resource.state = 'failed';
      else this.#startAfter(row, wait);
    }
    queue.done();
  }

  #drop(row: DeliveryRow): void {
    const { subscriptionId } = row.resource;
    row.timer?.();
    delete row.timer;
    this.#queues.get(subscriptionId)?.remove(row);
    const deferred = this.#deferred.get(subscriptionId)?.filter((other) => other !== row);
    if (deferred) this.#deferred.set(subscriptionId, deferred);
  }

  #limits() {
    return { withinMs: this.world.settings.webhookAnswerMs, closing: this.#closing.signal };
  }
}
