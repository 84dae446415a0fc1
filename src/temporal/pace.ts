import { setTimeout as sleep } from 'node:timers/promises';

/** Lets one caller pass at a time, so far apart that no second sees more than its number. */
export class Pace {
  readonly #intervalMs: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  /** Resolves when it is the caller's turn. */
  async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#intervalMs;
    if (at > now) await sleep(at - now);
  }
}
