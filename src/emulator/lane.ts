/** Jobs of one receiver: a few at a time, so that a slow one keeps nobody else waiting, and takes no more than these. */
const AT_A_TIME = 8;

export class Lane<Job> {
  /** It has let a call run out of time, and answered none in time since: nobody waits for it. */
  slow = false;
  readonly #waiting = new Set<Job>();
  #underWay = 0;
  #whenDone: (() => void)[] = [];

  /** @param begin has `done` called once for each job, then or later */
  constructor(private readonly begin: (job: Job) => void) {}

  get busy(): boolean {
    return !this.slow && this.#underWay > 0;
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

  /** One of the jobs under way is done; the next one begins at once. */
  done(): void {
    this.#underWay -= 1;
    for (const tell of this.#whenDone.splice(0)) tell();
    this.#fill();
  }

  /** Resolves when one of the jobs under way is done. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#whenDone.push(resolve));
  }

  #fill(): void {
    for (const job of this.#waiting) {
      if (this.#underWay >= AT_A_TIME) return;
      this.#waiting.delete(job);
      this.#underWay += 1;
      this.begin(job);
    }
  }
}
