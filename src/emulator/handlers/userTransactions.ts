import type { userTransactions as entries } from '../../api/contract/userTransactions';
import { requireAcceleratable, requireCancellable } from '../checks/transaction';
import { draftCall, draftTransfer, draftUpgrade } from '../checks/transactionDrafts';
import type { Handlers } from '../http/handler';
import { openChallenge } from '../users/challenges';
import { ownedByUser } from '../wallets/access';
import { challengeOpened } from './users';

/** The transaction handlers that need a user's approval. `CHALLENGE_ACTIONS` validates the request again and executes it. */
export const userTransactions: Pick<Handlers<'transactions'>, keyof typeof entries> = {
  createUserTransfer({ world, userToken: { user }, body }) {
    draftTransfer(world, body, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'CREATE_TRANSACTION', body));
  },

  createUserContractExecution({ world, userToken: { user }, body }) {
    draftCall(world, body, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'CONTRACT_EXECUTION', body));
  },

  createUserWalletUpgrade({ world, userToken: { user }, body }) {
    draftUpgrade(world, body, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'WALLET_UPGRADE', body));
  },

  accelerateUserTransaction({ world, userToken: { user }, params: { id } }) {
    requireAcceleratable(world, id, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'ACCELERATE_TRANSACTION', { id }));
  },

  cancelUserTransaction({ world, userToken: { user }, params: { id } }) {
    requireCancellable(world, id, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'CANCEL_TRANSACTION', { id }));
  },
};
