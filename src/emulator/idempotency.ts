import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A request as far as "the same request again" is concerned. */
export interface KeyedRequest {
  key: string;
  operation: string;
  /** Path parameters and body without the ciphertext, which is another one every time. */
  content: object;
}

interface Used {
  operation: string;
  digest: string;
  answer: unknown;
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
    const used = this.#used.get(request.key.toLowerCase());
    if (!used) return { use: 'new' };
    const same = used.operation === request.operation && used.digest === digestOf(request.content);
    return same ? { use: 'same', answer: used.answer } : { use: 'other' };
  }

  /** The request was accepted: from here on its key is used. */
  keep(request: KeyedRequest, answer: unknown): void {
    const { key, operation, content } = request;
    this.#used.set(key.toLowerCase(), { operation, digest: digestOf(content), answer });
  }
}

function digestOf(content: object): string {
  return createHash('sha256').update(canonicalize(content)!).digest('base64url');
}
