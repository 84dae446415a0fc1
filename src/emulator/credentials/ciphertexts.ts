import { createHash } from 'node:crypto';
import type { EntityKey } from './entityKey';

/** The body field with the entity secret, encrypted for this one request. */
export const CIPHERTEXT_FIELD = 'entitySecretCiphertext';

/** The decrypted ciphertexts of one input, in order. Null: decryption failed. */
export type DecryptedSecrets = (string | null)[];

/** Decrypts entity secret ciphertexts and remembers the used ones: each is valid once, for any endpoint (`156004`). */
export class Ciphertexts {
  readonly #used = new Set<string>();
  #decrypted: DecryptedSecrets = [];
  #replayed: DecryptedSecrets | undefined;

  /** Returns the secret in lower-case hex, or undefined if the string is not the ciphertext of a secret. */
  decrypt(ciphertext: string, key: EntityKey): string | undefined {
    const secret = this.#replayed ? this.#replayed.shift() : key.decrypt(ciphertext);
    this.#decrypted.push(secret ?? null);
    return secret ?? undefined;
  }

  /** Returns what was decrypted since the last call. */
  takeDecrypted(): DecryptedSecrets {
    return this.#decrypted.splice(0);
  }

  /** Replays an input with its recorded secrets in place of decryption: RSA takes milliseconds for each. */
  replayDecrypted<T>(secrets: DecryptedSecrets, run: () => T): T {
    this.#replayed = [...secrets];
    try {
      return run();
    } finally {
      this.#replayed = undefined;
      this.#decrypted = [];
    }
  }

  /** Returns false if the ciphertext was used before. Compares the decoded bytes: the same bytes have several base64 forms. */
  markUsed(ciphertext: string): boolean {
    const digest = ciphertextDigest(ciphertext);
    if (this.#used.has(digest)) return false;
    this.#used.add(digest);
    return true;
  }
}

/** SHA-256 of the decoded bytes, hex. */
export function ciphertextDigest(ciphertext: string): string {
  return createHash('sha256').update(Buffer.from(ciphertext, 'base64')).digest('hex');
}
