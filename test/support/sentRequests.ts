import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** A request to the API. Times are epoch milliseconds. */
export interface SentRequest {
  path: string;
  body: unknown;
  sentAt: number;
  /** Absent while the request is in flight. */
  endedAt?: number;
}

const CREATED = 'undici:request:create';
const ENDED = ['undici:request:trailers', 'undici:request:error'];

/**
 * The requests that this process sends to the API, with the time each one was in flight. The emulator's journal cannot tell
 * that: it lists only requests that arrived, with the time at which the emulator handled them.
 */
export class SentRequests {
  readonly #sent = new Map<object, SentRequest>();

  readonly #onCreate = (message: unknown) => {
    const { request } = message as { request: { path: string; body: unknown } };
    const { path, body } = request;
    if (path.startsWith('/v1/')) this.#sent.set(request, { path, body, sentAt: Date.now() });
  };
  readonly #onEnd = (message: unknown) => {
    const sent = this.#sent.get((message as { request: object }).request);
    if (sent) sent.endedAt ??= Date.now();
  };

  all(): SentRequest[] {
    return [...this.#sent.values()];
  }

  watch(): void {
    subscribe(CREATED, this.#onCreate);
    for (const end of ENDED) subscribe(end, this.#onEnd);
  }

  stop(): void {
    unsubscribe(CREATED, this.#onCreate);
    for (const end of ENDED) unsubscribe(end, this.#onEnd);
  }
}
