import { LRUCache } from 'lru-cache';
import { ApiError } from '../api';
import type { RateLimiter } from './rateLimiter';

/** The API's ids are UUIDs. Nothing else from a webhook may become part of a request path. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** When a found resource is read again, since the API may have revoked or deleted it. */
const MAX_AGE_MS = 10 * 60_000;
/** When it is read again after the API did not respond. Until then the known resource counts. */
const RETRY_AFTER_MS = 60_000;
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

interface Found<T> {
  value: T;
  /** When to read it again, in monotonic milliseconds. */
  readAgainAt: number;
}

/**
 * Caches resources of the API by ids that untrusted webhooks name, with one fetch of an id at a time. A resource that the
 * API does not know any more is gone after `MAX_AGE_MS`; while the API does not respond, it remains. Whatever ids arrive,
 * this process sends no more requests for new ids than `fetchLimiter` allows. Reading a known id again does not count: a
 * flood of new ids must not keep a revoked key in use.
 */
export class CachedLookup<T> {
  readonly #found = new Map<string, Found<T>>();
  readonly #unknown: LRUCache<string, true>;
  readonly #inFlight = new Map<string, Promise<LookupResult<T>>>();

  constructor(
    private readonly fetch: FetchById<T>,
    private readonly fetchLimiter: RateLimiter,
    /** Monotonic milliseconds; never 0, which lru-cache would take for "not set". */
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#unknown = new LRUCache({ max: MAX_UNKNOWN, ttl: UNKNOWN_TTL_MS, ttlResolution: 0, perf: { now } });
  }

  /** @param rawId has the form of an id (`isId`), in any case */
  async get(rawId: string): Promise<LookupResult<T>> {
    const id = rawId.toLowerCase();
    const found = this.#found.get(id);
    if (found && this.now() < found.readAgainAt) return { found: found.value };
    if (this.#unknown.has(id)) return 'unknown';
    const pending = this.#inFlight.get(id);
    if (pending) return pending;
    if (!found && !this.fetchLimiter.tryAcquire()) return 'unavailable';
    const fetching = this.#refresh(id, found).finally(() => this.#inFlight.delete(id));
    this.#inFlight.set(id, fetching);
    return fetching;
  }

  async #refresh(id: string, earlier: Found<T> | undefined): Promise<LookupResult<T>> {
    const result = await this.#fetch(id);
    if (result === 'unknown') {
      this.#found.delete(id);
      this.#unknown.set(id, true);
    } else if (result !== 'unavailable') {
      this.#found.set(id, { value: result.found, readAgainAt: this.now() + MAX_AGE_MS });
    } else if (earlier) {
      earlier.readAgainAt = this.now() + RETRY_AFTER_MS;
      return { found: earlier.value };
    }
    return result;
  }

  async #fetch(id: string): Promise<LookupResult<T>> {
    try {
      const found = await this.fetch(id, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
      return found === undefined ? 'unavailable' : { found };
    } catch (error) {
      return error instanceof ApiError && error.kind === 'refused' ? 'unknown' : 'unavailable';
    }
  }
}
