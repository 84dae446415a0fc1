import type { userSigning as entries } from '../../api/contract/userSigning';
import type { Handlers } from '../http/handler';
import { signMessage, signTypedData, signUserTransaction } from '../signing/sign';
import { openChallenge } from '../users/challenges';
import { ownedByUser } from '../wallets/access';
import { challengeOpened } from './users';

/** The signing handlers that need a user's approval. They validate the request by signing, and discard the signature. */
export const userSigning: Pick<Handlers<'signing'>, keyof typeof entries> = {
  signUserMessage({ world, userToken: { user }, body }) {
    signMessage(world, body, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'SIGN_MESSAGE', body));
  },

  signUserTypedData({ world, userToken: { user }, body }) {
    signTypedData(world, body, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'SIGN_TYPEDDATA', body));
  },

  signUserTransaction({ world, userToken: { user }, body }) {
    signUserTransaction(world, body, ownedByUser(user.id));
    return challengeOpened(openChallenge(world, user, 'SIGN_TRANSACTION', body));
  },
};
