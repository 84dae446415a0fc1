import type { userSigning as entries } from '../../api/contract/userSigning';
import type { Handlers } from '../area';
import { usersOwn } from '../reach';
import { signMessage, signTypedData, signUserTransaction } from '../signing/requests';
import { openChallenge } from '../users/challenges';
import { opened } from './users';

/** The part of the signing area that users have to approve. To check is to sign: the signature is not kept. */
export const userSigning: Pick<Handlers<'signing'>, keyof typeof entries> = {
  signUserMessage({ world, userToken: { user }, body }) {
    signMessage(world, body, usersOwn(user.id));
    return opened(openChallenge(world, user, 'SIGN_MESSAGE', body));
  },

  signUserTypedData({ world, userToken: { user }, body }) {
    signTypedData(world, body, usersOwn(user.id));
    return opened(openChallenge(world, user, 'SIGN_TYPEDDATA', body));
  },

  signUserTransaction({ world, userToken: { user }, body }) {
    signUserTransaction(world, body, usersOwn(user.id));
    return opened(openChallenge(world, user, 'SIGN_TRANSACTION', body));
  },
};
