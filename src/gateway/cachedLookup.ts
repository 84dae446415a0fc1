import { LRUCache } from 'lru-cache';
import { ApiError } from '../api';
import type { RateLimiter } from './rateLimiter';

/** The API's ids are UUIDs. Nothing else from a webhook may become part of a request path. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How long, and for how many ids, the gateway remembers that the API does not know an id. */
const UNKNOWN_TTL_MS = 5 * 60_000;
const MAX_UNKNOWN = 1_000;
/** A webhook needs its response within 5 s, after up to two lookups and the delivery to a flow. */
const FETCH_TIMEOUT_MS = 1_500;

/**
 * - `found`        the resource with this id
 * - `unknown`      the API does not know the id
 * - `unavailable`  no result for now: the API does not respond, or the rate limit of lookups is reached
 */
export type LookupResult<T> = { found: T } | 'unknown' | 'unavailable';

/** Reads the resource with this id from the API; undefined if the response cannot be used. */
export type FetchById<T> = (id: string, options: { signal: AbortSignal }) => Promise<T | undefined>;

/** Whether a value has the form of the API's ids. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text);
}

/**
 * Caches data of the API that never changes, by ids that untrusted webhooks name. Each id is fetched once, with one
 * fetch at a time. Whatever ids arrive, this process sends no more requests than `fetchLimiter` allows.
 */
export class CachedLookup<T> {
  readonly #found = new Map<string, T>();
  readonly #unknown: LRUCache<string, true>;
  readonly #inFlight = new Map<string, Promise<LookupResult<T>>>();

  constructor(
    private readonly fetch: FetchById<T>,
    private readonly fetchLimiter: RateLimiter,
    /** Monotonic milliseconds; never 0, which lru-cache would take for "not set". */
    now: () => number = () => performance.now(),
  ) {
    this.#unknown = new LRUCache({ max: MAX_UNKNOWN, ttl: UNKNOWN_TTL_MS, ttlResolution: 0, perf: { now } });
  }

  /** @param rawId has the form of an id (`isId`), in any case */
  async get(rawId: string): Promise<LookupResult<T>> {
    const id = rawId.toLowerCase();
    const found = this.#found.get(id);
    if (found !== undefined) return { found };
    if (this.#unknown.has(id)) return 'unknown';
    const pending = this.#inFlight.get(id);
    if (pending) return pending;
    if (!this.fetchLimiter.tryAcquire()) return 'unavailable';
    const fetching = this.#fetch(id).finally(() => this.#inFlight.delete(id));
    this.#inFlight.set(id, fetching);
    return fetching;
  }

  async #fetch(id: string): Promise<LookupResult<T>> {
    try {
      const found = await this.fetch(id, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
      if (found === undefined) return 'unavailable';
      this.#found.set(id, found);
      return { found };
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'refused') return 'unavailable';
      this.#unknown.set(id, true);
      return 'unknown';
    }
  }
}
