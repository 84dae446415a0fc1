import { createHash } from 'node:crypto';
import type { EntityKey } from './entityKey';

/** Field of a body that holds the entity secret, encrypted for this one request (api-facts 1). */
export const CIPHERTEXT_FIELD = 'entitySecretCiphertext';

/** What was in the ciphertexts of an input, in the order in which they were opened; null: no ciphertext of a secret. */
export type Opened = (string | null)[];

/** Entity secret ciphertexts that were used: each counts once, whatever the endpoint and the outcome (`156004`). */
export class Ciphertexts {
  readonly #used = new Set<string>();
  #opened: Opened = [];
  #known: Opened | undefined;

  /** The secret in lower-case hex, or undefined when the text is no ciphertext of one. */
  open(ciphertext: string, key: EntityKey): string | undefined {
    const secret = this.#known ? this.#known.shift() : key.decrypt(ciphertext);
    this.#opened.push(secret ?? null);
    return secret ?? undefined;
  }

  /** What was opened since the last call. */
  takeOpened(): Opened {
    return this.#opened.splice(0);
  }

  /** Runs something again with what was in its ciphertexts the first time: RSA takes milliseconds for each. */
  withOpened<T>(opened: Opened, what: () => T): T {
    this.#known = [...opened];
    try {
      return what();
    } finally {
      this.#known = undefined;
      this.#opened = [];
    }
  }

  /** False when it was used before. Compared by content: another spelling of the same base64 is the same ciphertext. */
  use(ciphertext: string): boolean {
    const digest = ciphertextDigest(ciphertext);
    if (this.#used.has(digest)) return false;
    this.#used.add(digest);
    return true;
  }
}

export function ciphertextDigest(ciphertext: string): string {
  return createHash('sha256').update(Buffer.from(ciphertext, 'base64')).digest('hex');
}
