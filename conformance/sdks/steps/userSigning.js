const { recoverMessageAddress, recoverTypedDataAddress } = require('viem');
const { approve } = require('../endUser');
const { UNKNOWN_ID } = require('../errorCases');
const { TYPED_DATA, solanaTransfer } = require('../samples');

const MESSAGE = 'I agree';
const unknownWallet = { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** Approves a challenge and returns the signature, which only the approving client gets. */
const signatureOf = async ({ challengeId }, context) => (await approve(context, challengeId)).data.signature;

module.exports = {
  signMessage: {
    args: ({ userToken, sender }) => [{ userToken, walletId: sender.id, message: MESSAGE }],
    status: 201,
    expect: async (response, context) => ({
      signer: [
        await recoverMessageAddress({ message: MESSAGE, signature: await signatureOf(response, context) }),
        context.sender.address,
      ],
    }),
    errors: [unknownWallet, { code: 156023, status: 409, change: { encodedByHex: true } }, badToken],
  },
  signTypedData: {
    args: ({ userToken, sender }) => [{ userToken, walletId: sender.id, data: JSON.stringify(TYPED_DATA) }],
    status: 201,
    expect: async (response, context) => ({
      signer: [
        await recoverTypedDataAddress({ ...TYPED_DATA, signature: await signatureOf(response, context) }),
        context.sender.address,
      ],
    }),
    errors: [{ code: 156024, status: 400, change: { data: 'no JSON' } }, unknownWallet],
  },
  signTransaction: {
    args: ({ userToken, solana }) => [
      { userToken, walletId: solana.id, rawTransaction: solanaTransfer(solana.address) },
    ],
    status: 201,
    expect: async (response, context) => ({ 'is signed': [typeof (await signatureOf(response, context)), 'string'] }),
    errors: [{ code: 155801, status: 400, change: { rawTransaction: undefined } }, unknownWallet],
  },
};
