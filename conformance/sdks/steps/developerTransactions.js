const { randomUUID } = require('node:crypto');
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

/** How often the SDK looks when it waits for a state, in milliseconds. */
const LOOK_MS = 20;

const CALL = { contractAddress: STRANGER, abiFunctionSignature: 'store(uint256)', abiParameters: [7] };

/** A transaction that hangs in the mempool, for those who would replace it. */
async function stuckTransaction(known) {
  const { client, control, sender } = known;
  await control('POST', '/transactions/next', { stuck: true });
  const { data } = await client.createTransaction(nativeTransfer(sender));
  await settle(known);
  return data.id;
}

function nativeTransfer(sender) {
  return { walletId: sender.id, tokenAddress: '', amount: ['0.001'], destinationAddress: STRANGER, fee: FEE };
}

/** Fees, transfers, calls, and what becomes of them. */
module.exports = {
  validateAddress: {
    with: () => [{ address: STRANGER, blockchain: BLOCKCHAIN }],
    expect: ({ isValid }) => ({ isValid: [isValid, true] }),
    refused: [invalid({ address: '' }), { code: 156006, status: 400, change: { blockchain: 'ETH' } }],
  },
  getFeeParameters: {
    with: () => [{ blockchain: BLOCKCHAIN, accountType: 'EOA' }],
    expect: ({ medium }) => ({ 'a fee is told': [Number(medium?.maxFee) > 0, true] }),
    refused: [invalid({ blockchain: 'NOWHERE' }), invalid({ accountType: 'NONE' })],
  },
  estimateTransferFee: {
    with: ({ sender, tokens }) => [
      { walletId: sender.id, tokenId: tokens.USDC.id, destinationAddress: STRANGER, amount: ['1.25'] },
    ],
    expect: ({ medium }) => ({ 'a network fee is told': [Number(medium?.networkFee) > 0, true] }),
    refused: [
      { code: 155219, status: 400, change: { destinationAddress: 'nowhere' } },
      { code: 155205, status: 400, change: { amount: ['1000000'] } },
      { code: 156002, status: 404, change: { tokenId: UNKNOWN_ID } },
    ],
  },
  estimateContractExecutionFee: {
    with: ({ sender }) => [{ ...CALL, source: { walletId: sender.id } }],
    expect: ({ high }) => ({ 'a network fee is told': [Number(high?.networkFee) > 0, true] }),
    refused: [
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 156001, status: 404, change: { source: { walletId: UNKNOWN_ID } } },
    ],
  },
  createTransaction: {
    with: ({ sender, receiver, tokens }) => [
      {
        walletId: sender.id,
        tokenId: tokens.USDC.id,
        destinationAddress: receiver.address,
        amount: ['1.25'],
        fee: FEE,
        refId: 'conformance-1',
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    keep: ({ id }) => ({ transferId: id }),
    refused: [
      usedKey,
      { code: 155201, status: 400, change: { amount: ['1000000'] } },
      { code: 155224, status: 400, change: { amount: ['much'] } },
      { code: 156002, status: 404, change: { tokenId: UNKNOWN_ID } },
      {
        code: 155237,
        status: 400,
        change: { fee: { type: 'absolute', config: { maxFee: '1', priorityFee: '2', gasLimit: '100000' } } },
      },
    ],
  },
  getTransaction: {
    async given({ control }) {
      await control('POST', '/clock/speed', { speed: 600 });
    },
    with: ({ transferId }) => [{ id: transferId, waitForState: 'COMPLETE', pollingInterval: LOOK_MS }],
    expect: ({ transaction }) => ({
      state: [transaction.state, 'COMPLETE'],
      refId: [transaction.refId, 'conformance-1'],
      'hash is told': [typeof transaction.txHash, 'string'],
    }),
    async keep({ transaction }, { control }) {
      await control('POST', '/clock/speed', { speed: 1 });
      return { transfer: transaction };
    },
    refused: [unknownId(156003), malformedId],
  },
  listTransactions: {
    with: ({ sender, receiver }) => [
      { walletIds: [sender.id, receiver.id], operation: 'TRANSFER', txType: 'OUTBOUND' },
    ],
    expect: ({ transactions }, { transferId }) => ({ id: [transactions[0]?.id, transferId] }),
    refused: [unknownCursor, malformedCursor, invalid({ state: 'NONE' })],
  },
  createContractExecutionTransaction: {
    with: ({ sender }) => [{ ...CALL, walletId: sender.id, fee: FEE, idempotencyKey: randomUUID() }],
    status: 201,
    keep: async (_answer, known) => settle(known),
    refused: [
      usedKey,
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 155245, status: 400, change: { amount: 'much' } },
      { code: 155201, status: 400, change: { amount: '1000' } },
    ],
  },
  getLowestNonceTransaction: {
    given: async (known) => ({ stuckId: await stuckTransaction(known) }),
    with: ({ sender }) => [{ walletId: sender.id }],
    expect: ({ transaction }, { stuckId }) => ({ id: [transaction.id, stuckId] }),
    refused: [
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
      { code: 156003, status: 404, change: ({ receiver }) => ({ walletId: receiver.id }) },
    ],
  },
  accelerateTransaction: {
    with: ({ stuckId }) => [{ id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    keep: async (_answer, known) => settle(known),
    refused: [usedKey, unknownId(156003), ended],
  },
  cancelTransaction: {
    given: async (known) => ({ stuckId: await stuckTransaction(known) }),
    with: ({ stuckId }) => [{ id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    keep: async (_answer, known) => settle(known),
    refused: [usedKey, unknownId(156003), ended],
  },
};
