import { requireAcceleratable, requireCancellable } from '../checks/transaction';
import { draftCall, draftTransfer, draftUpgrade } from '../checks/transactionDrafts';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { signMessage, signTypedData, signUserTransaction } from '../signing/sign';
import type { SignedTransaction } from '../signing/signedTransaction';
import { accelerate, cancel, submit } from '../transactions/transactionMachine';
import { ownedByUser } from '../wallets/access';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import type { ApprovalContent } from './approvalContent';
import type { ChallengeRequests, ChallengeType, UserRow } from './rows';
import { createUserWallets } from './wallets';

export interface ChallengeResult {
  /** Ids of the wallets or the transaction that the challenge created; an id of nothing for a PIN. */
  correlationIds?: string[];
  /** The signature. Only the client that approved receives it. */
  data?: Pick<SignedTransaction, 'signature'> | SignedTransaction;
}

/** @throws ApiErrorResponse and changes nothing; the challenge then fails with its code */
type ChallengeAction<T extends ChallengeType> = (
  world: World,
  user: UserRow,
  request: ChallengeRequests[T],
  content: ApprovalContent,
) => ChallengeResult;

/** What each type of challenge does once approved. The content was validated; the PIN and the answers are correct. */
export const CHALLENGE_ACTIONS: { [T in ChallengeType]: ChallengeAction<T> } = {
  INITIALIZE(world, user, { blockchains, ...request }, content) {
    if (user.initialized) throw new ApiErrorResponse(155106);
    if (user.pin !== undefined) throw new ApiErrorResponse(155107);
    const wallets = blockchains ? createUserWallets(world, user, { ...request, blockchains }) : [];
    user.initialized = true;
    setPin(user, content);
    return { correlationIds: wallets.map(({ id }) => id) };
  },

  SET_PIN(world, user, _request, content) {
    if (user.pin !== undefined) throw new ApiErrorResponse(155107);
    setPin(user, content);
    return unnamed(world);
  },

  CHANGE_PIN(world, user, _request, content) {
    setPin(user, content);
    return unnamed(world);
  },

  RESTORE_PIN(world, user, _request, content) {
    const now = world.clock.now();
    if (user.pinLock.isLocked(now)) user.pinLock.unlock(now);
    setPin(user, content);
    return unnamed(world);
  },

  SET_SECURITY_QUESTIONS(_world, user, _request, content) {
    if (user.questions.length > 0) throw new ApiErrorResponse(155108);
    user.questions = content.questions ?? [];
    return {};
  },

  CREATE_WALLET(world, user, request) {
    return { correlationIds: createUserWallets(world, user, request).map(({ id }) => id) };
  },

  CREATE_TRANSACTION(world, user, request) {
    return resultOf(submit(world, draftTransfer(world, request, ownedByUser(user.id))));
  },

  CONTRACT_EXECUTION(world, user, request) {
    return resultOf(submit(world, draftCall(world, request, ownedByUser(user.id))));
  },

  WALLET_UPGRADE(world, user, request) {
    return resultOf(submit(world, draftUpgrade(world, request, ownedByUser(user.id))));
  },

  ACCELERATE_TRANSACTION(world, user, { id }) {
    const row = requireAcceleratable(world, id, ownedByUser(user.id));
    accelerate(world, row);
    return resultOf(row);
  },

  CANCEL_TRANSACTION(world, user, { id }) {
    const row = requireCancellable(world, id, ownedByUser(user.id));
    cancel(world, row);
    return resultOf(row);
  },

  SIGN_MESSAGE(world, user, request) {
    return { data: signMessage(world, request, ownedByUser(user.id)) };
  },

  SIGN_TYPEDDATA(world, user, request) {
    return { data: signTypedData(world, request, ownedByUser(user.id)) };
  },

  SIGN_TRANSACTION(world, user, request) {
    return { data: signUserTransaction(world, request, ownedByUser(user.id)) };
  },
};

function resultOf({ id }: TransactionRow): ChallengeResult {
  return { correlationIds: [id] };
}

/** Guides show an id for a PIN that was set. It names nothing that the API can return. */
function unnamed({ random }: World): ChallengeResult {
  return { correlationIds: [random.uuid()] };
}

/** Sets the PIN and questions that were entered; users who log in enter none. */
function setPin(user: UserRow, { newPin, questions }: ApprovalContent): void {
  user.pin = newPin ?? user.pin;
  user.questions = questions ?? user.questions;
}
