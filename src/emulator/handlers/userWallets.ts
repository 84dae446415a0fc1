import type { userWallets as entries } from '../../api/contract/userWallets';
import type { Handlers } from '../http/handler';
import { openChallenge } from '../users/challenges';
import { checkUserWallets } from '../users/wallets';
import { challengeOpened } from './users';

/** The wallet handlers that need a user's approval. */
export const userWallets: Pick<Handlers<'wallets'>, keyof typeof entries> = {
  createUserWallets({ world, userToken: { user }, body: { blockchains, accountType, metadata } }) {
    const request = { blockchains, accountType, metadata };
    checkUserWallets(world, request);
    return challengeOpened(openChallenge(world, user, 'CREATE_WALLET', request));
  },
};
