import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { page } from '../requests/paging';
import { challengeOf, openChallenge, presentChallenge } from '../users/challenges';
import { issueDeviceToken } from '../users/devices';
import { beginEmailLogin, resendOtp } from '../users/otp';
import type { ChallengeRow } from '../users/rows';
import { issueToken, refreshLogin } from '../users/tokens';
import { addUser, presentUser, userOf } from '../users/users';
import { checkUserWallets } from '../users/wallets';

export const users: Handlers<'users'> = {
  createUser({ world, body }) {
    return { status: 201, body: { data: presentUser(world, addUser(world, body.userId, { kind: 'pin' })) } };
  },

  listUsers({ world, query, url }) {
    const { pinStatus, securityQuestionStatus } = query;
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.users.users.all(),
        idOf: ({ cursor }) => cursor,
        dateOf: ({ createDate }) => createDate,
        filter: (row) => {
          const user = presentUser(world, row);
          return (
            (pinStatus === undefined || user.pinStatus === pinStatus) &&
            (securityQuestionStatus === undefined || user.securityQuestionStatus === securityQuestionStatus)
          );
        },
      },
    );
    return { headers, body: { data: { users: rows.map((row) => presentUser(world, row)) } } };
  },

  getUser({ world, params }) {
    return { body: { data: { user: presentUser(world, userOf(world, params.id)) } } };
  },

  createUserToken({ world, body }) {
    return { body: { data: issueToken(world, userOf(world, body.userId)) } };
  },

  createSocialDeviceToken({ world, body }) {
    if (world.settings.ssoProviders.length === 0) throw new ApiErrorResponse(155152);
    const { text, encryptionKey } = issueDeviceToken(world, body.deviceId);
    return { body: { data: { deviceToken: text, deviceEncryptionKey: encryptionKey } } };
  },

  createEmailDeviceToken({ world, body }) {
    const { device, otp } = beginEmailLogin(world, body);
    const { text: deviceToken, encryptionKey: deviceEncryptionKey } = device;
    return { body: { data: { deviceToken, deviceEncryptionKey, otpToken: otp.id } } };
  },

  resendOtp({ world, body }) {
    return { body: { data: { otpToken: resendOtp(world, body).id } } };
  },

  refreshUserToken({ world, userToken, body }) {
    return { body: { data: { ...refreshLogin(world, userToken, body), userID: userToken.user.id } } };
  },

  initializeUser({ world, userToken: { user }, body }) {
    if (user.initialized) throw new ApiErrorResponse(155106);
    if (user.pin !== undefined) throw new ApiErrorResponse(155107);
    const { blockchains, accountType, metadata } = body;
    if (blockchains) checkUserWallets(world, { blockchains, accountType });
    return challengeOpened(openChallenge(world, user, 'INITIALIZE', { blockchains, accountType, metadata }));
  },

  getCurrentUser({ world, userToken }) {
    return { body: { data: presentUser(world, userToken.user) } };
  },

  createUserPin({ world, userToken: { user } }) {
    if (user.login.kind !== 'pin')
      throw new ApiErrorResponse(2, { message: 'Users who log in by email or SSO have no PIN' });
    if (user.pin !== undefined) throw new ApiErrorResponse(155107);
    return challengeOpened(openChallenge(world, user, 'SET_PIN', {}));
  },

  updateUserPin({ world, userToken: { user } }) {
    if (user.pin === undefined) throw new ApiErrorResponse(155110);
    return challengeOpened(openChallenge(world, user, 'CHANGE_PIN', {}));
  },

  restoreUserPin({ world, userToken: { user } }) {
    if (user.pin === undefined) throw new ApiErrorResponse(155110);
    return challengeOpened(openChallenge(world, user, 'RESTORE_PIN', {}));
  },

  listUserChallenges({ world, userToken, query }) {
    const open = world.users.challenges
      .all()
      .filter(({ user, status }) => user === userToken.user && (status === 'PENDING' || status === 'IN_PROGRESS'))
      .filter(({ status }) => query.status === undefined || status === query.status);
    return { body: { data: { challenges: open.map(presentChallenge) } } };
  },

  getUserChallenge({ world, userToken, params }) {
    return { body: { data: { challenge: presentChallenge(challengeOf(world, params.id, userToken.user)) } } };
  },
};

/** The response of every request that a user has to approve. */
export function challengeOpened({ id }: ChallengeRow) {
  return { status: 201, body: { data: { challengeId: id } } };
}
