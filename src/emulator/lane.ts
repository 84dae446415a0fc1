/** Jobs of one receiver: a few at a time, so that a slow one keeps nobody else waiting, and takes no more than these. */
const AT_A_TIME = 8;

export class Lane<Job> {
  /** It has let a call run out of time, and answered none in time since: nobody waits for it. */
  slow = false;
  readonly #waiting = new Set<Job>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly run: (job: Job) => Promise<void>) {}

  get busy(): boolean {
    return !this.slow && this.#underWay.size > 0;
  }

  add(job: Job): void {
    this.#waiting.add(job);
    this.#fill();
  }

  /** Takes back a job that has not begun. */
  remove(job: Job): void {
    this.#waiting.delete(job);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Resolves when one of the jobs under way is done. */
  async next(): Promise<void> {
    await Promise.race(this.#underWay);
  }

  #fill(): void {
    for (const job of this.#waiting) {
      if (this.#underWay.size >= AT_A_TIME) return;
      this.#waiting.delete(job);
      const done = this.run(job).finally(() => {
        this.#underWay.delete(done);
        this.#fill();
      });
      this.#underWay.add(done);
    }
  }
}
