import type { OperationId } from '../../api/contract';
import { CIPHERTEXT_FIELD, ciphertextDigest } from '../credentials/ciphertexts';

/** Older entries are dropped; the counts still include them. */
const MAX_ENTRIES = 50_000;

/** One request to the API. Never holds a secret, a body or a query. */
export interface JournalEntry {
  /** Counts from 1, in the order of arrival. */
  seq: number;
  /** World time of arrival, ISO 8601. */
  at: string;
  /** Real time of arrival, milliseconds since the epoch with a fraction. */
  realAt: number;
  operation: OperationId;
  method: string;
  path: string;
  requestId: string;
  /** Status and code of the response. Absent until it is sent, and if a fault dropped it. */
  status?: number;
  code?: number;
  idempotencyKey?: string;
  refId?: string;
  /** `seq` of the first request with the same idempotency key. Absent on the first request itself. */
  attemptOf?: number;
  /** SHA-256 of the entity secret ciphertext, hex. */
  ciphertextDigest?: string;
  /** Ids of the faults that applied to it. */
  faults?: string[];
  /** Whether the API executed the request, whatever response the client got. */
  committed: boolean;
}

export interface OperationCounts {
  requests: number;
  committed: number;
  /** Number of responses by status; `none` counts dropped responses. */
  answers: Record<string, number>;
}

type NewEntry = Pick<JournalEntry, 'at' | 'operation' | 'method' | 'path' | 'requestId'> & {
  body: Record<string, unknown>;
};

/** Every request of a world, in the order of arrival. */
export class Journal {
  #entries: JournalEntry[] = [];
  #counts = new Map<string, OperationCounts>();
  #firstWithKey = new Map<string, number>();
  #seq = 0;

  /** Adds an entry when a request arrives. `close` and the pipeline fill in the rest. */
  open({ body, ...arrival }: NewEntry): JournalEntry {
    const { idempotencyKey, refId, [CIPHERTEXT_FIELD]: ciphertext } = body;
    const realAt = performance.timeOrigin + performance.now();
    const entry: JournalEntry = { seq: ++this.#seq, ...arrival, realAt, committed: false };
    if (typeof idempotencyKey === 'string') this.#linkAttempts(entry, idempotencyKey);
    if (typeof refId === 'string') entry.refId = refId;
    if (typeof ciphertext === 'string') entry.ciphertextDigest = ciphertextDigest(ciphertext);
    this.#entries.push(entry);
    if (this.#entries.length >= 2 * MAX_ENTRIES) this.#entries = this.#entries.slice(-MAX_ENTRIES);
    return entry;
  }

  /** @param response undefined if it was dropped */
  close(entry: JournalEntry, response: { status: number; code?: number } | undefined): void {
    if (response) Object.assign(entry, response);
    const counts = this.#counts.get(entry.operation) ?? { requests: 0, committed: 0, answers: {} };
    const status = response?.status ?? 'none';
    counts.requests += 1;
    counts.committed += entry.committed ? 1 : 0;
    counts.answers[status] = (counts.answers[status] ?? 0) + 1;
    this.#counts.set(entry.operation, counts);
  }

  /** Entries after `since`, oldest first. */
  list({ operation, since = 0 }: { operation?: string | undefined; since?: number | undefined } = {}): JournalEntry[] {
    const recent = this.#entries.slice(-MAX_ENTRIES);
    return recent.filter((entry) => entry.seq > since && (operation === undefined || entry.operation === operation));
  }

  /** Counts of finished requests, by operation. */
  counts(): Record<string, OperationCounts> {
    return Object.fromEntries(this.#counts);
  }

  clear(): void {
    this.#entries = [];
    this.#counts.clear();
    this.#firstWithKey.clear();
  }

  #linkAttempts(entry: JournalEntry, idempotencyKey: string): void {
    entry.idempotencyKey = idempotencyKey;
    // Like the API, ignore the case of keys.
    const key = idempotencyKey.toLowerCase();
    const first = this.#firstWithKey.get(key);
    if (first === undefined) this.#firstWithKey.set(key, entry.seq);
    else entry.attemptOf = first;
  }
}
