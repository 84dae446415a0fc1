/** A public key as it was fetched; compared by identity, since two fetches may bring the same text. */
export interface FetchedKey {
  readonly pem: string;
}

/**
 * The RSA key that encrypts the entity secret: fetched once, by one request however many callers wait for it, and anew
 * after the API refused a ciphertext made with it (`156013`). A refusal right after such a fetch means that not the key
 * but the entity secret is wrong.
 */
export class EntityPublicKey {
  #fetching: Promise<FetchedKey> | undefined;
  #key: FetchedKey | undefined;
  #lastRefused = false;
  /** Keys fetched because of a refusal, and not accepted since. */
  readonly #onProbation = new WeakSet<FetchedKey>();

  constructor(private readonly fetchPem: () => Promise<string>) {}

  /** @throws what the fetch threw, to every caller that waited for it; the next caller fetches again */
  async get(): Promise<FetchedKey> {
    if (this.#key) return this.#key;
    this.#fetching ??= this.#fetch();
    return this.#fetching;
  }

  /** Makes the next caller fetch, unless this key has been replaced already. */
  invalidate(key: FetchedKey): void {
    if (this.#key === key) this.#key = undefined;
  }

  /** The API took a ciphertext made with this key. */
  accepted(key: FetchedKey): void {
    this.#lastRefused = false;
    this.#onProbation.delete(key);
  }

  /**
   * The API refused a ciphertext made with this key: the next caller fetches anew.
   * @returns `renew` when a new key may help, `halt` when this was the new key
   */
  refused(key: FetchedKey): 'renew' | 'halt' {
    // A late answer about a key that has been replaced says nothing about the one in its place.
    if (this.#key === key) this.#lastRefused = true;
    this.invalidate(key);
    return this.#onProbation.has(key) ? 'halt' : 'renew';
  }

  async #fetch(): Promise<FetchedKey> {
    try {
      const key = { pem: await this.fetchPem() };
      if (this.#lastRefused) this.#onProbation.add(key);
      this.#key = key;
      return key;
    } finally {
      this.#fetching = undefined;
    }
  }
}
