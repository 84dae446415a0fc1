const { randomUUID } = require('node:crypto');
const { approve, resourceCreatedBy } = require('../endUser');
const {
  UNKNOWN_ID,
  ended,
  invalid,
  malformedCursor,
  malformedId,
  unknownCursor,
  unknownId,
  usedKey,
} = require('../errorCases');
const { BLOCKCHAIN, FEE, EXTERNAL_ADDRESS, settle } = require('../world');

const CALL = { contractAddress: EXTERNAL_ADDRESS, abiFunctionSignature: 'store(uint256)', abiParameters: [7] };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** Creates a transaction of the user that is stuck in the mempool. @returns its id */
async function stuckTransaction(context) {
  const { client, control, sender, userToken } = context;
  await control('POST', '/transactions/next', { stuck: true });
  const transfer = {
    walletId: sender.id,
    tokenAddress: '',
    amounts: ['0.001'],
    destinationAddress: EXTERNAL_ADDRESS,
    fee: FEE,
  };
  const { data } = await client.createTransaction({ userToken, ...transfer });
  await approve(context, data.challengeId);
  await settle(context);
  return resourceCreatedBy(context, data.challengeId);
}

async function carriedOut({ challengeId }, context) {
  await approve(context, challengeId);
  await settle(context);
}

/** Fees, and the transfers and contract calls that the user approves. */
module.exports = {
  validateAddress: {
    args: () => [{ address: EXTERNAL_ADDRESS, blockchain: BLOCKCHAIN }],
    expect: ({ isValid }) => ({ isValid: [isValid, true] }),
    errors: [invalid({ address: '' }), { code: 156006, status: 400, change: { blockchain: 'ETH' } }],
  },
  estimateTransferFee: {
    args: ({ userToken, sender, tokens }) => [
      {
        userToken,
        walletId: sender.id,
        tokenId: tokens.USDC.id,
        destinationAddress: EXTERNAL_ADDRESS,
        amount: ['1.25'],
      },
    ],
    expect: ({ medium }) => ({ 'a network fee is present': [Number(medium?.networkFee) > 0, true] }),
    errors: [
      { code: 155219, status: 400, change: { destinationAddress: 'nowhere' } },
      { code: 155205, status: 400, change: { amount: ['1000000'] } },
      badToken,
    ],
  },
  estimateContractExecutionFee: {
    args: ({ userToken, sender }) => [{ userToken, ...CALL, source: { walletId: sender.id } }],
    expect: ({ high }) => ({ 'a network fee is present': [Number(high?.networkFee) > 0, true] }),
    errors: [
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 156001, status: 404, change: { source: { walletId: UNKNOWN_ID } } },
    ],
  },
  createTransaction: {
    args: ({ userToken, sender, tokens }) => [
      {
        userToken,
        walletId: sender.id,
        tokenId: tokens.USDC.id,
        destinationAddress: EXTERNAL_ADDRESS,
        amounts: ['1.25'],
        fee: FEE,
        refId: 'conformance-2',
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    async save({ challengeId }, context) {
      await carriedOut({ challengeId }, context);
      return { transferId: await resourceCreatedBy(context, challengeId) };
    },
    errors: [
      usedKey,
      { code: 155224, status: 400, change: { amounts: ['much'] } },
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
      badToken,
    ],
  },
  getTransaction: {
    args: ({ userToken, transferId }) => [{ userToken, id: transferId }],
    expect: ({ transaction }) => ({
      state: [transaction.state, 'COMPLETE'],
      refId: [transaction.refId, 'conformance-2'],
    }),
    errors: [unknownId(156003), malformedId, badToken],
  },
  listTransactions: {
    args: ({ userToken, sender }) => [{ userToken, walletIds: [sender.id], txType: 'OUTBOUND' }],
    expect: ({ transactions }, { transferId }) => ({ id: [transactions[0]?.id, transferId] }),
    errors: [
      unknownCursor,
      malformedCursor,
      // With `userId` instead of a token, the SDK requests a token and also sends the id.
      { code: 155223, status: 400, args: ({ userId }) => [{ userId }] },
    ],
  },
  createUserTransactionContractExecutionChallenge: {
    args: ({ userToken, sender }) => [
      { userToken, ...CALL, walletId: sender.id, fee: FEE, idempotencyKey: randomUUID() },
    ],
    status: 201,
    save: carriedOut,
    errors: [
      usedKey,
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 155245, status: 400, change: { amount: 'much' } },
    ],
  },
  getLowestNonceTransaction: {
    setup: async (context) => ({ stuckId: await stuckTransaction(context) }),
    args: ({ sender }) => [{ walletId: sender.id }],
    expect: ({ transaction }, { stuckId }) => ({ id: [transaction.id, stuckId] }),
    errors: [
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
      { code: 156003, status: 404, change: ({ solana }) => ({ walletId: solana.id }) },
    ],
  },
  accelerateTransaction: {
    args: ({ userToken, stuckId }) => [{ userToken, id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    save: carriedOut,
    errors: [usedKey, unknownId(156003), ended],
  },
  cancelTransaction: {
    setup: async (context) => ({ stuckId: await stuckTransaction(context) }),
    args: ({ userToken, stuckId }) => [{ userToken, id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    save: carriedOut,
    errors: [usedKey, unknownId(156003), ended],
  },
};
