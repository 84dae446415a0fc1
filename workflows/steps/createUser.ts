import { workflowInfo } from '@temporalio/workflow';
import { option } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import { CLOCK_SKEW_MS } from '../../src/domain/retryRules';
import { apiFailure, failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { perform } from '../kit/perform';

const ADOPT = option('adopt', 'continues with the existing user');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the user stays as it is');

/**
 * Creates a user who will set a PIN. The user id acts as the idempotency key: the API refuses a second attempt with
 * 155101. A user found after such a refusal is assumed to have been created by this flow if the user is not older than
 * the flow. Otherwise the policy says what happens.
 * @returns `adopted`: whether the user existed before
 */
export async function createUser(flow: Flow, userId: string): Promise<{ adopted: boolean }> {
  // The server's time, which a reset keeps.
  const startedAt = workflowInfo().startTime.getTime();
  const origin = await perform<'created' | 'existing'>(flow, {
    step: 'user',
    send: async (effect) => {
      await flow.api.createUser(effect, userId);
      return 'created';
    },
    find: async (_effect, { patience }) => {
      const ageMs = await ageOf(flow, userId);
      if (ageMs === undefined) return undefined;
      // The API refused the first request of this flow, so the user existed before, however young it is.
      if (patience === 'once') return 'existing';
      return ageMs <= Date.now() - startedAt + CLOCK_SKEW_MS ? 'created' : 'existing';
    },
  }).catch((error: unknown) => {
    if (error instanceof FlowOutcomeError && error.refusalCode === CODES.userIdTaken) return 'existing' as const;
    throw error;
  });
  if (origin === 'existing') await decideAdoption(flow);
  return { adopted: origin === 'existing' };
}

/** Time since the user was created, by the API's clock; undefined if there is no such user. */
async function ageOf(flow: Flow, userId: string): Promise<number | undefined> {
  try {
    return (await flow.api.readUser(userId)).ageMs ?? Infinity;
  } catch (error) {
    if (apiFailure(error)?.code === CODES.userNotFound) return undefined;
    throw error;
  }
}

/** Decides by the policy about a user that already existed. @throws FlowOutcomeError if the user is not adopted */
async function decideAdoption(flow: Flow): Promise<void> {
  const { name, onboarding } = flow.policy;
  const problem = {
    name: 'UserExists',
    code: CODES.userIdTaken,
    reason: 'userId: a user with this id already existed before the flow began',
    remedy: 'check whether it is the right user',
  };
  const choice =
    onboarding.existingUser === 'ask'
      ? await flow.awaitDecision({ ...problem, options: [ADOPT, GIVE_UP] })
      : onboarding.existingUser;
  if (choice === 'adopt') return;
  const reason =
    choice === 'refuse' ? `${problem.reason}; policy ${name} does not adopt existing users` : problem.reason;
  const remedy = 'use another user id, or a policy that adopts existing users';
  throw failedOutcome({ ...problem, reason, remedy });
}
