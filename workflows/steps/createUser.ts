import type { DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import { Refusal } from '../kit/refusal';

/** The flow's clock and the API's may differ by so much. */
const SKEW_MS = 60_000;

const ADOPT: DecisionOption = { choice: 'adopt', effect: 'goes on with the user who is there' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed; the user stays as it is' };

/**
 * Creates a user with a PIN to be set. The user id is its own key: a second attempt is refused with 155101, and the user
 * is ours when an attempt of ours may have made it and it is no older than the flow. Of one who was there before, the
 * policy decides.
 * @returns whether a user who was there before was adopted
 */
export async function createUser(flow: Flow, userId: string): Promise<{ adopted: boolean }> {
  const begun = Date.parse(flow.start.at);
  const whose = await perform<'ours' | 'older'>(flow, {
    step: 'user',
    send: async () => {
      await flow.api.createUser(userId);
      return 'ours';
    },
    find: async () => {
      const ageMs = await ageOf(flow, userId);
      if (ageMs === undefined) return undefined;
      return ageMs <= Date.now() - begun + SKEW_MS ? 'ours' : 'older';
    },
  }).catch((error: unknown) => {
    if (error instanceof Refusal && error.outcome.code === CODES.userIdTaken) return 'older' as const;
    throw error;
  });
  if (whose === 'older') await decide(flow);
  return { adopted: whose === 'older' };
}

/** By the API's own clock; undefined when there is no such user. */
async function ageOf(flow: Flow, userId: string): Promise<number | undefined> {
  try {
    return (await flow.api.readUser(userId)).ageMs ?? Infinity;
  } catch (error) {
    if (apiFailure(error)?.code === CODES.userNotFound) return undefined;
    throw error;
  }
}

/** @throws Refusal when a user who was there before is not to be adopted */
async function decide(flow: Flow): Promise<void> {
  const { name, onboarding } = flow.policy;
  const shown = {
    code: CODES.userIdTaken,
    reason: 'userId: a user with this id was there before the flow began',
    remedy: 'adopt the user if it is the one that is meant, or use another user id',
  };
  const choice =
    onboarding.existingUser === 'ask'
      ? await flow.attention({ name: 'UserExists', ...shown, options: [ADOPT, GIVE_UP] })
      : onboarding.existingUser;
  if (choice === ADOPT.choice) return;
  const reason = choice === 'refuse' ? `${shown.reason}; policy ${name} adopts none` : shown.reason;
  throw new Refusal({ status: 'failed', ...shown, reason });
}
