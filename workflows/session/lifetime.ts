import { CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow';

/** What waits could be begun anew by the next run: its request stays in the list, and is begun again there. */
export class Paused extends Error {
  override readonly name = 'Paused';
}

/**
 * What a run is doing: things that have to be done before the next run takes over (requests to the API, signals), and
 * whether it is about to.
 */
export class Lifetime {
  private doing = 0;
  private ending = false;
  private bug: { error: unknown } | undefined;

  /** Nothing new is begun: the next run does it. */
  get draining(): boolean {
    return this.ending;
  }

  get busy(): boolean {
    return this.doing > 0;
  }

  /** Does something that this run has to end with. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.doing++;
    try {
      return await work();
    } finally {
      this.doing--;
    }
  }

  /**
   * Does something beside everything else: it does not end with the scope in which it was begun, such as a poll that is over
   * with the news that it brings. A bug in it is a bug of the session.
   */
  spawn(work: () => Promise<unknown>): void {
    CancellationScope.nonCancellable(work).catch((error: unknown) => {
      if (!(error instanceof Paused) && !isCancellation(error)) this.bug ??= { error };
    });
  }

  /**
   * Waits until nothing is to be done for `idleMs`, or the history is so long that another run has to take over; of that
   * one, nothing is in flight then.
   */
  async end(idle: () => boolean, idleMs: () => number): Promise<'idle' | 'full'> {
    const isFull = () => workflowInfo().continueAsNewSuggested;
    const isOver = () => isFull() || this.bug !== undefined;
    for (;;) {
      await condition(() => isOver() || idle());
      if (!isOver() && !(await condition(() => isOver() || !idle(), idleMs()))) return 'idle';
      if (isFull()) {
        this.ending = true;
        await condition(() => !this.busy || this.bug !== undefined);
      }
      if (this.bug) throw this.bug.error;
      if (this.ending) return 'full';
    }
  }
}
