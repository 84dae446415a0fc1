/** A server that belongs to one world. */
export interface AttestationHost {
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** The attestation hosts of worlds. Each host starts on its first use. */
export class AttestationHosts {
  readonly #hosts = new Map<string, Promise<AttestationHost>>();

  constructor(private readonly start: (apiKey: string) => Promise<AttestationHost>) {}

  async urlOf(apiKey: string): Promise<string> {
    const host = this.#hosts.get(apiKey) ?? this.start(apiKey);
    this.#hosts.set(apiKey, host);
    return (await host).url;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map(async (host) => (await host).close()));
  }
}
