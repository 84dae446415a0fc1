import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { type Attention, option } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { UserRestriction } from '../../src/domain/userSession';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import type { SessionClient } from '../kit/sessionClient';
import { unlessInterrupted } from '../kit/unlessInterrupted';

const RETRY = option('retry', 'reads the user again');
const GIVE_UP = option('giveUp', 'ends the flow as failed once its challenge can no longer be approved');

type RestrictionAttention = Attention<'retry' | 'giveUp'>;

/**
 * Attentions for restrictions that the integrator's staff has to lift. Each disappears automatically when its
 * restriction is lifted.
 */
const RESTRICTION_ATTENTIONS: Partial<Record<UserRestriction['reason'], RestrictionAttention>> = {
  disabled: {
    name: 'UserDisabled',
    code: CODES.userDisabled,
    reason: 'the user is disabled and cannot approve anything; the flow continues once the user is enabled',
    remedy: 'enable the user',
    options: [RETRY, GIVE_UP],
  },
  // Only shown by a flow that cannot ask the user to log in.
  loggedOut: {
    name: 'UserLoggedOut',
    reason:
      "the tokens of the user's login no longer work, and this flow cannot ask the user to log in; " +
      'it continues once the user has logged in',
    remedy: 'onboard the user again with a new ref, so that the user logs in',
    options: [GIVE_UP],
  },
};

const EXPIRED = expiredOutcome('nothing was created in the API');
const SUPERSEDED = new FlowOutcomeError({
  status: 'failed',
  reason: 'an approval would no longer change anything',
  remedy: 'nothing has to be done',
});

/** The user did not approve before the deadline. @param remainder describes what exists in spite of that */
export function expiredOutcome(remainder: string): FlowOutcomeError {
  return new FlowOutcomeError({
    status: 'expired',
    reason: `the user did not approve in time; ${remainder}`,
    remedy: 'start the flow again with a new ref',
  });
}

/** How long a flow waits for its user. */
export interface ApprovalLimitOptions {
  /** The flow's deadline, epoch milliseconds. */
  deadlineAt?: number;
  /** When one of these resolves, an approval is no longer wanted, and the flow abandons the challenge. */
  supersededBy?: readonly Promise<unknown>[];
}

/**
 * The limits of a flow's wait for its user: the deadline, the decision to give up on a user who cannot approve, and
 * `supersededBy`. Each of them, like a cancellation of the flow, cancels the body that runs within the limits. Work
 * that must complete runs `nonCancellable`. The outcome of a limit says that nothing was created, so it replaces no other
 * outcome.
 */
export class ApprovalLimits {
  private readonly scope = new CancellationScope();
  private readonly watch = new CancellationScope();
  private reachedLimit: FlowOutcomeError | undefined;

  constructor(
    private readonly flow: Flow,
    private readonly session: SessionClient,
    private readonly limits: ApprovalLimitOptions,
  ) {}

  get isSuperseded(): boolean {
    return this.reachedLimit === SUPERSEDED;
  }

  /** Runs a body within the limits. @throws FlowOutcomeError if a limit was reached */
  async within<T>(body: () => Promise<T>): Promise<T> {
    const { deadlineAt, supersededBy = [] } = this.limits;
    if (deadlineAt !== undefined) this.startDeadline(deadlineAt);
    for (const event of supersededBy) {
      // A failure says nothing about the transaction, so the wait goes on.
      void event.then(
        () => this.reach(SUPERSEDED),
        () => undefined,
      );
    }
    void this.watch.run(() => this.watchRestrictions()).catch(rethrowUnlessCancelled);
    try {
      return await this.scope.run(body);
    } catch (error) {
      if (isCancellation(error)) this.check();
      throw error;
    } finally {
      this.watch.cancel();
      this.flow.showRestriction(undefined);
    }
  }

  /** The outcome of the flow if it was cancelled or a limit was reached, and nothing was created. */
  get outcome(): FlowOutcomeError | undefined {
    return this.flow.cancelRequested ? this.flow.cancelledOutcome() : this.reachedLimit;
  }

  /** @throws FlowOutcomeError if the flow was cancelled or a limit was reached */
  check(): void {
    const { outcome } = this;
    if (outcome) throw outcome;
  }

  private startDeadline(deadlineAt: number): void {
    void this.watch
      .run(() => sleep(Math.max(deadlineAt - Date.now(), 1)))
      .then(() => this.reach(EXPIRED))
      .catch(rethrowUnlessCancelled);
  }

  private reach(limit: FlowOutcomeError): void {
    this.reachedLimit ??= limit;
    this.scope.cancel();
  }

  /** Shows an attention for a restriction until a decision arrives or the restriction is lifted. */
  private async watchRestrictions(): Promise<void> {
    for (;;) {
      await condition(() => this.restrictionAttention !== undefined);
      const attention = this.restrictionAttention;
      // The restriction may have been lifted in the same activation.
      if (!attention) continue;
      const choice = await this.show(attention);
      if (choice === 'giveUp') return this.reach(failedOutcome({ ...attention, reason: attention.name }));
      if (choice === 'retry') {
        await this.session.refreshUser();
        await condition(() => this.restrictionAttention !== attention, RECHECK_MS);
      }
    }
  }

  private get restrictionAttention(): RestrictionAttention | undefined {
    const { restriction, reauthenticate } = this.session;
    if (!restriction || (restriction.reason === 'loggedOut' && reauthenticate)) return undefined;
    return RESTRICTION_ATTENTIONS[restriction.reason];
  }

  /** @returns the choice; undefined if the restriction was lifted first */
  private show(attention: RestrictionAttention): Promise<'retry' | 'giveUp' | undefined> {
    return unlessInterrupted(
      () => this.restrictionAttention !== attention,
      () => this.flow.awaitDecision(attention),
    );
  }
}

/** How long the session may take to read the user before the attention is shown again. */
const RECHECK_MS = 30_000;

function rethrowUnlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
