import type { UserFacts } from '../../activities';
import type { LockKind, UserRestriction } from '../../src/domain/userSession';
import type { SessionState } from './state';

/** Length of a lock if the API returns no end (docs/api-behavior.md#users-and-challenges). */
const DEFAULT_LOCK_MS = 30 * 60_000;
/** Added to the end of a lock, which the API returns in whole seconds. */
const LOCK_GRACE_MS = 1_000;

/** A restriction hides those with a lower rank: they show again when a call is refused because of them. */
const RANKS: Record<UserRestriction['reason'], number> = {
  disabled: 3,
  loggedOut: 2,
  pinLocked: 1,
  answersLocked: 1,
  otherChallenge: 0,
};

export function restrict(draft: SessionState, restriction: UserRestriction): void {
  const current = draft.restriction;
  if (current?.reason === 'disabled' && restriction.reason === 'disabled') return;
  if (!current || RANKS[current.reason] <= RANKS[restriction.reason]) draft.restriction = restriction;
}

export function lift(draft: SessionState, reason: UserRestriction['reason']): void {
  if (draft.restriction?.reason === reason) delete draft.restriction;
}

/** Reads the user soon. @param lock a lock that the API has just reported */
export function checkUser(draft: SessionState, lock?: LockKind): void {
  draft.userCheck = lock ? { lock } : (draft.userCheck ?? {});
}

/** Updates the restriction by what the API says about the user. If the user cannot be read, only the reported lock is known. */
export function applyUser(draft: SessionState, user: UserFacts | undefined): void {
  const reported = draft.userCheck?.lock;
  delete draft.userCheck;
  if (user?.status === 'DISABLED') return restrict(draft, { reason: 'disabled' });
  if (user) lift(draft, 'disabled');
  const locks: readonly [LockKind, string | undefined, number | undefined][] = [
    ['pinLocked', user?.pinStatus, user?.pinLockedForMs],
    ['answersLocked', user?.securityQuestionStatus, user?.answersLockedForMs],
  ];
  const locked = locks.filter(([lock, status]) => (user ? status === 'LOCKED' : lock === reported));
  // If both are locked, use the lock that the API has just reported.
  const [reason, , remainingMs = DEFAULT_LOCK_MS] = locked.find(([lock]) => lock === reported) ?? locked[0] ?? [];
  if (reason) return restrict(draft, { reason, until: draft.at + remainingMs + LOCK_GRACE_MS });
  lift(draft, 'pinLocked');
  lift(draft, 'answersLocked');
}
