import { deriveWebhookKey, signWebhook, type WebhookKey } from '../crypto/webhookSignature';
import type { WorldClock } from './clock';
import { Deliveries, type Delivery, type DeliveryRow } from './deliveries';
import { Lane } from './lane';
import type { Random } from './random';
import { callReceiver, isTaken, type Answered } from './receivers';
import type { Settings } from './settings';
import { Subscriptions, isWanted, type Subscription } from './subscriptions';
import type { InputLog } from './state/inputs';
import { HELD_AT_MOST_MS, type WebhookFaults } from './webhookFaults';

/** World time between the tries of a webhook; after the last it is given up. The API's own schedule is not published. */
const RETRY_AFTER_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];

/** Sent once on subscribing, so that a receiver can be tried (api-facts 8). */
const TEST_TYPE = 'webhooks.test';
/** More than the order of the curve needs, so that no key is likelier than another. */
const KEY_SEED_BYTES = 48;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Version 2 of the API's envelope (api-facts 8). */
export interface Envelope {
  subscriptionId: string;
  notificationId: string;
  notificationType: string;
  notification: object;
  timestamp: string;
  version: 2;
}

/** One copy of a try. */
interface Post {
  /** As shown of the delivery; the answer is still to come. */
  attempt: Delivery['attempts'][number];
  keyId: string;
  /** Signed with a key that is not the key id's. */
  forged: boolean;
}

interface Try {
  /** Counts the tries of the world. */
  number: number;
  row: DeliveryRow;
  lane: Lane<DeliveryRow>;
  posts: Post[];
}

type EnvelopeIds = Pick<Envelope, 'subscriptionId' | 'notificationId'>;

/** Subscriptions of a world, and the webhooks sent to them: signed, at least once, in no promised order. */
export class Webhooks {
  readonly subscriptions = new Subscriptions();
  readonly deliveries = new Deliveries();
  readonly signingKey: WebhookKey & { id: string; createDate: string };
  /** Of nobody the API knows. */
  readonly #strangeKey: WebhookKey;
  readonly #lanes = new Map<string, Lane<DeliveryRow>>();
  /** By subscription, for a later one to overtake. */
  readonly #overtaken = new Map<string, DeliveryRow[]>();
  readonly #underWay = new Map<number, Try>();
  #tries = 0;
  /** Nothing is sent: what became of a try is told from outside. */
  #held: boolean;
  readonly #closing = new AbortController();

  constructor(
    private readonly world: {
      clock: WorldClock;
      random: Random;
      /** For keys, apart from ids. */
      keyRandom: Random;
      faults: WebhookFaults;
      settings: Settings;
      log: InputLog;
      /** Until `release`. */
      held: boolean;
    },
  ) {
    const { clock, random, keyRandom } = world;
    this.#held = world.held;
    const key = deriveWebhookKey(keyRandom.bytes(KEY_SEED_BYTES));
    this.signingKey = { id: random.uuid(), createDate: clock.now().toISOString(), ...key };
    this.#strangeKey = deriveWebhookKey(keyRandom.bytes(KEY_SEED_BYTES));
  }

  /** Sends from here on, beginning with what was under way. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    for (const attempt of this.#underWay.values()) void this.#call(attempt);
  }

  /** Why an endpoint can't be subscribed: it has to answer HEAD with 2xx, in time. */
  async probe(endpoint: string): Promise<string | undefined> {
    const answered = await callReceiver(endpoint, { method: 'HEAD' }, this.#limits());
    return isTaken(answered) ? undefined : (answered.error ?? `status ${answered.status}`);
  }

  subscribe(endpoint: string, notificationTypes?: string[]): Subscription {
    const { clock, random } = this.world;
    const subscription = this.subscriptions.add({ id: random.uuid(), endpoint, notificationTypes, at: clock.now() });
    const ids = { subscriptionId: NO_ID, notificationId: NO_ID };
    // No delivery that is kept: it is tried once.
    this.#start(this.#rowOf(subscription, TEST_TYPE, { hello: 'world' }, ids));
    return subscription;
  }

  unsubscribe(id: string): void {
    this.subscriptions.remove(id);
    this.#overtaken.delete(id);
    this.#lanes.delete(id);
  }

  /** Sends `notification`, as it is now, to every subscription that wants the type; returns before anything is sent. */
  emit(type: string, notification: object): void {
    for (const subscription of this.subscriptions.wanting(type)) {
      const row = this.#rowOf(subscription, type, notification);
      const dropped = this.deliveries.add(row);
      if (dropped) this.#drop(dropped);
      this.#sendFirst(row);
    }
  }

  /** Sends one again, now. One that fails once more stays as it was. */
  redeliver(row: DeliveryRow): void {
    row.timer?.();
    this.#start(row);
  }

  /** Resolves when no webhook is on its way; those that wait for their next try don't count, nor slow receivers. */
  async quiet(): Promise<void> {
    for (;;) {
      const busy = [...this.#lanes.values()].filter((lane) => lane.busy);
      if (busy.length === 0) return;
      await Promise.all(busy.map((lane) => lane.next()));
    }
  }

  /** Breaks off what is on its way. */
  close(): void {
    this.#closing.abort();
    for (const lane of this.#lanes.values()) lane.clear();
  }

  #rowOf({ id, endpoint }: Subscription, type: string, notification: object, given?: EnvelopeIds): DeliveryRow {
    const ids = given ?? { subscriptionId: id, notificationId: this.world.random.uuid() };
    const timestamp = this.world.clock.now().toISOString();
    const envelope: Envelope = { ...ids, notificationType: type, notification, timestamp, version: 2 };
    const { notificationId } = ids;
    return {
      shown: { notificationId, subscriptionId: id, endpoint, type, state: 'pending', attempts: [] },
      body: Buffer.from(JSON.stringify(envelope)),
      tries: 0,
      copies: 1,
      overtakes: [],
    };
  }

  /** For the first time, as faults want it. */
  #sendFirst(row: DeliveryRow): void {
    const { subscriptionId, type } = row.shown;
    const faults = this.world.faults.strike((wanted) => isWanted(wanted, type), 'sending');
    const has = (action: string) => faults.some((fault) => fault.action === action);
    if (has('lose')) {
      row.shown.state = 'lost';
      return;
    }
    if (has('double')) row.copies = 2;
    const delayMs = faults.reduce((sum, fault) => sum + (fault.delayMs ?? 0), 0);
    if (has('reorder')) {
      this.#overtaken.set(subscriptionId, [...(this.#overtaken.get(subscriptionId) ?? []), row]);
      this.#startAfter(row, HELD_AT_MOST_MS);
      return;
    }
    row.overtakes = this.#overtaken.get(subscriptionId) ?? [];
    this.#overtaken.delete(subscriptionId);
    if (delayMs > 0) this.#startAfter(row, delayMs);
    else this.#start(row);
  }

  #start(row: DeliveryRow): void {
    delete row.timer;
    delete row.shown.nextAt;
    if (this.#isOpen(row)) this.#laneOf(row).add(row);
    else if (row.shown.state === 'pending') row.shown.state = 'failed';
  }

  /** A subscription that was ended or disabled since gets nothing more. */
  #isOpen({ shown }: DeliveryRow): boolean {
    return this.subscriptions.find(shown.subscriptionId)?.enabled ?? false;
  }

