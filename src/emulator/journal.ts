import type { OperationId } from '../api/contract';
import { CIPHERTEXT_FIELD, ciphertextDigest } from './ciphertexts';

/** Entries kept; older ones are dropped, counts stay. */
const KEPT = 50_000;

/** One request to the API as the emulator saw it. Never holds a secret, a body or a query. */
export interface JournalEntry {
  /** Counts from 1 in the order of arrival. */
  seq: number;
  /** World time of arrival, ISO 8601. */
  at: string;
  /** Real time of arrival, milliseconds since the epoch with a fraction. */
  realAt: number;
  operation: OperationId;
  method: string;
  path: string;
  requestId: string;
  /** Status and code of the answer sent; absent while none was, or when the reply was dropped. */
  status?: number;
  code?: number;
  idempotencyKey?: string;
  refId?: string;
  /** `seq` of the first request with the same idempotency key; absent on that one. */
  attemptOf?: number;
  /** SHA-256 of the entity secret ciphertext, hex. */
  ciphertextDigest?: string;
  /** Ids of the faults that struck it. */
  faults?: string[];
  /** Whether the API did what was asked, whatever the client was told. */
  committed: boolean;
}

export interface OperationCounts {
  requests: number;
  committed: number;
  /** Answers by status; `none` where the reply was dropped. */
  answers: Record<string, number>;
}

type Arrival = Pick<JournalEntry, 'at' | 'operation' | 'method' | 'path' | 'requestId'> & {
  body: Record<string, unknown>;
};

/** Every request of a world, in the order of arrival. */
export class Journal {
  #entries: JournalEntry[] = [];
  #counts = new Map<string, OperationCounts>();
  #firstWithKey = new Map<string, number>();
  #seq = 0;

  /** Called when a request arrives; `close` and the pipeline fill in the rest. */
  open({ body, ...arrival }: Arrival): JournalEntry {
    const { idempotencyKey, refId, [CIPHERTEXT_FIELD]: ciphertext } = body;
    const realAt = performance.timeOrigin + performance.now();
    const entry: JournalEntry = { seq: ++this.#seq, ...arrival, realAt, committed: false };
    if (typeof idempotencyKey === 'string') this.#name(entry, idempotencyKey);
    if (typeof refId === 'string') entry.refId = refId;
    if (typeof ciphertext === 'string') entry.ciphertextDigest = ciphertextDigest(ciphertext);
    this.#entries.push(entry);
    if (this.#entries.length >= 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
    return entry;
  }

  close(entry: JournalEntry, answer: { status: number; code?: number } | undefined): void {
    if (answer) Object.assign(entry, answer);
    const counts = this.#counts.get(entry.operation) ?? { requests: 0, committed: 0, answers: {} };
    const status = answer?.status ?? 'none';
    counts.requests += 1;
    counts.committed += entry.committed ? 1 : 0;
    counts.answers[status] = (counts.answers[status] ?? 0) + 1;
    this.#counts.set(entry.operation, counts);
  }

  /** Entries after `since`, oldest first. */
  list({ operation, since = 0 }: { operation?: string | undefined; since?: number | undefined } = {}): JournalEntry[] {
    const kept = this.#entries.slice(-KEPT);
    return kept.filter((entry) => entry.seq > since && (operation === undefined || entry.operation === operation));
  }

  /** Of answered requests, by operation. */
  counts(): Record<string, OperationCounts> {
    return Object.fromEntries(this.#counts);
  }

  clear(): void {
    this.#entries = [];
    this.#counts.clear();
    this.#firstWithKey.clear();
  }

  #name(entry: JournalEntry, idempotencyKey: string): void {
    entry.idempotencyKey = idempotencyKey;
    // As the API does: the case of a key does not count.
    const key = idempotencyKey.toLowerCase();
    const first = this.#firstWithKey.get(key);
    if (first === undefined) this.#firstWithKey.set(key, entry.seq);
    else entry.attemptOf = first;
  }
}
