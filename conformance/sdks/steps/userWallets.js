const { randomUUID } = require('node:crypto');
const { approve } = require('../endUser');
const {
  UNKNOWN_ID,
  invalid,
  malformedCursor,
  malformedId,
  unknownCursor,
  unknownId,
  usedKey,
} = require('../errorCases');
const { BLOCKCHAIN, settle, tokensOf } = require('../world');

const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };
const unknownWallet = { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } };

/** The user's wallets and their balances. */
module.exports = {
  createWallet: {
    args: ({ userToken }) => [
      { userToken, blockchains: ['MATIC-AMOY'], accountType: 'EOA', idempotencyKey: randomUUID() },
    ],
    status: 201,
    save: ({ challengeId }, context) => approve(context, challengeId),
    errors: [
      usedKey,
      { code: 155504, status: 400, change: { metadata: [{ name: 'one' }, { name: 'more' }] } },
      { code: 156006, status: 400, change: { blockchains: ['ETH'] } },
      badToken,
    ],
  },
  listWallets: {
    args: ({ userToken }) => [{ userToken, order: 'ASC' }],
    expect: ({ wallets }, { userId }) => ({ number: [wallets.length, 3], userId: [wallets[0]?.userId, userId] }),
    async save({ wallets }, context) {
      const on = (blockchain) => wallets.find((wallet) => wallet.blockchain === blockchain);
      return { sender: on(BLOCKCHAIN), solana: on('SOL-DEVNET'), tokens: await tokensOf(context, BLOCKCHAIN) };
    },
    errors: [unknownCursor, malformedCursor, badToken],
  },
  getWallet: {
    args: ({ userToken, sender }) => [{ userToken, id: sender.id }],
    expect: ({ wallet }) => ({ custodyType: [wallet.custodyType, 'ENDUSER'] }),
    errors: [unknownId(156001), malformedId, badToken],
  },
  updateWallet: {
    args: ({ userToken, sender }) => [{ userToken, id: sender.id, name: 'renamed', refId: 'conformance-user' }],
    expect: ({ wallet }) => ({ name: [wallet.name, 'renamed'], refId: [wallet.refId, 'conformance-user'] }),
    errors: [unknownId(156001), malformedId],
  },
  requestTestnetTokens: {
    args: ({ sender }) => [{ address: sender.address, blockchain: BLOCKCHAIN, native: true, usdc: true }],
    status: 204,
    save: async (_response, context) => settle(context),
    errors: [
      { code: 155219, status: 400, change: { address: 'nowhere' } },
      { code: 156006, status: 400, change: { blockchain: 'ETH' } },
    ],
  },
  getToken: {
    args: ({ tokens }) => [{ id: tokens.USDC.id }],
    expect: ({ token }) => ({ symbol: [token.symbol, 'USDC'] }),
    errors: [unknownId(156002), malformedId],
  },
  getWalletTokenBalance: {
    args: ({ userToken, sender, tokens }) => [
      { userToken, walletId: sender.id, tokenAddresses: [tokens.USDC.tokenAddress] },
    ],
    expect: ({ tokenBalances }) => ({ 'USDC of the faucet': [tokenBalances[0]?.amount, '20'] }),
    errors: [unknownWallet, unknownCursor, badToken],
  },
  getWalletNFTBalance: {
    async setup(context) {
      const { control, sender, tokens } = context;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.SEDN.id, amount: '4', nftTokenId: '7' });
      await settle(context);
    },
    args: ({ userToken, sender }) => [{ userToken, walletId: sender.id }],
    expect: ({ nfts }) => ({ amount: [nfts[0]?.amount, '4'] }),
    errors: [unknownWallet, unknownCursor, invalid({ standard: 'NONE' })],
  },
};
