import type { userWallets as entries } from '../../api/contract/userWallets';
import type { Handlers } from '../area';
import { openChallenge } from '../users/challenges';
import { checkUserWallets } from '../users/wallets';
import { opened } from './users';

/** The part of the wallets area that users have to approve. */
export const userWallets: Pick<Handlers<'wallets'>, keyof typeof entries> = {
  createUserWallets({ world, userToken: { user }, body: { blockchains, accountType, metadata } }) {
    const request = { blockchains, accountType, metadata };
    checkUserWallets(world, request);
    return opened(openChallenge(world, user, 'CREATE_WALLET', request));
  },
};
