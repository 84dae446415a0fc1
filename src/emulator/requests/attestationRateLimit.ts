/** Requests per second to all endpoints of the attestation host together. One more blocks the host for `BLOCK_MS`. */
const PER_SECOND = 35;
const WINDOW_MS = 1000;
const BLOCK_MS = 5 * 60_000;

/** The limit of the attestation host: a sliding window of one second of real time, then a block of five minutes of world time. */
export class AttestationRateLimit {
  /** Real times of the requests in the last second, oldest first. */
  #taken: number[] = [];
  /** World time. */
  #blockedUntil = -Infinity;

  /** Counts a request. Returns 0 if it may pass, otherwise the milliseconds of world time until the block ends. */
  take(worldNow: Date, now = performance.now()): number {
    const at = worldNow.getTime();
    if (at < this.#blockedUntil) return this.#blockedUntil - at;
    this.#taken = this.#taken.filter((time) => time > now - WINDOW_MS);
    if (this.#taken.length >= PER_SECOND) {
      this.#blockedUntil = at + BLOCK_MS;
      // Start with an empty window after the block: at high speed, the block may take less than a second of real time.
      this.#taken = [];
      return BLOCK_MS;
    }
    this.#taken.push(now);
    return 0;
  }
}
