import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import type { DecisionOption } from '../../src/domain/attention';
import { USER_DISABLED } from '../../src/domain/userSession';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import type { SessionLine } from '../kit/session';

const RETRY: DecisionOption = { choice: 'retry', effect: 'reads the user again' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed, once nothing can be approved' };

const EXPIRED = new Refusal({
  status: 'expired',
  reason: 'the user did not approve in time; the API has nothing of it',
  remedy: 'start it again with a new ref',
});
const GIVEN_UP = new Refusal({
  status: 'failed',
  code: USER_DISABLED,
  reason: 'UserDisabled',
  remedy: 'enable the user, then start it again with a new ref',
});
const POINTLESS = new Refusal({
  status: 'failed',
  reason: 'an approval would change nothing any more',
});

/** Until when a flow waits for its user. */
export interface Limits {
  /** Epoch milliseconds of the flow's deadline. */
  until?: number;
  /** When it comes, an approval would change nothing any more: the challenge is left to itself. */
  pointlessAfter?: Promise<unknown>;
}

/**
 * What ends a flow's wait for its user: the deadline, a person's word about a user who is disabled, and that there is
 * nothing left to approve. Each cancels what runs within; the flow's own cancel does too. What can't be called back is left
 * to run `unstoppable`.
 */
export class ApprovalLimits {
  private readonly scope = new CancellationScope();
  private readonly watch = new CancellationScope();
  private reached: Refusal | undefined;

  constructor(
    private readonly flow: Flow,
    private readonly line: SessionLine,
    private readonly limits: Limits,
  ) {}

  get isPointless(): boolean {
    return this.reached === POINTLESS;
  }

  /** @throws Refusal where a limit was reached */
  async within<T>(body: () => Promise<T>): Promise<T> {
    const { until, pointlessAfter } = this.limits;
    if (until !== undefined) this.start(until);
    // One that fails says nothing: the user is waited for.
    void pointlessAfter?.then(
      () => this.reach(POINTLESS),
      () => undefined,
    );
    void this.watch.run(() => this.watchDisabled()).catch(unlessCancelled);
    try {
      return await this.scope.run(body);
    } catch (error) {
      // However it came out of the body: as a cancel, or as an order that was taken back.
      this.check();
      throw error;
    } finally {
      this.watch.cancel();
      this.flow.showBlock(undefined);
    }
  }

  /** @throws Refusal where the flow may not go on */
  check(): void {
    if (this.flow.cancelRequested) throw this.flow.cancelled();
    if (this.reached) throw this.reached;
  }

  private start(until: number): void {
    void this.watch
      .run(() => sleep(Math.max(until - Date.now(), 1)))
      .then(() => this.reach(EXPIRED))
      .catch(unlessCancelled);
  }

  private reach(limit: Refusal): void {
    this.reached ??= limit;
    this.scope.cancel();
  }

  /** Shows a person that the user is disabled, until somebody decides or the user is enabled again. */
  private async watchDisabled(): Promise<void> {
    for (;;) {
      await condition(() => this.disabled);
      const choice = await this.askDisabled();
      if (choice === GIVE_UP.choice) return this.reach(GIVEN_UP);
      if (choice === RETRY.choice) {
        await this.line.recheck();
        await condition(() => !this.disabled, RECHECK_MS);
      }
    }
  }

  private get disabled(): boolean {
    return this.line.block?.reason === 'disabled';
  }

  private async askDisabled(): Promise<string | undefined> {
    const shown = new CancellationScope();
    void condition(() => !this.disabled)
      .then(() => shown.cancel())
      .catch(unlessCancelled);
    try {
      return await shown.run(() =>
        this.flow.attention({
          name: 'UserDisabled',
          code: USER_DISABLED,
          reason: 'the user is disabled and can approve nothing',
          remedy: 'enable the user; the flow then goes on by itself',
          options: [RETRY, GIVE_UP],
        }),
      );
    } catch (error) {
      if (!isCancellation(error) || this.disabled) throw error;
      return undefined;
    }
  }
}

/** So long the answer to a recheck may take before the attention is shown again. */
const RECHECK_MS = 30_000;

function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
