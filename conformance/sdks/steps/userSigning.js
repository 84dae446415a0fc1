const { recoverMessageAddress, recoverTypedDataAddress } = require('viem');
const { approve } = require('../person');
const { UNKNOWN_ID } = require('../refusals');
const { TYPED_DATA, solanaTransfer } = require('../samples');

const MESSAGE = 'I agree';
const unknownWallet = { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } };
const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };

/** Signatures, which only the approving client learns. */
const signatureOf = async ({ challengeId }, known) => (await approve(known, challengeId)).data.signature;

module.exports = {
  signMessage: {
    with: ({ userToken, sender }) => [{ userToken, walletId: sender.id, message: MESSAGE }],
    status: 201,
    expect: async (answer, known) => ({
      signer: [
        await recoverMessageAddress({ message: MESSAGE, signature: await signatureOf(answer, known) }),
        known.sender.address,
      ],
    }),
    refused: [unknownWallet, { code: 156023, status: 409, change: { encodedByHex: true } }, badToken],
  },
  signTypedData: {
    with: ({ userToken, sender }) => [{ userToken, walletId: sender.id, data: JSON.stringify(TYPED_DATA) }],
    status: 201,
    expect: async (answer, known) => ({
      signer: [
        await recoverTypedDataAddress({ ...TYPED_DATA, signature: await signatureOf(answer, known) }),
        known.sender.address,
      ],
    }),
    refused: [{ code: 156024, status: 400, change: { data: 'no JSON' } }, unknownWallet],
  },
  signTransaction: {
    with: ({ userToken, solana }) => [
      { userToken, walletId: solana.id, rawTransaction: solanaTransfer(solana.address) },
    ],
    status: 201,
    expect: async (answer, known) => ({ 'is signed': [typeof (await signatureOf(answer, known)), 'string'] }),
    refused: [{ code: 155801, status: 400, change: { rawTransaction: undefined } }, unknownWallet],
  },
};
