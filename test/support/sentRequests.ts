import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** A request to the API. Times: epoch milliseconds. */
export interface SentRequest {
  path: string;
  body: unknown;
  sentAt: number;
  /** As long as it is under way: absent. */
  overAt?: number;
}

const BEGIN = 'undici:request:create';
const ENDS = ['undici:request:trailers', 'undici:request:error'];

/**
 * What this process sends to the API, with what is known only where it is sent: how long each request is under way. The
 * emulator's journal has those that arrived, and when it came to them.
 */
export class SentRequests {
  readonly #sent = new Map<object, SentRequest>();

  readonly #begun = (message: unknown) => {
    const { request } = message as { request: { path: string; body: unknown } };
    const { path, body } = request;
    if (path.startsWith('/v1/')) this.#sent.set(request, { path, body, sentAt: Date.now() });
  };
  readonly #over = (message: unknown) => {
    const sent = this.#sent.get((message as { request: object }).request);
    if (sent) sent.overAt ??= Date.now();
  };

  all(): SentRequest[] {
    return [...this.#sent.values()];
  }

  watch(): void {
    subscribe(BEGIN, this.#begun);
    for (const end of ENDS) subscribe(end, this.#over);
  }

  stop(): void {
    unsubscribe(BEGIN, this.#begun);
    for (const end of ENDS) unsubscribe(end, this.#over);
  }
}
