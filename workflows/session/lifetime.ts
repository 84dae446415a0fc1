import { allHandlersFinished, CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow';

/** What waits could be begun anew by the next run: its request stays in the list, and is begun again there. */
export class Paused extends Error {
  override readonly name = 'Paused';
}

/**
 * What a run is doing, so that the next run takes over nothing half done: things that have to be done before (requests to
 * the API, signals), and waits that the next run begins anew.
 */
export class Lifetime {
  /** Of what waits. Apart from the scope in which a wait was begun, such as a poll that is over with the news that it brings. */
  private readonly waits = new CancellationScope({
    cancellable: true,
    parent: new CancellationScope({ cancellable: false }),
  });
  /** Works that have not come to their end, be it that of a wait that was cut off. */
  private working = 0;
  /** Things that this run has to end with. */
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
  hold<T>(work: () => Promise<T>): Promise<T> {
    return CancellationScope.nonCancellable(async () => {
      this.doing++;
      try {
        return await work();
      } finally {
        this.doing--;
      }
    });
  }

  /** Does something beside everything else, until the run ends. A bug in it is a bug of the session. */
  spawn(work: () => Promise<unknown>): void {
    this.working++;
    new CancellationScope({ cancellable: true, parent: this.waits })
      .run(work)
      .catch((error: unknown) => {
        if (!(error instanceof Paused) && !isCancellation(error)) this.bug ??= { error };
      })
      .finally(() => this.working--);
  }

  /**
   * Waits until nothing is to be done for `idleMs`, or the history is so long that another run has to take over. Of that one
   * nothing is on its way then: the server drops signals to flows that a run has not seen off before its end.
   */
  async end(idle: () => boolean, idleMs: () => number): Promise<'idle' | 'full'> {
    const isFull = () => workflowInfo().continueAsNewSuggested;
    const isOver = () => isFull() || this.bug !== undefined;
    for (;;) {
      await condition(() => isOver() || idle());
      if (!isOver() && !(await condition(() => isOver() || !idle(), idleMs())) && idle()) return 'idle';
      if (isFull()) {
        this.ending = true;
        this.waits.cancel();
        await condition(() => this.isDone() || this.bug !== undefined);
      }
      if (this.bug) throw this.bug.error;
      if (this.ending) return 'full';
    }
  }

  private isDone(): boolean {
    return this.working === 0 && this.doing === 0 && allHandlersFinished();
  }
}
