const MAX_IN_FLIGHT = 8;

/** The jobs of one receiver, a few at a time. A queue per receiver keeps a slow one from delaying the others. */
export class DeliveryQueue<Job> {
  /** Whether the latest call to the receiver timed out. `busy` is then false, so that nothing waits for this receiver. */
  slow = false;
  readonly #waiting = new Set<Job>();
  #inFlight = 0;
  #waiters: (() => void)[] = [];

  /** @param start starts a job; it must call `done` exactly once for each job, synchronously or later */
  constructor(private readonly start: (job: Job) => void) {}

  get busy(): boolean {
    return !this.slow && this.#inFlight > 0;
  }

  add(job: Job): void {
    this.#waiting.add(job);
    this.#fill();
  }

  /** Removes a job that has not started. */
  remove(job: Job): void {
    this.#waiting.delete(job);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Reports a running job as done and starts the next one. */
  done(): void {
    this.#inFlight -= 1;
    for (const resolve of this.#waiters.splice(0)) resolve();
    this.#fill();
  }

  /** Resolves when any running job is done. */
  whenOneDone(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #fill(): void {
    for (const job of this.#waiting) {
      if (this.#inFlight >= MAX_IN_FLIGHT) return;
      this.#waiting.delete(job);
      this.#inFlight += 1;
      this.start(job);
    }
  }
}
