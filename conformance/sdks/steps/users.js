const { randomUUID } = require('node:crypto');
const { ENTRIES, approve } = require('../person');
const { UNKNOWN_ID, invalid, malformedCursor, unknownCursor, usedKey } = require('../refusals');

const nobody = { code: 155102, status: 404, change: { userId: `nobody-${UNKNOWN_ID}` } };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** Another user, with nothing set. */
async function newcomer({ client }) {
  const userId = `user-${randomUUID()}`;
  await client.createUser({ userId });
  const { data } = await client.createUserToken({ userId });
  return data.userToken;
}

/** Users, their tokens, PINs and challenges. */
module.exports = {
  createUser: {
    with: () => [{ userId: `user-${randomUUID()}` }],
    status: 201,
    expect: (user, _known, [{ userId }]) => ({ id: [user.id, userId], pinStatus: [user.pinStatus, 'UNSET'] }),
    keep: ({ id }) => ({ userId: id }),
    refused: [{ code: 155101, status: 409 }, invalid({ userId: 'four' })],
  },
  getUser: {
    with: ({ userId }) => [{ userId }],
    expect: ({ user }, { userId }) => ({ id: [user.id, userId] }),
    refused: [nobody, invalid({ userId: 'four' })],
  },
  listUsers: {
    with: () => [{ pinStatus: 'UNSET', pageSize: 10 }],
    expect: ({ users }, { userId }) => ({ listed: [users.some(({ id }) => id === userId), true] }),
    refused: [unknownCursor, malformedCursor, invalid({ pinStatus: 'NONE' })],
  },
  createUserToken: {
    with: ({ userId }) => [{ userId }],
    expect: ({ userToken, encryptionKey }) => ({
      'is a JSON Web Token': [userToken.split('.').length, 3],
      'has an encryption key': [encryptionKey.length > 0, true],
    }),
    keep: ({ userToken }) => ({ userToken }),
    refused: [nobody, invalid({ userId: 'four' })],
  },
  getUserStatus: {
    with: ({ userToken }) => [{ userToken }],
    expect: ({ id }, { userId }) => ({ id: [id, userId] }),
    refused: [
      badToken,
      {
        code: 155109,
        status: 409,
        given: ({ control, userId }) => control('POST', `/users/${userId}/disable`),
        after: ({ control, userId }) => control('POST', `/users/${userId}/enable`),
      },
    ],
  },
  createUserPin: {
    with: async (known) => [{ userToken: await newcomer(known), idempotencyKey: randomUUID() }],
    status: 201,
    keep: ({ challengeId }, known) => approve(known, challengeId, ENTRIES.first),
    refused: [usedKey, badToken, { code: 155107, status: 409, change: {} }],
  },
  createUserPinWithWallets: {
    with: ({ userToken }) => [
      {
        userToken,
        blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'],
        accountType: 'EOA',
        metadata: [{ name: 'first' }, { name: 'second' }],
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    async keep({ challengeId }, known) {
      await approve(known, challengeId, ENTRIES.first);
      return { challengeId };
    },
    refused: [
      usedKey,
      { code: 155504, status: 400, change: { metadata: [{ name: 'alone' }] } },
      { code: 155106, status: 409, change: {} },
      badToken,
    ],
  },
  getUserChallenge: {
    with: ({ userToken, challengeId }) => [{ userToken, challengeId }],
    expect: ({ challenge }) => ({
      type: [challenge.type, 'INITIALIZE'],
      status: [challenge.status, 'COMPLETE'],
      'wallets made': [challenge.correlationIds.length, 2],
    }),
    refused: [{ code: 155116, status: 404, change: { challengeId: UNKNOWN_ID } }, badToken],
  },
  updateUserPin: {
    with: ({ userToken }) => [{ userToken, idempotencyKey: randomUUID() }],
    status: 201,
    keep: ({ challengeId }, known) => approve(known, challengeId, ENTRIES.changed),
    refused: [
      usedKey,
      badToken,
      { code: 155110, status: 400, with: async (known) => [{ userToken: await newcomer(known) }] },
    ],
  },
  restoreUserPin: {
    with: ({ userToken }) => [{ userToken, idempotencyKey: randomUUID() }],
    status: 201,
    keep: ({ challengeId }) => ({ restoreId: challengeId }),
    refused: [usedKey, badToken],
  },
  listUserChallenges: {
    with: ({ userToken }) => [{ userToken, challengeStatus: 'PENDING' }],
    expect: ({ challenges }, { restoreId }) => ({ id: [challenges[0]?.id, restoreId] }),
    keep: (_answer, known) => approve(known, known.restoreId, ENTRIES.restored),
    refused: [badToken, invalid({ challengeStatus: 'NONE' })],
  },
};
