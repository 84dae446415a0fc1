import type { userTransactions as entries } from '../../api/contract/userTransactions';
import type { Handlers } from '../area';
import { requireAcceleratable, requireCancellable } from '../checks/transaction';
import { callDraft, transferDraft, upgradeDraft } from '../drafts';
import { usersOwn } from '../reach';
import { openChallenge } from '../users/challenges';
import { opened } from './users';

/** The part of the transactions area that users have to approve: checked here, done by `EFFECTS`, which checks again. */
export const userTransactions: Pick<Handlers<'transactions'>, keyof typeof entries> = {
  createUserTransfer({ world, userToken: { user }, body }) {
    transferDraft(world, body, usersOwn(user.id));
    return opened(openChallenge(world, user, 'CREATE_TRANSACTION', body));
  },

  createUserContractExecution({ world, userToken: { user }, body }) {
    callDraft(world, body, usersOwn(user.id));
    return opened(openChallenge(world, user, 'CONTRACT_EXECUTION', body));
  },

  createUserWalletUpgrade({ world, userToken: { user }, body }) {
    upgradeDraft(world, body, usersOwn(user.id));
    return opened(openChallenge(world, user, 'WALLET_UPGRADE', body));
  },

  accelerateUserTransaction({ world, userToken: { user }, params: { id } }) {
    requireAcceleratable(world, id, usersOwn(user.id));
    return opened(openChallenge(world, user, 'ACCELERATE_TRANSACTION', { id }));
  },

  cancelUserTransaction({ world, userToken: { user }, params: { id } }) {
    requireCancellable(world, id, usersOwn(user.id));
    return opened(openChallenge(world, user, 'CANCEL_TRANSACTION', { id }));
  },
};
