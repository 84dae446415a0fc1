/** A server that belongs to one world. */
export interface OwnHost {
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** Attestation hosts of single worlds, each opened when it is first asked for. */
export class OwnHosts {
  readonly #hosts = new Map<string, Promise<OwnHost>>();

  constructor(private readonly start: (apiKey: string) => Promise<OwnHost>) {}

  async urlOf(apiKey: string): Promise<string> {
    const host = this.#hosts.get(apiKey) ?? this.start(apiKey);
    this.#hosts.set(apiKey, host);
    return (await host).url;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map(async (host) => (await host).close()));
  }
}