  #startAfter(row: DeliveryRow, milliseconds: number): void {
    const { clock } = this.world;
    row.timer?.();
    row.shown.nextAt = new Date(clock.now().getTime() + milliseconds).toISOString();
    row.timer = clock.after(milliseconds, () => this.#start(row));
  }

  #laneOf({ shown: { subscriptionId } }: DeliveryRow): Lane<DeliveryRow> {
    const lane: Lane<DeliveryRow> =
      this.#lanes.get(subscriptionId) ?? new Lane<DeliveryRow>((row) => this.#begin(row, lane));
    this.#lanes.set(subscriptionId, lane);
    return lane;
  }

  /** One try, of which any copy counts. */
  #begin(row: DeliveryRow, lane: Lane<DeliveryRow>): void {
    const posts = this.#isOpen(row) ? Array.from({ length: row.copies }, () => this.#postOf(row)) : [];
    const attempt = { number: this.#tries++, row, lane, posts };
    this.#underWay.set(attempt.number, attempt);
    if (posts.length === 0) this.end(attempt.number, []);
    else if (!this.#held) void this.#call(attempt);
  }

  #postOf({ shown }: DeliveryRow): Post {
    const { clock, random, faults } = this.world;
    const struck = shown.type === TEST_TYPE ? [] : faults.strike((wanted) => isWanted(wanted, shown.type), 'try');
    const isUnknown = struck.some(({ action }) => action === 'unknownKey');
    const attempt = { at: clock.now().toISOString() };
    shown.attempts.push(attempt);
    return { attempt, keyId: isUnknown ? random.uuid() : this.signingKey.id, forged: struck.length > 0 };
  }

  async #call({ number, row, lane, posts }: Try): Promise<void> {
    const answers = await Promise.all(posts.map((post) => this.#send(row, post, lane)));
    if (this.#closing.signal.aborted) return lane.done();
    this.world.clock.moment(() => {
      this.world.log.add({ at: this.world.clock.now().getTime(), tried: number, answers });
      this.end(number, answers);
    });
  }

  async #send({ shown, body }: DeliveryRow, { keyId, forged }: Post, lane: Lane<DeliveryRow>): Promise<Answered> {
    const { privateKey } = forged ? this.#strangeKey : this.signingKey;
    const headers = {
      'content-type': 'application/json',
      'x-circle-key-id': keyId,
      'x-circle-signature': signWebhook(body, privateKey),
    };
    const answered = await callReceiver(shown.endpoint, { method: 'POST', headers, body }, this.#limits());
    lane.slow = answered.status === undefined && answered.late;
    return answered;
  }

  /** Whether there is a try of this number under way, with as many copies. */
  awaits(number: number, answers: number): boolean {
    return this.#underWay.get(number)?.posts.length === answers;
  }

  /** What became of a try. The clock stands at its time. */
  end(number: number, answers: readonly Answered[]): void {
    const { row, lane, posts } = this.#underWay.get(number)!;
    this.#underWay.delete(number);
    const { shown } = row;
    for (const [index, { status, error }] of answers.entries()) {
      Object.assign(posts[index]!.attempt, status === undefined ? { error } : { status });
    }
    row.copies = 1;
    // Those without a timer have been sent by themselves.
    for (const held of row.overtakes.splice(0)) if (held.timer) this.redeliver(held);
    if (answers.some(isTaken)) shown.state = 'delivered';
    if (shown.state === 'pending') {
      const wait = this.#isOpen(row) && this.deliveries.has(row) ? RETRY_AFTER_MS[row.tries] : undefined;
      row.tries += 1;
      if (wait === undefined) shown.state = 'failed';
      else this.#startAfter(row, wait);
    }
    lane.done();
  }

  #drop(row: DeliveryRow): void {
    const { subscriptionId } = row.shown;
    row.timer?.();
    delete row.timer;
    this.#lanes.get(subscriptionId)?.remove(row);
    const held = this.#overtaken.get(subscriptionId)?.filter((other) => other !== row);
    if (held) this.#overtaken.set(subscriptionId, held);
  }

  #limits() {
    return { withinMs: this.world.settings.webhookAnswerMs, closing: this.#closing.signal };
  }
}
