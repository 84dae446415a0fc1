import { createHash } from 'node:crypto';

/** Field of a body that holds the entity secret, encrypted for this one request (api-facts 1). */
export const CIPHERTEXT_FIELD = 'entitySecretCiphertext';

/** Entity secret ciphertexts that were used: each counts once, whatever the endpoint and the outcome (`156004`). */
export class Ciphertexts {
  readonly #used = new Set<string>();

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
