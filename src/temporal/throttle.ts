import { setTimeout as sleep } from 'node:timers/promises';

/** Spaces calls evenly, so that no second has more than `perSecond` of them. */
export class Throttle {
  readonly #intervalMs: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  /** Resolves when it is the caller's turn. */
  async acquire(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#intervalMs;
    if (at > now) await sleep(at - now);
  }
}
