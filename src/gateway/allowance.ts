/** So many in any minute: what outsiders can make a process ask of the API is bounded, whatever they send. */
export class Allowance {
  #taken: number[] = [];

  constructor(
    private readonly perMinute: number,
    /** Milliseconds that only go forward. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether there is one left, which is taken then. */
  take(): boolean {
    const now = this.now();
    this.#taken = this.#taken.filter((at) => now - at < 60_000);
    if (this.#taken.length >= this.perMinute) return false;
    this.#taken.push(now);
    return true;
  }
}
