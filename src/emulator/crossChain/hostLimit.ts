/** The attestation host takes so many requests in a second, all endpoints together; one more, and it takes none (api-facts 11). */
const PER_SECOND = 35;
const WINDOW_MS = 1000;
const BLOCK_MS = 5 * 60_000;

/** The limit of the attestation host: a strict sliding second of real time, and a block of five minutes of world time. */
export class HostLimit {
  /** Real times of the requests of the last second, oldest first. */
  #taken: number[] = [];
  /** World time. */
  #blockedUntil = -Infinity;

  /** For how many milliseconds of world time nothing is taken; 0 when the request is let through. */
  take(worldNow: Date, now = performance.now()): number {
    const at = worldNow.getTime();
    if (at < this.#blockedUntil) return this.#blockedUntil - at;
    this.#taken = this.#taken.filter((time) => time > now - WINDOW_MS);
    if (this.#taken.length >= PER_SECOND) {
      this.#blockedUntil = at + BLOCK_MS;
      // None of them is within a second of the block's end, however little real time the world takes to get there.
      this.#taken = [];
      return BLOCK_MS;
    }
    this.#taken.push(now);
    return 0;
  }
}
