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
} = require('../errorCases');
const { BLOCKCHAIN, FEE, EXTERNAL_ADDRESS, settle } = require('../world');

/** Polling interval of the SDK when it waits for a state, in milliseconds. */
const POLL_INTERVAL_MS = 20;

const CALL = { contractAddress: EXTERNAL_ADDRESS, abiFunctionSignature: 'store(uint256)', abiParameters: [7] };

/** Creates a transaction that is stuck in the mempool and can be accelerated or cancelled. @returns its id */
async function stuckTransaction(context) {
  const { client, control, sender } = context;
  await control('POST', '/transactions/next', { stuck: true });
  const { data } = await client.createTransaction(nativeTransfer(sender));
  await settle(context);
  return data.id;
}

function nativeTransfer(sender) {
  return { walletId: sender.id, tokenAddress: '', amount: ['0.001'], destinationAddress: EXTERNAL_ADDRESS, fee: FEE };
}

/** Fees, transfers, contract calls and the state of transactions. */
module.exports = {
  validateAddress: {
    args: () => [{ address: EXTERNAL_ADDRESS, blockchain: BLOCKCHAIN }],
    expect: ({ isValid }) => ({ isValid: [isValid, true] }),
    errors: [invalid({ address: '' }), { code: 156006, status: 400, change: { blockchain: 'ETH' } }],
  },
  getFeeParameters: {
    args: () => [{ blockchain: BLOCKCHAIN, accountType: 'EOA' }],
    expect: ({ medium }) => ({ 'a fee is present': [Number(medium?.maxFee) > 0, true] }),
    errors: [invalid({ blockchain: 'NOWHERE' }), invalid({ accountType: 'NONE' })],
  },
  estimateTransferFee: {
    args: ({ sender, tokens }) => [
      { walletId: sender.id, tokenId: tokens.USDC.id, destinationAddress: EXTERNAL_ADDRESS, amount: ['1.25'] },
    ],
    expect: ({ medium }) => ({ 'a network fee is present': [Number(medium?.networkFee) > 0, true] }),
    errors: [
      { code: 155219, status: 400, change: { destinationAddress: 'nowhere' } },
      { code: 155205, status: 400, change: { amount: ['1000000'] } },
      { code: 156002, status: 404, change: { tokenId: UNKNOWN_ID } },
    ],
  },
  estimateContractExecutionFee: {
    args: ({ sender }) => [{ ...CALL, source: { walletId: sender.id } }],
    expect: ({ high }) => ({ 'a network fee is present': [Number(high?.networkFee) > 0, true] }),
    errors: [
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 156001, status: 404, change: { source: { walletId: UNKNOWN_ID } } },
    ],
  },
  createTransaction: {
    args: ({ sender, receiver, tokens }) => [
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
    save: ({ id }) => ({ transferId: id }),
    errors: [
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
    async setup({ control }) {
      await control('POST', '/clock/speed', { speed: 600 });
    },
    args: ({ transferId }) => [{ id: transferId, waitForState: 'COMPLETE', pollingInterval: POLL_INTERVAL_MS }],
    expect: ({ transaction }) => ({
      state: [transaction.state, 'COMPLETE'],
      refId: [transaction.refId, 'conformance-1'],
      'hash is present': [typeof transaction.txHash, 'string'],
    }),
    async save({ transaction }, { control }) {
      await control('POST', '/clock/speed', { speed: 1 });
      return { transfer: transaction };
    },
    errors: [unknownId(156003), malformedId],
  },
  listTransactions: {
    args: ({ sender, receiver }) => [
      { walletIds: [sender.id, receiver.id], operation: 'TRANSFER', txType: 'OUTBOUND' },
    ],
    expect: ({ transactions }, { transferId }) => ({ id: [transactions[0]?.id, transferId] }),
    errors: [unknownCursor, malformedCursor, invalid({ state: 'NONE' })],
  },
  createContractExecutionTransaction: {
    args: ({ sender }) => [{ ...CALL, walletId: sender.id, fee: FEE, idempotencyKey: randomUUID() }],
    status: 201,
    save: async (_response, context) => settle(context),
    errors: [
      usedKey,
      { code: 155209, status: 400, change: { abiParameters: ['seven'] } },
      { code: 155245, status: 400, change: { amount: 'much' } },
      { code: 155201, status: 400, change: { amount: '1000' } },
    ],
  },
  getLowestNonceTransaction: {
    setup: async (context) => ({ stuckId: await stuckTransaction(context) }),
    args: ({ sender }) => [{ walletId: sender.id }],
    expect: ({ transaction }, { stuckId }) => ({ id: [transaction.id, stuckId] }),
    errors: [
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
      { code: 156003, status: 404, change: ({ receiver }) => ({ walletId: receiver.id }) },
    ],
  },
  accelerateTransaction: {
    args: ({ stuckId }) => [{ id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    save: async (_response, context) => settle(context),
    errors: [usedKey, unknownId(156003), ended],
  },
  cancelTransaction: {
    setup: async (context) => ({ stuckId: await stuckTransaction(context) }),
    args: ({ stuckId }) => [{ id: stuckId, idempotencyKey: randomUUID() }],
    status: 201,
    save: async (_response, context) => settle(context),
    errors: [usedKey, unknownId(156003), ended],
  },
};
