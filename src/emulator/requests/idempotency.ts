import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';

/** The parts of a request that decide whether it is a repetition. */
export interface KeyedRequest {
  /** Lower case: keys are UUIDs. */
  readonly key: string;
  readonly operation: string;
  readonly digest: string;
}

interface UsedKey extends Omit<KeyedRequest, 'key'> {
  response: unknown;
}

/**
 * Call before the request has any effect: a request that cannot be digested must not be handled.
 * @param content path parameters and body, without the key and the ciphertext, which differs in every request
 */
export function keyedRequest({
  key,
  operation,
  content,
}: {
  key: string;
  operation: string;
  content: object;
}): KeyedRequest {
  const digest = createHash('sha256').update(canonicalize(content)!).digest('base64url');
  return { key: key.toLowerCase(), operation, digest };
}

/**
 * The used idempotency keys, across all endpoints of a world. Those of accepted requests have a response; those of
 * rejected requests are only used up.
 */
export class IdempotencyKeys {
  readonly #used = new Map<string, UsedKey | 'usedUp'>();

  /**
   * - `new`: the key is unused
   * - `same`: the same request used it and got `response`
   * - `other`: another operation or content used it, or a rejected request
   */
  find(request: KeyedRequest): { use: 'new' } | { use: 'same'; response: unknown } | { use: 'other' } {
    const used = this.#used.get(request.key);
    if (!used) return { use: 'new' };
    if (used === 'usedUp') return { use: 'other' };
    const same = used.operation === request.operation && used.digest === request.digest;
    return same ? { use: 'same', response: used.response } : { use: 'other' };
  }

  /** Marks the key of an accepted request as used. */
  record({ key, operation, digest }: KeyedRequest, response: unknown): void {
    this.#used.set(key, { operation, digest, response });
  }

  /** Forgets all keys, as the API may after a time that it does not name. */
  clear(): void {
    this.#used.clear();
  }

  /** Whether a request with this key would be the first. */
  isNew(key: string): boolean {
    return !this.#used.has(key.toLowerCase());
  }

  /** Marks a new key as used by a rejected request. */
  useUp(key: string): void {
    this.#used.set(key.toLowerCase(), 'usedUp');
  }
}
