const { randomUUID } = require('node:crypto');
const { PIN_INPUTS, approve } = require('../endUser');
const { UNKNOWN_ID, invalid, malformedCursor, unknownCursor, usedKey } = require('../errorCases');

const unknownUser = { code: 155102, status: 404, change: { userId: `nobody-${UNKNOWN_ID}` } };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** Creates a user without a PIN. @returns the user's token */
async function newUserToken({ client }) {
  const userId = `user-${randomUUID()}`;
  await client.createUser({ userId });
  const { data } = await client.createUserToken({ userId });
  return data.userToken;
}

/** Users, their tokens, PINs and challenges. */
module.exports = {
  createUser: {
    args: () => [{ userId: `user-${randomUUID()}` }],
    status: 201,
    expect: (user, _known, [{ userId }]) => ({ id: [user.id, userId], pinStatus: [user.pinStatus, 'UNSET'] }),
    save: ({ id }) => ({ userId: id }),
    errors: [{ code: 155101, status: 409 }, invalid({ userId: 'four' })],
  },
  getUser: {
    args: ({ userId }) => [{ userId }],
    expect: ({ user }, { userId }) => ({ id: [user.id, userId] }),
    errors: [unknownUser, invalid({ userId: 'four' })],
  },
  listUsers: {
    args: () => [{ pinStatus: 'UNSET', pageSize: 10 }],
    expect: ({ users }, { userId }) => ({ listed: [users.some(({ id }) => id === userId), true] }),
    errors: [unknownCursor, malformedCursor, invalid({ pinStatus: 'NONE' })],
  },
  createUserToken: {
    args: ({ userId }) => [{ userId }],
    expect: ({ userToken, encryptionKey }) => ({
      'is a JSON Web Token': [userToken.split('.').length, 3],
      'has an encryption key': [encryptionKey.length > 0, true],
    }),
    save: ({ userToken }) => ({ userToken }),
    errors: [unknownUser, invalid({ userId: 'four' })],
  },
  getUserStatus: {
    args: ({ userToken }) => [{ userToken }],
    expect: ({ id }, { userId }) => ({ id: [id, userId] }),
    errors: [
      badToken,
      {
        code: 155109,
        status: 409,
        setup: ({ control, userId }) => control('POST', `/users/${userId}/disable`),
        cleanup: ({ control, userId }) => control('POST', `/users/${userId}/enable`),
      },
    ],
  },
  createUserPin: {
    args: async (context) => [{ userToken: await newUserToken(context), idempotencyKey: randomUUID() }],
    status: 201,
    save: ({ challengeId }, context) => approve(context, challengeId, PIN_INPUTS.first),
    errors: [usedKey, badToken, { code: 155107, status: 409, change: {} }],
  },
  createUserPinWithWallets: {
    args: ({ userToken }) => [
      {
        userToken,
        blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'],
        accountType: 'EOA',
        metadata: [{ name: 'first' }, { name: 'second' }],
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    async save({ challengeId }, context) {
      await approve(context, challengeId, PIN_INPUTS.first);
      return { challengeId };
    },
    errors: [
      usedKey,
      { code: 155504, status: 400, change: { metadata: [{ name: 'alone' }] } },
      { code: 155106, status: 409, change: {} },
      badToken,
    ],
  },
  getUserChallenge: {
    args: ({ userToken, challengeId }) => [{ userToken, challengeId }],
    expect: ({ challenge }) => ({
      type: [challenge.type, 'INITIALIZE'],
      status: [challenge.status, 'COMPLETE'],
      'wallets created': [challenge.correlationIds.length, 2],
    }),
    errors: [{ code: 155116, status: 404, change: { challengeId: UNKNOWN_ID } }, badToken],
  },
  updateUserPin: {
    args: ({ userToken }) => [{ userToken, idempotencyKey: randomUUID() }],
    status: 201,
    save: ({ challengeId }, context) => approve(context, challengeId, PIN_INPUTS.changed),
    errors: [
      usedKey,
      badToken,
      { code: 155110, status: 400, args: async (context) => [{ userToken: await newUserToken(context) }] },
    ],
  },
  restoreUserPin: {
    args: ({ userToken }) => [{ userToken, idempotencyKey: randomUUID() }],
    status: 201,
    save: ({ challengeId }) => ({ restoreId: challengeId }),
    errors: [usedKey, badToken],
  },
  listUserChallenges: {
    args: ({ userToken }) => [{ userToken, challengeStatus: 'PENDING' }],
    expect: ({ challenges }, { restoreId }) => ({ id: [challenges[0]?.id, restoreId] }),
    save: (_response, context) => approve(context, context.restoreId, PIN_INPUTS.restored),
    errors: [badToken, invalid({ challengeStatus: 'NONE' })],
  },
};
