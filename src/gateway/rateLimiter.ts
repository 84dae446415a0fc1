/** Allows a number of requests in any minute. It bounds the API requests that untrusted webhooks can cause. */
export class RateLimiter {
  #acquiredAt: number[] = [];

  constructor(
    private readonly perMinute: number,
    /** Monotonic milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one request from the limit. @returns whether the limit allows it */
  tryAcquire(): boolean {
    const now = this.now();
    this.#acquiredAt = this.#acquiredAt.filter((at) => now - at < 60_000);
    if (this.#acquiredAt.length >= this.perMinute) return false;
    this.#acquiredAt.push(now);
    return true;
  }
}
