const { recoverMessageAddress, recoverTransactionAddress, recoverTypedDataAddress } = require('viem');
const { UNKNOWN_ID } = require('../errorCases');
const { RAW_TRANSACTION, TYPED_DATA, delegateAction } = require('../samples');

const MESSAGE = 'I agree';
const unknownWallet = { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } };

/** Signatures and their signers. */
module.exports = {
  signMessage: {
    args: ({ sender }) => [{ walletId: sender.id, message: MESSAGE, memo: 'conformance' }],
    expect: async ({ signature }, { sender }) => ({
      signer: [await recoverMessageAddress({ message: MESSAGE, signature }), sender.address],
    }),
    errors: [
      unknownWallet,
      { code: 156023, status: 409, change: { encodedByHex: true } },
      { code: 156025, status: 400, change: { message: '' } },
    ],
  },
  signTypedData: {
    args: ({ sender }) => [{ walletId: sender.id, data: JSON.stringify(TYPED_DATA) }],
    expect: async ({ signature }, { sender }) => ({
      signer: [await recoverTypedDataAddress({ ...TYPED_DATA, signature }), sender.address],
    }),
    errors: [
      { code: 156024, status: 400, change: { data: 'no JSON' } },
      {
        code: 155808,
        status: 400,
        change: { data: JSON.stringify({ ...TYPED_DATA, domain: { name: 'conformance' } }) },
      },
      { code: 156026, status: 400, change: { data: JSON.stringify({ ...TYPED_DATA, primaryType: 'Nothing' }) } },
    ],
  },
  signTransaction: {
    args: ({ sender }) => [{ walletId: sender.id, rawTransaction: RAW_TRANSACTION }],
    expect: async ({ signedTransaction }, { sender }) => ({
      signer: [await recoverTransactionAddress({ serializedTransaction: signedTransaction }), sender.address],
    }),
    save: ({ signedTransaction }) => ({ signedTransaction }),
    errors: [
      { code: 155801, status: 400, change: { rawTransaction: 'no hex' } },
      { code: 155804, status: 400, change: ({ signedTransaction }) => ({ rawTransaction: signedTransaction }) },
      unknownWallet,
    ],
  },
  signDelegateAction: {
    args: ({ near }) => [{ walletId: near.id, unsignedDelegateAction: delegateAction(near.address) }],
    errors: [
      { code: 156030, status: 400, change: { unsignedDelegateAction: 'AAAA' } },
      { code: 155510, status: 400, change: ({ sender }) => ({ walletId: sender.id }) },
    ],
  },
};
