import { condition } from '@temporalio/workflow';
import type { IdentifiedUser } from '../../activities';
import { option } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { SealedProvidedInput } from '../../src/domain/inputRequests';
import { LOGIN_REMEDIES } from '../../src/domain/loginRemedy';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { type DeviceLoginMethod, GIVE_UP } from './deviceLoginMethods';
import { LoginAttempt } from './loginAttempt';

export interface LogInOptions {
  loginMethod: DeviceLoginMethod;
  /** Device id of the user's browser, if it is already known. */
  deviceId?: string;
  /** The only user who may log in; undefined if any user may. */
  userId?: string;
  /** The flow's deadline, epoch milliseconds. */
  deadlineAt?: number;
  /** The user logs in again. A challenge may still be approved, so a wrong login does not end the flow. */
  reauthentication?: true;
}

const RETRY = option('retry', 'asks the API again which user the tokens belong to');

/**
 * Logs the user in: gets what the browser needs, waits for the tokens that the browser receives, and asks the API which
 * user they belong to (docs/architecture.md#the-path-of-one-onboarding).
 * @throws FlowOutcomeError if the wrong user logs in, or no one logs in by the deadline
 */
export async function logIn(
  flow: Flow,
  { loginMethod, deviceId, userId, deadlineAt, reauthentication }: LogInOptions,
): Promise<IdentifiedUser> {
  const attempt = new LoginAttempt(flow, loginMethod, deviceId);
  try {
    for (;;) {
      await awaitWork(deadlineAt, () => attempt.hasWork);
      const tokens = await attempt.processNext();
      const user = tokens && (await identify(flow, attempt, tokens));
      if (!user) continue;
      const refusal = refusalOf(user, userId);
      if (!refusal) return user;
      if (!reauthentication) throw refusal;
      // The app receives the error code of an invalid token, so that it asks its user to log in again.
      await attempt.reject(CODES.userTokenInvalid);
    }
  } finally {
    attempt.end();
  }
}

/** Waits until there is something to do. @throws FlowOutcomeError if the deadline passes first */
async function awaitWork(deadlineAt: number | undefined, hasWork: () => boolean): Promise<void> {
  if (deadlineAt === undefined) return condition(hasWork);
  if (await condition(hasWork, Math.max(deadlineAt - Date.now(), 1))) return;
  throw new FlowOutcomeError({
    status: 'expired',
    reason: 'the user did not log in by the deadline',
    remedy: 'start the flow again with a new ref when the user is available',
  });
}

/** @returns the user of the tokens; undefined if the tokens are invalid, which the progress shows to the user's app */
async function identify(
  flow: Flow,
  attempt: LoginAttempt,
  { tokens, deviceId }: { tokens: SealedProvidedInput<'tokens'>; deviceId: string },
): Promise<IdentifiedUser | undefined> {
  for (;;) {
    try {
      return await flow.api.identifyUser(tokens, deviceId);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      if (LOGIN_REMEDIES[failure.code]) {
        await attempt.reject(failure.code);
        return undefined;
      }
      if (failure.kind !== 'attention') throw error;
      const problem = problemOf(failure);
      const choice = await flow.awaitDecision({ ...problem, options: [RETRY, GIVE_UP] });
      if (choice === 'giveUp') throw failedOutcome(problem);
    }
  }
}

/** Why the flow cannot continue with the user who has logged in; undefined if it can. */
function refusalOf(user: IdentifiedUser, userId: string | undefined): FlowOutcomeError | undefined {
  if (userId !== undefined && user.userId !== userId) {
    return failedOutcome({
      reason: 'userId: another user has logged in',
      remedy: 'check that userId belongs to the address or account that the user logs in with',
    });
  }
  if (user.pinStatus === undefined || user.pinStatus === 'UNSET') return undefined;
  return failedOutcome({
    reason: 'userId: the user has a PIN and does not log in by email or at a provider',
    remedy: 'onboard the user with the method pin',
  });
}
