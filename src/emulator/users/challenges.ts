import type { z } from 'zod';
import type { challenge as challengeSchema } from '../../api/contract/resources';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { requiredFields } from './approvalContent';
import type { ChallengeRequests, ChallengeRow, ChallengeType, UserRow } from './rows';
import { requirePin, requireQuestions } from './users';

const EXPIRED = 155121;

/** Webhook types by challenge type. The other types have no webhook (docs/api-behavior.md#webhooks). */
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
 * Asks a user to approve a request, which `CHALLENGE_ACTIONS` then executes. The caller has validated the request.
 * @throws ApiErrorResponse 155110, 155111 the PIN or the security questions are not set, 155119, 155120 they are locked
 */
export function openChallenge<T extends ChallengeType>(
  world: World,
  user: UserRow,
  type: T,
  request: ChallengeRequests[T],
): ChallengeRow {
  const entries = requiredFields(user, type);
  if (entries.includes('pin')) requirePin(world, user);
  if (entries.includes('answers')) requireQuestions(world, user);
  const { random, users, clock, settings } = world;
  const lifetimeMs = settings.challengeLifetimeMs;
  const row = users.challenges.add({
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

/** @throws ApiErrorResponse 155116 unknown, or it belongs to another user */
export function challengeOf({ users }: World, id: string, user?: UserRow): ChallengeRow {
  const row = users.challenges.get(id);
  if (!row || (user && row.user !== user)) throw new ApiErrorResponse(155116);
  return row;
}

/** Requires a challenge that can still be approved. @throws ApiErrorResponse 155121 expired, 155122 ended or in progress */
export function requirePending({ status }: ChallengeRow): void {
  if (status === 'EXPIRED') throw new ApiErrorResponse(EXPIRED);
  if (status !== 'PENDING') throw new ApiErrorResponse(155122);
}

export function complete(world: World, row: ChallengeRow, correlationIds: string[]): void {
  row.status = 'COMPLETE';
  row.correlationIds = correlationIds;
  emitWebhook(world, row);
}

export function fail(world: World, row: ChallengeRow, { code, message }: { code: number; message: string }): void {
  row.status = 'FAILED';
  row.errorCode = code;
  row.errorMessage = message;
  emitWebhook(world, row);
}

/** Expires the challenge. Its webhook reports `FAILED` with 155121, as the API's does. */
export function expire(world: World, row: ChallengeRow): void {
  row.status = 'EXPIRED';
  emitWebhook(world, row);
}

/** The challenge as the API shows it: an empty list while it runs, code 0 and an empty message once it is complete. */
export function presentChallenge(row: ChallengeRow): z.output<typeof challengeSchema> {
  const { id, type, status, correlationIds, errorCode, errorMessage } = row;
  if (status === 'COMPLETE') return { id, type, status, correlationIds, errorCode: 0, errorMessage: '' };
  return { id, type, status, correlationIds: status === 'IN_PROGRESS' ? [] : undefined, errorCode, errorMessage };
}

/** Sends the webhook about the end of a challenge. */
function emitWebhook({ webhooks }: World, row: ChallengeRow): void {
  const webhook = WEBHOOKS[row.type];
  if (webhook === undefined) return;
  const expired = row.status === 'EXPIRED';
  webhooks.emit(webhook, {
    id: row.id,
    userId: row.user.id,
    type: row.type,
    status: expired ? 'FAILED' : row.status,
    correlationIds: row.correlationIds ?? null,
    errorCode: expired ? EXPIRED : (row.errorCode ?? 0),
    errorMessage: expired ? new ApiErrorResponse(EXPIRED).message : (row.errorMessage ?? ''),
  });
}
