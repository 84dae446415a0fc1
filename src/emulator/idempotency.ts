import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A request as far as "the same request again" is concerned. */
export interface KeyedRequest {
  /** In lower case: keys are UUIDs. */
  readonly key: string;
  readonly operation: string;
  readonly digest: string;
}

interface Used extends Omit<KeyedRequest, 'key'> {
  answer: unknown;
}

/**
 * To be made before anything is done: what can't be digested must not be carried out.
 * @param content path parameters and body, without the key, and without the ciphertext, which is another one every time
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

/** The idempotency keys that accepted requests have used, across all endpoints of a world, and their answers. */
export class IdempotencyKeys {
  readonly #used = new Map<string, Used>();

  /**
   * - `new`: nobody used the key
   * - `same`: the same request used it, and got `answer`
   * - `other`: another operation or content used it
   */
  find(request: KeyedRequest): { use: 'new' } | { use: 'same'; answer: unknown } | { use: 'other' } {
    const used = this.#used.get(request.key);
    if (!used) return { use: 'new' };
    const same = used.operation === request.operation && used.digest === request.digest;
    return same ? { use: 'same', answer: used.answer } : { use: 'other' };
  }

  /** The request was accepted: from here on its key is used. */
  keep({ key, operation, digest }: KeyedRequest, answer: unknown): void {
    this.#used.set(key, { operation, digest, answer });
  }
}
