import { allHandlersFinished, CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow';

/** Ends a wait when the run drains. Its request stays in the list, and the next run begins it again. */
export class Draining extends Error {
  override readonly name = 'Draining';
}

/**
 * Tracks the work of one run, so that the next run never takes over work that is half done. A run finishes its requests
 * to the API and its signals. It cancels its waits, and the next run starts them again.
 */
export class RunLifecycle {
  /**
   * The parent of all spawned tasks. The caller's scope cannot be used: a poll that ends cancels its own scope, but the
   * tasks that it spawned must continue.
   */
  private readonly waitScope = new CancellationScope({
    cancellable: true,
    parent: new CancellationScope({ cancellable: false }),
  });
  /** Spawned tasks that have not ended, including cancelled waits. */
  private runningTasks = 0;
  /** Tasks that this run must finish. */
  private uninterruptibleTasks = 0;
  private isDraining = false;
  private unexpectedError: { error: unknown } | undefined;

  /** Whether the run has stopped starting new work and leaves it to the next run. */
  get draining(): boolean {
    return this.isDraining;
  }

  get busy(): boolean {
    return this.uninterruptibleTasks > 0;
  }

  /** Runs a task that this run must finish before the next run takes over. */
  runToCompletion<T>(task: () => Promise<T>): Promise<T> {
    return CancellationScope.nonCancellable(async () => {
      this.uninterruptibleTasks++;
      try {
        return await task();
      } finally {
        this.uninterruptibleTasks--;
      }
    });
  }

  /** Runs a task in the background until the run ends. An unexpected error in it fails the session's workflow task. */
  spawn(task: () => Promise<unknown>): void {
    this.runningTasks++;
    new CancellationScope({ cancellable: true, parent: this.waitScope })
      .run(task)
      .catch((error: unknown) => {
        if (!(error instanceof Draining) && !isCancellation(error)) this.unexpectedError ??= { error };
      })
      .finally(() => this.runningTasks--);
  }

  /**
   * Waits until the session has been idle for `idleMs`, or until the server suggests continue-as-new. In the second
   * case it first finishes everything that is in flight: the server drops signals to flows that are in flight when a
   * run closes.
   */
  async untilEnd(isIdle: () => boolean, idleMs: () => number): Promise<'idle' | 'historyFull'> {
    const isFull = () => workflowInfo().continueAsNewSuggested;
    const mustEnd = () => isFull() || this.unexpectedError !== undefined;
    for (;;) {
      await condition(() => mustEnd() || isIdle());
      if (!mustEnd() && !(await condition(() => mustEnd() || !isIdle(), idleMs())) && isIdle()) return 'idle';
      if (isFull()) {
        this.isDraining = true;
        this.waitScope.cancel();
        await condition(() => this.isDone() || this.unexpectedError !== undefined);
      }
      if (this.unexpectedError) throw this.unexpectedError.error;
      if (this.isDraining) return 'historyFull';
    }
  }

  private isDone(): boolean {
    return this.runningTasks === 0 && this.uninterruptibleTasks === 0 && allHandlersFinished();
  }
}
