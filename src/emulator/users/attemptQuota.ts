/** How many uses are allowed, and the wait after the last of them (API reference). */
const MAX_USES = 5;
const WAIT_MS = 60 * 60_000;

/** Limits sends, or entries, of one-time passwords: five within an hour, then none for an hour. */
export class AttemptQuota {
  #uses: Date[] = [];

  isExhausted(now: Date): boolean {
    const last = this.#uses.at(-1);
    return this.#uses.length >= MAX_USES && last !== undefined && now.getTime() < last.getTime() + WAIT_MS;
  }

  /** Counts one use. Call it only while `isExhausted` is false. */
  consume(now: Date): void {
    // If the quota was exhausted, its wait is over, and all uses are available again.
    const earlier = this.#uses.length >= MAX_USES ? [] : this.#uses;
    this.#uses = [...earlier.filter((use) => now.getTime() < use.getTime() + WAIT_MS), now];
  }

  reset(): void {
    this.#uses = [];
  }
}
