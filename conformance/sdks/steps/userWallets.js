const { randomUUID } = require('node:crypto');
const { approve } = require('../person');
const { UNKNOWN_ID, invalid, malformedCursor, malformedId, unknownCursor, unknownId, usedKey } = require('../refusals');
const { BLOCKCHAIN, settle, tokensOf } = require('../world');

const badToken = { code: 155105, status: 403, change: { userToken: 'not-a-token' } };
const unknownWallet = { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } };

/** The user's wallets and what they hold. */
module.exports = {
  createWallet: {
    with: ({ userToken }) => [
      { userToken, blockchains: ['MATIC-AMOY'], accountType: 'EOA', idempotencyKey: randomUUID() },
    ],
    status: 201,
    keep: ({ challengeId }, known) => approve(known, challengeId),
    refused: [
      usedKey,
      { code: 155504, status: 400, change: { metadata: [{ name: 'one' }, { name: 'more' }] } },
      { code: 156006, status: 400, change: { blockchains: ['ETH'] } },
      badToken,
    ],
  },
  listWallets: {
    with: ({ userToken }) => [{ userToken, order: 'ASC' }],
    expect: ({ wallets }, { userId }) => ({ number: [wallets.length, 3], userId: [wallets[0]?.userId, userId] }),
    async keep({ wallets }, known) {
      const on = (blockchain) => wallets.find((wallet) => wallet.blockchain === blockchain);
      return { sender: on(BLOCKCHAIN), solana: on('SOL-DEVNET'), tokens: await tokensOf(known, BLOCKCHAIN) };
    },
    refused: [unknownCursor, malformedCursor, badToken],
  },
  getWallet: {
    with: ({ userToken, sender }) => [{ userToken, id: sender.id }],
    expect: ({ wallet }) => ({ custodyType: [wallet.custodyType, 'ENDUSER'] }),
    refused: [unknownId(156001), malformedId, badToken],
  },
  updateWallet: {
    with: ({ userToken, sender }) => [{ userToken, id: sender.id, name: 'renamed', refId: 'conformance-user' }],
    expect: ({ wallet }) => ({ name: [wallet.name, 'renamed'], refId: [wallet.refId, 'conformance-user'] }),
    refused: [unknownId(156001), malformedId],
  },
  requestTestnetTokens: {
    with: ({ sender }) => [{ address: sender.address, blockchain: BLOCKCHAIN, native: true, usdc: true }],
    status: 204,
    keep: async (_answer, known) => settle(known),
    refused: [
      { code: 155219, status: 400, change: { address: 'nowhere' } },
      { code: 156006, status: 400, change: { blockchain: 'ETH' } },
    ],
  },
  getToken: {
    with: ({ tokens }) => [{ id: tokens.USDC.id }],
    expect: ({ token }) => ({ symbol: [token.symbol, 'USDC'] }),
    refused: [unknownId(156002), malformedId],
  },
  getWalletTokenBalance: {
    with: ({ userToken, sender, tokens }) => [
      { userToken, walletId: sender.id, tokenAddresses: [tokens.USDC.tokenAddress] },
    ],
    expect: ({ tokenBalances }) => ({ 'USDC of the faucet': [tokenBalances[0]?.amount, '20'] }),
    refused: [unknownWallet, unknownCursor, badToken],
  },
  getWalletNFTBalance: {
    async given(known) {
      const { control, sender, tokens } = known;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.SEDN.id, amount: '4', nftTokenId: '7' });
      await settle(known);
    },
    with: ({ userToken, sender }) => [{ userToken, walletId: sender.id }],
    expect: ({ nfts }) => ({ amount: [nfts[0]?.amount, '4'] }),
    refused: [unknownWallet, unknownCursor, invalid({ standard: 'NONE' })],
  },
};
