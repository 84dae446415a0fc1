/** A public key as it was fetched. */
export interface FetchedKey {
  readonly pem: string;
}

/**
 * Something that requests are made with and the API issues: the RSA key that encrypts the entity secret, or a user's
 * token. Fetched once, by one request however many callers wait for it, and anew after the API refused what was made with
 * it (`156013`; `155103`–`155105`). A refusal right after such a fetch means that fetching does not help: not the key but
 * the entity secret is wrong. Compared by identity, since two fetches may bring the same text.
 */
export class Credential<K extends object> {
  #fetching: Promise<K> | undefined;
  #key: K | undefined;
  #lastRefused = false;
  /** Fetched because of a refusal, and not accepted since. */
  readonly #onProbation = new WeakSet<K>();

  constructor(private readonly fetch: () => Promise<K>) {}

  /** @throws what the fetch threw, to every caller that waited for it; the next caller fetches again */
  async get(): Promise<K> {
    if (this.#key) return this.#key;
    this.#fetching ??= this.#fetch();
    return this.#fetching;
  }

  /** Makes the next caller fetch, unless this key has been replaced already. */
  invalidate(key: K): void {
    if (this.#key === key) this.#key = undefined;
  }

  /** The API took a ciphertext made with this key. */
  accepted(key: K): void {
    this.#lastRefused = false;
    this.#onProbation.delete(key);
  }

  /**
   * The API refused a ciphertext made with this key: the next caller fetches anew.
   * @returns `renew` when a new key may help, `halt` when this was the new key
   */
  refused(key: K): 'renew' | 'halt' {
    // A late answer about a key that has been replaced says nothing about the one in its place.
    if (this.#key === key) this.#lastRefused = true;
    this.invalidate(key);
    return this.#onProbation.has(key) ? 'halt' : 'renew';
  }

  async #fetch(): Promise<K> {
    try {
      const key = await this.fetch();
      if (this.#lastRefused) this.#onProbation.add(key);
      this.#key = key;
      return key;
    } finally {
      this.#fetching = undefined;
    }
  }
}
