import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import type { UserFacts } from '../../activities';
import type { UserRestriction } from '../../src/domain/userSession';
import { apiActivities } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { FlowNotifier } from './flowNotifier';
import type { RunLifecycle } from './runLifecycle';
import type { SessionState } from './state';

/** Length of a lock if the API returns no end (docs/api-behavior.md#users-and-challenges). */
const DEFAULT_LOCK_MS = 30 * 60_000;
/** Added to the end of a lock, which the API returns in whole seconds. */
const LOCK_GRACE_MS = 1_000;

/** Delay before a refused call is retried if the API no longer reports the user as locked. */
const UNLOCKED_RETRY_MS = 5_000;

type LockKind = 'pinLocked' | 'answersLocked';

/** The restriction that prevents the user from approving anything, tracked once for all flows. */
export class UserRestrictions {
  private watchScope: CancellationScope | undefined;

  constructor(
    private readonly state: SessionState,
    private readonly lifecycle: RunLifecycle,
    private readonly notifier: FlowNotifier,
    private readonly entity: string,
  ) {}

  /** Continues the wait of the previous run. */
  resume(): void {
    const { restriction } = this.state;
    if (restriction?.reason === 'disabled') this.watchDisabled();
    else if (restriction?.until !== undefined) this.scheduleLift(restriction);
  }

  has(reason: UserRestriction['reason']): boolean {
    return this.state.restriction?.reason === reason;
  }

  /** The API rejects every call for this user. */
  markDisabled(): void {
    if (this.has('disabled')) return;
    this.update({ reason: 'disabled' });
    this.watchDisabled();
  }

  /** The tokens of the login no longer work and cannot be renewed. */
  markLoggedOut(): void {
    if (!this.has('loggedOut')) this.update({ reason: 'loggedOut' });
  }

  lift(reason: UserRestriction['reason']): void {
    if (this.has(reason)) this.update(undefined);
  }

  /**
   * Call it after the API refused a call because of a lock. Reads how long the lock lasts by the API's own clock, and
   * waits until it ends, the caller's request is abandoned, or the run drains.
   */
  async awaitUnlock(lock: LockKind, isAbandoned: () => boolean): Promise<void> {
    await this.refresh(lock);
    const { restriction } = this.state;
    const mustStop = () => isAbandoned() || this.lifecycle.draining;
    if (restriction) await condition(() => this.state.restriction !== restriction || mustStop());
    else await condition(mustStop, UNLOCKED_RETRY_MS);
  }

  /** Reads the user and updates the restriction. @param reportedLock a lock that the API just reported */
  async refresh(reportedLock?: LockKind): Promise<void> {
    const user = await this.readUser();
    if (user?.status === 'DISABLED') return this.markDisabled();
    if (user) this.lift('disabled');
    // If the user cannot be read, only the reported lock is known.
    const locks: readonly [LockKind, string | undefined, number | undefined][] = [
      ['pinLocked', user?.pinStatus, user?.pinLockedForMs],
      ['answersLocked', user?.securityQuestionStatus, user?.answersLockedForMs],
    ];
    const locked = locks.filter(([lock, status]) => (user ? status === 'LOCKED' : lock === reportedLock));
    // If both are locked, use the lock that the API just reported.
    const [lock, , remainingMs = DEFAULT_LOCK_MS] = locked.find(([each]) => each === reportedLock) ?? locked[0] ?? [];
    if (lock) return this.setLock(lock, remainingMs);
    this.lift('pinLocked');
    this.lift('answersLocked');
  }

  private setLock(reason: LockKind, remainingMs: number): void {
    const restriction = { reason, until: Date.now() + remainingMs + LOCK_GRACE_MS };
    this.update(restriction);
    this.scheduleLift(restriction);
  }

  private async readUser(): Promise<UserFacts | undefined> {
    try {
      return await this.lifecycle.runToCompletion(() => apiActivities(this.entity).readUser(this.state.auth.userId));
    } catch (error) {
      if (!apiFailure(error)) throw error;
      return undefined;
    }
  }

  private update(restriction: UserRestriction | undefined): void {
    this.watchScope?.cancel();
    this.watchScope = undefined;
    this.notifier.setRestriction(restriction);
  }

  private scheduleLift(restriction: UserRestriction): void {
    this.startWatch(async () => {
      await sleep(Math.max(restriction.until! - Date.now(), 1));
      if (this.state.restriction === restriction) this.update(undefined);
    });
  }

  private watchDisabled(): void {
    this.startWatch(async () => {
      await apiActivities(this.entity).followUserEnabled(this.state.auth.userId);
      this.lift('disabled');
    });
  }

  /** Waits in the background for the end of the restriction. Every change of the restriction cancels the wait. */
  private startWatch(wait: () => Promise<void>): void {
    this.lifecycle.spawn(() => {
      this.watchScope = new CancellationScope();
      return this.watchScope.run(wait);
    });
  }
}
