import { ApiError } from '../api';
import type { Allowance } from './allowance';

/** Ids of the API are UUIDs; nothing else gets into a request (field case WH-02). */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An id that the API did not know is not asked for again for so long, by so many ids at once. */
const UNKNOWN_MS = 5 * 60_000;
const MOST_UNKNOWN = 1_000;
/** A webhook has to be answered within 5 s: two look-ups, and its flow told after them. */
const FETCH_TIMEOUT_MS = 1_500;

/**
 * - `found`        what the API has under the id
 * - `unknown`      it has nothing
 * - `unavailable`  it can't be asked for now: it does not answer, or too many were asked for
 */
export type Looked<T> = { found: T } | 'unknown' | 'unavailable';

/** Asks the API for what has an id; undefined where the answer can't be used. */
export type Fetch<T> = (id: string, options: { signal: AbortSignal }) => Promise<T | undefined>;

/** Whether a text can be an id of the API. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text);
}

/**
 * What the API has under ids that outsiders name, and never changes: each is fetched once, one fetch at a time for each id.
 * Whatever they name, this process sends as many requests as `fetches` allows and no more.
 */
export class Lookup<T> {
  readonly #found = new Map<string, T>();
  /** Until when, by id, the oldest first. */
  readonly #unknown = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<Looked<T>>>();

  constructor(
    private readonly fetch: Fetch<T>,
    private readonly fetches: Allowance,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param anyCase `isId` */
  async get(anyCase: string): Promise<Looked<T>> {
    const id = anyCase.toLowerCase();
    const found = this.#found.get(id);
    if (found !== undefined) return { found };
    if ((this.#unknown.get(id) ?? 0) > this.now()) return 'unknown';
    const underWay = this.#underWay.get(id);
    if (underWay) return underWay;
    if (!this.fetches.take()) return 'unavailable';
    const fetching = this.#fetch(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, fetching);
    return fetching;
  }

  async #fetch(id: string): Promise<Looked<T>> {
    try {
      const found = await this.fetch(id, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
      if (found === undefined) return 'unavailable';
      this.#found.set(id, found);
      return { found };
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
