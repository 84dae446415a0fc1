import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import type { Attention, DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { UserBlock } from '../../src/domain/userSession';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import type { SessionLine } from '../kit/session';

const RETRY: DecisionOption = { choice: 'retry', effect: 'reads the user again' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed, once nothing can be approved' };

/** Blocks that a person at the integrator has to lift, as they are shown; each goes away by itself when it is lifted. */
const SHOWN: Partial<Record<UserBlock['reason'], Attention>> = {
  disabled: {
    name: 'UserDisabled',
    code: CODES.userDisabled,
    reason: 'the user is disabled and can approve nothing',
    remedy: 'enable the user; the flow then goes on by itself',
    options: [RETRY, GIVE_UP],
  },
  // Not of a flow that has the user log in itself.
  loggedOut: {
    name: 'UserLoggedOut',
    reason: "the tokens of the user's login are no good any more, and this flow can't have the user log in",
    remedy: 'onboard the user again under a new ref, which has the user log in; the flow then goes on by itself',
    options: [GIVE_UP],
  },
};

const EXPIRED = new Refusal({
  status: 'expired',
  reason: 'the user did not approve in time; the API has nothing of it',
  remedy: 'start it again with a new ref',
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
 * What ends a flow's wait for its user: the deadline, a person's word about a user who can approve nothing, and that there is
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
    void this.watch.run(() => this.watchBlocks()).catch(unlessCancelled);
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

  /** Shows a person what keeps the user from approving, until somebody decides or it is over. */
  private async watchBlocks(): Promise<void> {
    for (;;) {
      await condition(() => this.toShow !== undefined);
      const shown = this.toShow;
      // Over again in the same turn.
      if (!shown) continue;
      const choice = await this.show(shown);
      if (choice === GIVE_UP.choice) {
        const { name, code, remedy } = shown;
        return this.reach(new Refusal({ status: 'failed', code, reason: name, remedy }));
      }
      if (choice === RETRY.choice) {
        await this.line.recheck();
        await condition(() => this.toShow !== shown, RECHECK_MS);
      }
    }
  }

  private get toShow(): Attention | undefined {
    const { block, loginAgain } = this.line;
    if (!block || (block.reason === 'loggedOut' && loginAgain)) return undefined;
    return SHOWN[block.reason];
  }

  private async show(attention: Attention): Promise<string | undefined> {
    const shown = new CancellationScope();
    void condition(() => this.toShow !== attention)
      .then(() => shown.cancel())
      .catch(unlessCancelled);
    try {
      return await shown.run(() => this.flow.attention(attention));
    } catch (error) {
      if (!isCancellation(error) || this.toShow === attention) throw error;
      return undefined;
    }
  }
}

/** So long the answer to a recheck may take before the attention is shown again. */
const RECHECK_MS = 30_000;

function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
