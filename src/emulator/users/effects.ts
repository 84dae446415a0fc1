import { requireAcceleratable, requireCancellable } from '../checks/transaction';
import { callDraft, transferDraft, upgradeDraft } from '../drafts';
import { usersOwn } from '../reach';
import { Refusal } from '../refusal';
import { signMessage, signTypedData, signUserTransaction } from '../signing/requests';
import type { SignedTransaction } from '../signing/signedTransaction';
import type { TransactionRow } from '../store';
import { accelerate, cancel, submit } from '../transactionMachine';
import type { World } from '../world';
import type { ApprovalContent } from './approvalContent';
import type { ChallengeRequests, ChallengeType, UserRow } from './rows';
import { createUserWallets } from './wallets';

export interface Effect {
  /** What the challenge made: wallets, or a transaction. */
  correlationIds?: string[];
  /** What only the client that approved learns: a signature. */
  data?: Pick<SignedTransaction, 'signature'> | SignedTransaction;
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

  CREATE_WALLET(world, user, request) {
    return { correlationIds: createUserWallets(world, user, request).map(({ id }) => id) };
  },

  CREATE_TRANSACTION(world, user, request) {
    return made(submit(world, transferDraft(world, request, usersOwn(user.id))));
  },

  CONTRACT_EXECUTION(world, user, request) {
    return made(submit(world, callDraft(world, request, usersOwn(user.id))));
  },

  WALLET_UPGRADE(world, user, request) {
    return made(submit(world, upgradeDraft(world, request, usersOwn(user.id))));
  },

  ACCELERATE_TRANSACTION(world, user, { id }) {
    const row = requireAcceleratable(world, id, usersOwn(user.id));
    accelerate(world, row);
    return made(row);
  },

  CANCEL_TRANSACTION(world, user, { id }) {
    const row = requireCancellable(world, id, usersOwn(user.id));
    cancel(world, row);
    return made(row);
  },

  SIGN_MESSAGE(world, user, request) {
    return { data: signMessage(world, request, usersOwn(user.id)) };
  },

  SIGN_TYPEDDATA(world, user, request) {
    return { data: signTypedData(world, request, usersOwn(user.id)) };
  },

  SIGN_TRANSACTION(world, user, request) {
    return { data: signUserTransaction(world, request, usersOwn(user.id)) };
  },
};

function made({ id }: TransactionRow): Effect {
  return { correlationIds: [id] };
}

/** Users who log in have none. */
function setPin(user: UserRow, { newPin, questions }: ApprovalContent): void {
  user.pin = newPin ?? user.pin;
  user.questions = questions ?? user.questions;
}
