/** A server that belongs to one world, for requests without credentials: attestations and JSON-RPC. */
export interface WorldHost {
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** The hosts of worlds. Each host starts on its first use. */
export class WorldHosts {
  readonly #hosts = new Map<string, Promise<WorldHost>>();

  constructor(private readonly start: (apiKey: string) => Promise<WorldHost>) {}

  async urlOf(apiKey: string): Promise<string> {
    const host = this.#hosts.get(apiKey) ?? this.start(apiKey);
    this.#hosts.set(apiKey, host);
    return (await host).url;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map(async (host) => (await host).close()));
  }
}
