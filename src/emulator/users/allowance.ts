/** Uses at a time, and the wait after the last of them (spec, Limits). */
const USES = 5;
const WAIT_MS = 60 * 60_000;

/** Counts sends, or entries, of one-time passwords: five within the hour, then an hour without. */
export class Allowance {
  #uses: Date[] = [];

  isSpent(now: Date): boolean {
    const last = this.#uses.at(-1);
    return this.#uses.length >= USES && last !== undefined && now.getTime() < last.getTime() + WAIT_MS;
  }

  /** One use, of an allowance that is not spent. */
  use(now: Date): void {
    // The wait of a spent one is over: all of it is there again.
    const kept = this.#uses.length >= USES ? [] : this.#uses;
    this.#uses = [...kept.filter((use) => now.getTime() < use.getTime() + WAIT_MS), now];
  }

  renew(): void {
    this.#uses = [];
  }
}
