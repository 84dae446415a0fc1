const { randomUUID } = require('node:crypto');
const { approve, madeBy } = require('../person');
const {
  UNKNOWN_ID,
  ended,
  invalid,
  malformedCursor,
  malformedId,
  unknownCursor,
  unknownId,
  usedKey,
} = require('../refusals');
const { BLOCKCHAIN, FEE, STRANGER, settle } = require('../world');

const CALL = { contractAddress: STRANGER, abiFunctionSignature: 'store(uint256)', abiParameters: [7] };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** The id of a transaction of the user that hangs in the mempool. */
async function stuckTransaction(known) {
  const { client, control, sender, userToken } = known;
  await control('POST', '/transactions/next', { stuck: true });
  const transfer = {
    walletId: sender.id,
    tokenAddress: '',
    amounts: ['0.001'],
    destinationAddress: STRANGER,
    fee: FEE,
  };
  const { data } = await client.createTransaction({ userToken, ...transfer });
  await approve(known, data.challengeId);
  await settle(known);
  return madeBy(known, data.challengeId);
}

async function carriedOut({ challengeId }, known) {
  await approve(known, challengeId);
  await settle(known);
}

/** Fees, transfers and calls, once the user has approved them. */
module.exports = {
  validateAddress: {
    with: () => [{ address: STRANGER, blockchain: BLOCKCHAIN }],
    expect: ({ isValid }) => ({ isValid: [isValid, true] }),
    refused: [invalid({ address: '' }), { code: 156006, status: 400, change: { blockchain: 'ETH' } }],
  },
  estimateTransferFee: {
    with: ({ userToken, sender, tokens }) => [
      { userToken, walletId: sender.id, tokenId: tokens.USDC.id, destinationAddress: STRANGER, amount: ['1.25'] },
    ],
    expect: ({ medium }) => ({ 'a network fee is told': [Number(medium?.networkFee) > 0, true] }),
    refused: [
      { code: 155219, status: 400, change: { destinationAddress: 'nowhere' } },
      { code: 155205, status: 400, change: { amount: ['1000000'] } },
      badToken,
    ],
  },
  estimateContractExecutionFee: {
    with: ({ userToken, sender }) => [{ userToken, ...CALL, source: { walletId: sender.id } }],
    expect: ({ high }) => ({ 'a network fee is told': [Number(high?.networkFee) > 0, true] }),
    refused: [
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 156001, status: 404, change: { source: { walletId: UNKNOWN_ID } } },
    ],
  },
  createTransaction: {
    with: ({ userToken, sender, tokens }) => [
      {
        userToken,
        walletId: sender.id,
        tokenId: tokens.USDC.id,
        destinationAddress: STRANGER,
        amounts: ['1.25'],
        fee: FEE,
        refId: 'conformance-2',
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    async keep({ challengeId }, known) {
      await carriedOut({ challengeId }, known);
      return { transferId: await madeBy(known, challengeId) };
    },
    refused: [
      usedKey,
      { code: 155224, status: 400, change: { amounts: ['much'] } },
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
      badToken,
    ],
  },
  getTransaction: {
    with: ({ userToken, transferId }) => [{ userToken, id: transferId }],
    expect: ({ transaction }) => ({
      state: [transaction.state, 'COMPLETE'],
      refId: [transaction.refId, 'conformance-2'],
    }),
    refused: [unknownId(156003), malformedId, badToken],
  },
  listTransactions: {
    with: ({ userToken, sender }) => [{ userToken, walletIds: [sender.id], txType: 'OUTBOUND' }],
    expect: ({ transactions }, { transferId }) => ({ id: [transactions[0]?.id, transferId] }),
    refused: [
      unknownCursor,
      malformedCursor,
      // With `userId` in place of a token the SDK asks for a token, and sends the id as well.
      { code: 155223, status: 400, with: ({ userId }) => [{ userId }] },
    ],
  },
  createUserTransactionContractExecutionChallenge: {
    with: ({ userToken, sender }) => [
      { userToken, ...CALL, walletId: sender.id, fee: FEE, idempotencyKey: randomUUID() },
    ],
    status: 201,
    keep: carriedOut,
    refused: [
      usedKey,
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 155245, status: 400, change: { amount: 'much' } },
    ],
  },
  getLowestNonceTransaction: {
    given: async (known) => ({ stuckId: await stuckTransaction(known) }),
    with: ({ sender }) => [{ walletId: sender.id }],
    expect: ({ transaction }, { stuckId }) => ({ id: [transaction.id, stuckId] }),
    refused: [
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
      { code: 156003, status: 404, change: ({ solana }) => ({ walletId: solana.id }) },
    ],
  },
  accelerateTransaction: {
    with: ({ userToken, stuckId }) => [{ userToken, id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    keep: carriedOut,
    refused: [usedKey, unknownId(156003), ended],
  },
  cancelTransaction: {
    given: async (known) => ({ stuckId: await stuckTransaction(known) }),
    with: ({ userToken, stuckId }) => [{ userToken, id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    keep: carriedOut,
    refused: [usedKey, unknownId(156003), ended],
  },
};
