/** A public key as the API sent it. */
export interface FetchedKey {
  readonly pem: string;
}

/**
 * A credential that the API issues and requests need: the RSA key that encrypts the entity secret, or a user's token.
 * One request fetches it for all waiting callers. It is fetched again after the API refuses a request sent with it
 * (`156013`, `177604`; `155103`–`155105`, `155118`). If the API refuses the new credential as well, fetching does not
 * help: in the case of the public key, the entity secret itself is wrong. Credentials are compared by object
 * identity, because two fetches may return the same string.
 */
export class Credential<K extends object> {
  #fetching: Promise<K> | undefined;
  #key: K | undefined;
  #lastRefused = false;
  /** Credentials that were fetched after a refusal and not accepted since. */
  readonly #onProbation = new WeakSet<K>();

  constructor(private readonly fetch: () => Promise<K>) {}

  /** @throws the error of the fetch, to every caller that waits for it. The next caller fetches again */
  async get(): Promise<K> {
    if (this.#key) return this.#key;
    this.#fetching ??= this.#fetch();
    return this.#fetching;
  }

  /** Makes the next caller fetch, unless this key has already been replaced. */
  invalidate(key: K): void {
    if (this.#key === key) this.#key = undefined;
  }

  /** Records that the API accepted a request sent with this key. */
  accepted(key: K): void {
    this.#lastRefused = false;
    this.#onProbation.delete(key);
  }

  /**
   * Records that the API refused a request sent with this key. The next caller fetches again.
   * @returns `renew` if a new key may help, `halt` if this key was already fetched after a refusal
   */
  refused(key: K): 'renew' | 'halt' {
    // A late response about a replaced key says nothing about the current one.
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
