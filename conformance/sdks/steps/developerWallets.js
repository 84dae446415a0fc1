const { randomUUID } = require('node:crypto');
const {
  UNKNOWN_ID,
  invalid,
  malformedCursor,
  malformedId,
  unknownCursor,
  unknownId,
  usedKey,
} = require('../errorCases');
const { BLOCKCHAIN, EXTERNAL_ADDRESS, settle, tokensOf } = require('../world');

/** Wallet sets, wallets and their balances. Creates two EOAs with tokens, an SCA and a NEAR wallet. */
module.exports = {
  createWalletSet: {
    args: () => [{ name: 'conformance', idempotencyKey: randomUUID() }],
    status: 201,
    save: ({ walletSet }) => ({ walletSet }),
    errors: [
      usedKey,
      invalid({ name: 'n'.repeat(201) }),
      { code: 2, status: 400, change: { idempotencyKey: 'no-uuid' } },
    ],
  },
  getWalletSet: {
    args: ({ walletSet }) => [{ id: walletSet.id }],
    expect: ({ walletSet }, context) => ({ id: [walletSet.id, context.walletSet.id] }),
    errors: [unknownId(156005), malformedId],
  },
  updateWalletSet: {
    args: ({ walletSet }) => [{ id: walletSet.id, name: 'renamed' }],
    expect: ({ walletSet }) => ({ name: [walletSet.name, 'renamed'] }),
    errors: [unknownId(156005), malformedId, invalid({ name: 'n'.repeat(201) })],
  },
  listWalletSets: {
    args: () => [{ pageSize: 1, order: 'DESC' }],
    expect: ({ walletSets }) => ({ 'on the page': [walletSets.length, 1] }),
    errors: [unknownCursor, malformedCursor],
  },
  createWallets: {
    args: ({ walletSet }) => [
      {
        walletSetId: walletSet.id,
        blockchains: [BLOCKCHAIN],
        accountType: 'EOA',
        count: 2,
        metadata: [{ name: 'sender', refId: 'conformance-sender' }, { name: 'receiver' }],
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    expect: ({ wallets }) => ({ number: [wallets.length, 2], name: [wallets[0].name, 'sender'] }),
    async save({ wallets: [sender, receiver] }, { client, walletSet }) {
      const createWallet = async (blockchain, accountType) => {
        const { data } = await client.createWallets({
          walletSetId: walletSet.id,
          blockchains: [blockchain],
          accountType,
          count: 1,
        });
        return data.wallets[0];
      };
      return {
        sender,
        receiver,
        sca: await createWallet(BLOCKCHAIN, 'SCA'),
        near: await createWallet('NEAR-TESTNET', 'EOA'),
      };
    },
    errors: [
      usedKey,
      { code: 155503, status: 400, change: { count: 1 } },
      { code: 156005, status: 404, change: { walletSetId: UNKNOWN_ID } },
      { code: 155507, status: 400, change: { blockchains: ['SOL-DEVNET'], accountType: 'SCA' } },
      { code: 156006, status: 400, change: { blockchains: ['ETH'] } },
    ],
  },
  getWallet: {
    args: ({ sender }) => [{ id: sender.id }],
    expect: ({ wallet }, { sender }) => ({ address: [wallet.address, sender.address], state: [wallet.state, 'LIVE'] }),
    errors: [unknownId(156001), malformedId],
  },
  updateWallet: {
    args: ({ receiver }) => [{ id: receiver.id, name: 'renamed', refId: 'conformance-receiver' }],
    expect: ({ wallet }) => ({ name: [wallet.name, 'renamed'], refId: [wallet.refId, 'conformance-receiver'] }),
    errors: [unknownId(156001), malformedId],
  },
  listWallets: {
    args: ({ walletSet }) => [{ walletSetId: walletSet.id, blockchain: BLOCKCHAIN, refId: 'conformance-sender' }],
    expect: ({ wallets }, { sender }) => ({ number: [wallets.length, 1], id: [wallets[0]?.id, sender.id] }),
    errors: [unknownCursor, malformedCursor, invalid({ blockchain: 'NOWHERE' })],
  },
  requestTestnetTokens: {
    args: ({ sender }) => [{ address: sender.address, blockchain: BLOCKCHAIN, native: true, usdc: true }],
    status: 204,
    async save(_response, context) {
      await settle(context);
      return { tokens: await tokensOf(context, BLOCKCHAIN) };
    },
    errors: [
      { code: 155219, status: 400, change: { address: 'nowhere' } },
      { code: 156006, status: 400, change: { blockchain: 'ETH' } },
      invalid({ native: false, usdc: false }),
    ],
  },
  getToken: {
    args: ({ tokens }) => [{ id: tokens.USDC.id }],
    expect: ({ token }) => ({ symbol: [token.symbol, 'USDC'] }),
    errors: [unknownId(156002), malformedId],
  },
  getWalletTokenBalance: {
    args: ({ sender, tokens }) => [{ id: sender.id, tokenAddresses: [tokens.USDC.tokenAddress] }],
    expect: ({ tokenBalances }) => ({ 'USDC of the faucet': [tokenBalances[0]?.amount, '20'] }),
    errors: [unknownId(156001), malformedId, unknownCursor],
  },
  getWalletNFTBalance: {
    async setup(context) {
      const { control, sender, tokens } = context;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.SCOL.id, amount: '1', nftTokenId: '7' });
      await settle(context);
    },
    args: ({ sender }) => [{ id: sender.id }],
    expect: ({ nfts }) => ({ nftTokenId: [nfts[0]?.nftTokenId, '7'] }),
    errors: [unknownId(156001), malformedId, unknownCursor],
  },
  getWalletsWithBalances: {
    args: ({ sender }) => [{ blockchain: BLOCKCHAIN, address: sender.address }],
    expect: ({ wallets }, { sender }) => ({ number: [wallets.length, 1], id: [wallets[0]?.id, sender.id] }),
    errors: [invalid({ blockchain: 'NOWHERE' }), unknownCursor],
  },
  deriveWallet: {
    args: ({ sender }) => [{ id: sender.id, blockchain: 'MATIC-AMOY', metadata: { name: 'derived' } }],
    status: 201,
    expect: ({ wallet }, { sender }) => ({ address: [wallet.address, sender.address] }),
    errors: [unknownId(156001), malformedId, { code: 155510, status: 400, change: { blockchain: 'SOL-DEVNET' } }],
  },
  deriveWalletByAddress: {
    args: ({ sender }) => [
      { sourceBlockchain: BLOCKCHAIN, walletAddress: sender.address, targetBlockchain: 'BASE-SEPOLIA' },
    ],
    status: 201,
    expect: ({ wallet }, { sender }) => ({
      address: [wallet.address, sender.address],
      blockchain: [wallet.blockchain, 'BASE-SEPOLIA'],
    }),
    errors: [
      { code: 156001, status: 404, change: { walletAddress: EXTERNAL_ADDRESS } },
      invalid({ targetBlockchain: 'NOWHERE' }),
    ],
  },
};
