import type { z } from 'zod';
import type { challenge as challengeSchema } from '../../api/contract/resources';
import { Refusal } from '../refusal';
import type { World } from '../world';
import { requirePin, requireQuestions } from './users';
import { entriesFor } from './approvalContent';
import type { ChallengeRequests, ChallengeRow, ChallengeType, UserRow } from './rows';

const EXPIRED = 155121;

/** Webhook types; there is none for the others (api-facts 8). */
const WEBHOOKS: Partial<Record<string, string>> = {
  INITIALIZE: 'challenges.initialize',
  SET_PIN: 'challenges.setPin',
  CHANGE_PIN: 'challenges.changePin',
  RESTORE_PIN: 'challenges.restorePin',
  SET_SECURITY_QUESTIONS: 'challenges.setSecurityQuestions',
  CREATE_WALLET: 'challenges.createWallet',
  CREATE_TRANSACTION: 'challenges.createTransaction',
  ACCELERATE_TRANSACTION: 'challenges.accelerateTransaction',
  CANCEL_TRANSACTION: 'challenges.cancelTransaction',
  CONTRACT_EXECUTION: 'challenges.contractExecution',
};

/**
 * Asks a user to approve something; `EFFECTS` says what happens then. What the request itself can be refused for, the
 * caller has checked.
 * @throws Refusal 155110, 155111, 155119, 155120: the user has nothing to approve with, or is locked out
 */
export function openChallenge<T extends ChallengeType>(
  world: World,
  user: UserRow,
  type: T,
  request: ChallengeRequests[T],
): ChallengeRow {
  const entries = entriesFor(user, type);
  if (entries.includes('pin')) requirePin(world, user);
  if (entries.includes('answers')) requireQuestions(world, user);
  const { random, store, clock, settings } = world;
  const lifetimeMs = settings.challengeLifetimeMs;
  const row = store.people.challenges.add({
    id: random.uuid(),
    user,
    type,
    request,
    status: 'PENDING',
    expiresAt: lifetimeMs === null ? undefined : new Date(clock.now().getTime() + lifetimeMs),
    correlationIds: undefined,
    errorCode: undefined,
    errorMessage: undefined,
  });
  if (lifetimeMs !== null) {
    clock.after(lifetimeMs, () => {
      if (row.status === 'PENDING') expire(world, row);
    });
  }
  return row;
}

/** @throws Refusal 155116: there is none, or it is another user's */
export function challengeOf({ store }: World, id: string, user?: UserRow): ChallengeRow {
  const row = store.people.challenges.get(id);
  if (!row || (user && row.user !== user)) throw new Refusal(155116);
  return row;
}

/** One that can still be approved. @throws Refusal 155121 expired, 155122 over or under way */
export function requirePending({ status }: ChallengeRow): void {
  if (status === 'EXPIRED') throw new Refusal(EXPIRED);
  if (status !== 'PENDING') throw new Refusal(155122);
}

export function complete(world: World, row: ChallengeRow, correlationIds: string[]): void {
  row.status = 'COMPLETE';
  row.correlationIds = correlationIds;
  announce(world, row);
}

export function fail(world: World, row: ChallengeRow, { code, message }: { code: number; message: string }): void {
  row.status = 'FAILED';
  row.errorCode = code;
  row.errorMessage = message;
  announce(world, row);
}

/** `EXPIRED`, which its webhook reports as failed (api-facts 8). */
export function expire(world: World, row: ChallengeRow): void {
  row.status = 'EXPIRED';
  announce(world, row);
}

export function shownChallenge(row: ChallengeRow): z.output<typeof challengeSchema> {
  const { id, type, status, correlationIds, errorCode, errorMessage } = row;
  return { id, type, status, correlationIds, errorCode, errorMessage };
}

/** Tells subscribers that it is over. */
function announce({ webhooks }: World, row: ChallengeRow): void {
  const webhook = WEBHOOKS[row.type];
  if (webhook === undefined) return;
  const expired = row.status === 'EXPIRED';
  webhooks.emit(webhook, {
    id: row.id,
    userId: row.user.id,
    type: row.type,
    status: expired ? 'FAILED' : row.status,
    correlationIds: row.correlationIds ?? [],
    errorCode: expired ? EXPIRED : (row.errorCode ?? 0),
    errorMessage: expired ? new Refusal(EXPIRED).message : (row.errorMessage ?? ''),
  });
}
