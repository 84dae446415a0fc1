import { Refusal } from '../refusal';
import type { World } from '../world';
import type { ApprovalContent } from './approvalContent';
import type { ChallengeRequests, ChallengeType, UserRow } from './rows';
import { createUserWallets } from './wallets';

export interface Effect {
  /** What the challenge made: wallets, or a transaction. */
  correlationIds?: string[];
  /** What only the client that approved learns: a signature. */
  data?: Record<string, string | undefined>;
}

/** @throws Refusal: nothing is done, and the challenge fails with its code */
type CarryOut<T extends ChallengeType> = (
  world: World,
  user: UserRow,
  request: ChallengeRequests[T],
  content: ApprovalContent,
) => Effect;

/** What the approval of a challenge does; its content is complete, PIN and answers are right. */
export const EFFECTS: { [T in ChallengeType]: CarryOut<T> } = {
  INITIALIZE(world, user, { blockchains, ...request }, content) {
    if (user.initialized) throw new Refusal(155106);
    if (user.pin !== undefined) throw new Refusal(155107);
    const wallets = blockchains ? createUserWallets(world, user, { ...request, blockchains }) : [];
    user.initialized = true;
    setPin(user, content);
    return { correlationIds: wallets.map(({ id }) => id) };
  },

  SET_PIN(_world, user, _request, content) {
    if (user.pin !== undefined) throw new Refusal(155107);
    setPin(user, content);
    return {};
  },

  CHANGE_PIN(_world, user, _request, content) {
    setPin(user, content);
    return {};
  },

  RESTORE_PIN({ clock }, user, _request, content) {
    if (user.pinLock.isLocked(clock.now())) user.pinLock.unlock(clock.now());
    setPin(user, content);
    return {};
  },

  SET_SECURITY_QUESTIONS(_world, user, _request, content) {
    if (user.questions.length > 0) throw new Refusal(155108);
    user.questions = content.questions ?? [];
    return {};
  },
};

/** Users who log in have none. */
function setPin(user: UserRow, { newPin, questions }: ApprovalContent): void {
  user.pin = newPin ?? user.pin;
  user.questions = questions ?? user.questions;
}
