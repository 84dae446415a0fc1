import { allHandlersFinished, CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { mustContinueAsNew, wakeWhenTooOld } from './runAge';

/**
 * What happens to a command when the run has to end:
 *
 * - `wait`     it is cancelled, and the next run starts it again. It is also cancelled as soon as it is no longer wanted
 * - `finish`   the run finishes it, but starts no new one
 * - `message`  the run finishes it, and still starts new ones: the server drops signals that are in flight when a run
 *              closes
 */
export type CommandKind = 'wait' | 'finish' | 'message';

/** A state machine: a pure reducer, and how its commands are executed. @template E event @template C command */
interface Machine<E, C extends { id: string }> {
  /** Applies an event. @returns the commands that are wanted now */
  reduce(event: E): readonly C[];
  kindOf(command: C): CommandKind;
  /**
   * Carries out a command. @returns the event of its result
   * @param dispatch for an event that happens before the result
   */
  execute(command: C, dispatch: (event: E) => void): Promise<E>;
  /** Whether the machine has nothing to do. */
  isIdle(): boolean;
  /** Until when it stays alive if it remains idle, in epoch milliseconds. */
  aliveUntil(): number;
}

/**
 * Runs a state machine in a workflow. It starts each wanted command once, and feeds the result back as an event. The
 * next run takes over the machine's state, and starts what that state asks for, so nothing is half done or forgotten.
 */
export class CommandRunner<E, C extends { id: string }> {
  private readonly running = new Map<string, { kind: CommandKind; scope: CancellationScope }>();
  private readonly parent = new CancellationScope({ cancellable: false });
  private wanted: readonly C[] = [];
  private isRunning = false;
  private isDraining = false;
  private isSyncing = false;
  private mustSync = false;
  private unexpectedError: { error: unknown } | undefined;

  constructor(private readonly machine: Machine<E, C>) {}

  /** Signals may arrive before `run` begins: their commands are started then. */
  dispatch(event: E): void {
    this.wanted = this.machine.reduce(event);
    this.sync();
  }

  /**
   * Runs until the machine has been idle for long enough, or the run has to continue as new. In the second case the run
   * first finishes what is in flight.
   * @param first an event that makes the machine ask for its commands
   */
  async run(first: E): Promise<'idle' | 'continueAsNew'> {
    const { machine } = this;
    const mustEnd = () => mustContinueAsNew() || this.unexpectedError !== undefined;
    const isIdle = () => machine.isIdle() && this.running.size === 0;
    this.isRunning = true;
    wakeWhenTooOld();
    this.dispatch(first);
    for (;;) {
      await condition(() => mustEnd() || isIdle());
      const idleMs = machine.aliveUntil() - Date.now();
      if (!mustEnd() && idleMs <= 0) return 'idle';
      await condition(() => mustEnd() || !isIdle(), Math.max(idleMs, 1));
      if (!mustEnd()) continue;
      if (mustContinueAsNew()) {
        this.isDraining = true;
        this.sync();
        await condition(() => this.isDrained() || this.unexpectedError !== undefined);
      }
      // Not the error itself: a failure of Temporal would fail the workflow, and not only its task.
      if (this.unexpectedError) throw new Error('A command failed', { cause: this.unexpectedError.error });
      if (this.isDraining) return 'continueAsNew';
    }
  }

  private isDrained(): boolean {
    return this.running.size === 0 && allHandlersFinished();
  }

  /** Cancels commands that are no longer wanted, and starts the others. Starts over if a command dispatches an event. */
  private sync(): void {
    this.mustSync = true;
    if (!this.isRunning || this.isSyncing) return;
    this.isSyncing = true;
    while (this.mustSync) {
      this.mustSync = false;
      const wantedIds = new Set(this.wanted.map(({ id }) => id));
      for (const [id, { kind, scope }] of this.running) {
        if (kind !== 'wait' || (wantedIds.has(id) && !this.isDraining)) continue;
        this.running.delete(id);
        scope.cancel();
      }
      for (const command of this.wanted) {
        const kind = this.machine.kindOf(command);
        if (this.running.has(command.id) || (this.isDraining && kind !== 'message')) continue;
        this.start(command, kind);
        // The state has changed, so the list is outdated.
        if (this.mustSync) break;
      }
    }
    this.isSyncing = false;
  }

  private start(command: C, kind: CommandKind): void {
    const scope = new CancellationScope({ cancellable: kind === 'wait', parent: this.parent });
    const entry = { kind, scope };
    this.running.set(command.id, entry);
    /** @returns whether the command is still wanted. A cancelled wait may end at the same moment. */
    const isEnded = () => this.running.get(command.id) === entry && this.running.delete(command.id);
    const dispatch = (event: E) => this.dispatch(event);
    scope
      .run(() => this.machine.execute(command, dispatch))
      .then((event) => {
        if (isEnded()) dispatch(event);
      })
      .catch((error: unknown) => {
        // A command that the runner has cancelled is no longer in the list.
        if (isEnded() || !isCancellation(error)) this.unexpectedError ??= { error };
      });
  }
}
