import { ApiError, type Api } from '../api';
import { isWebhookKey } from '../crypto/webhookSignature';
import type { Allowance } from './allowance';

/** Key ids are UUIDs; nothing else gets into a request (field case WH-02). */
const KEY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** An id that the API did not know is not asked for again for so long, by so many ids at once. */
const UNKNOWN_MS = 5 * 60_000;
const MOST_UNKNOWN = 1_000;
/** A webhook has to be answered within 5 s, and its flow told after this. */
const FETCH_TIMEOUT_MS = 1_500;

/**
 * - `key`          SPKI DER in base64
 * - `unknown`      no key of the API has this id
 * - `unavailable`  it can't be asked for now: the API does not answer, or too many were asked for
 */
export type KeyAnswer = { key: string } | 'unknown' | 'unavailable';

/**
 * The API's keys for webhook signatures. A key never changes, so each is fetched once, one fetch at a time for each id.
 * Whoever calls without a valid signature can make this process send as many requests as `fetches` allows and no more.
 */
export class WebhookKeys {
  readonly #keys = new Map<string, string>();
  /** Until when, by id, the oldest first. */
  readonly #unknown = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<KeyAnswer>>();

  constructor(
    private readonly api: Pick<Api, 'getNotificationKey'>,
    private readonly fetches: Allowance,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether a text can be the id of a key. */
  static isId(text: unknown): text is string {
    return typeof text === 'string' && KEY_ID.test(text.toLowerCase());
  }

  async get(keyId: string): Promise<KeyAnswer> {
    const id = keyId.toLowerCase();
    const key = this.#keys.get(id);
    if (key !== undefined) return { key };
    if ((this.#unknown.get(id) ?? 0) > this.now()) return 'unknown';
    const underWay = this.#underWay.get(id);
    if (underWay) return underWay;
    if (!this.fetches.take()) return 'unavailable';
    const fetching = this.#fetch(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, fetching);
    return fetching;
  }

  async #fetch(id: string): Promise<KeyAnswer> {
    try {
      const { data } = await this.api.getNotificationKey(
        { params: { id } },
        { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) },
      );
      if (data.id.toLowerCase() !== id || !isWebhookKey(data.publicKey)) return 'unavailable';
      this.#keys.set(id, data.publicKey);
      return { key: data.publicKey };
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'refused') return 'unavailable';
      this.#noteUnknown(id);
      return 'unknown';
    }
  }

  #noteUnknown(id: string): void {
    this.#unknown.delete(id);
    this.#unknown.set(id, this.now() + UNKNOWN_MS);
    if (this.#unknown.size > MOST_UNKNOWN) this.#unknown.delete(this.#unknown.keys().next().value!);
  }
}
