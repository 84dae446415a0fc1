const { randomUUID } = require('node:crypto');
const { UNKNOWN_ID, invalid, malformedCursor, malformedId, unknownCursor, unknownId, usedKey } = require('../refusals');
const { BLOCKCHAIN, STRANGER, settle, tokensOf } = require('../world');

/** Wallet sets, wallets and what they hold: two EOAs with tokens, an SCA, one on NEAR. */
module.exports = {
  createWalletSet: {
    with: () => [{ name: 'conformance', idempotencyKey: randomUUID() }],
    status: 201,
    keep: ({ walletSet }) => ({ walletSet }),
    refused: [
      usedKey,
      invalid({ name: 'n'.repeat(201) }),
      { code: 2, status: 400, change: { idempotencyKey: 'no-uuid' } },
    ],
  },
  getWalletSet: {
    with: ({ walletSet }) => [{ id: walletSet.id }],
    expect: ({ walletSet }, known) => ({ id: [walletSet.id, known.walletSet.id] }),
    refused: [unknownId(156005), malformedId],
  },
  updateWalletSet: {
    with: ({ walletSet }) => [{ id: walletSet.id, name: 'renamed' }],
    expect: ({ walletSet }) => ({ name: [walletSet.name, 'renamed'] }),
    refused: [unknownId(156005), malformedId, invalid({ name: 'n'.repeat(201) })],
  },
  listWalletSets: {
    with: () => [{ pageSize: 1, order: 'DESC' }],
    expect: ({ walletSets }) => ({ 'on the page': [walletSets.length, 1] }),
    refused: [unknownCursor, malformedCursor],
  },
  createWallets: {
    with: ({ walletSet }) => [
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
    expect: (answer) => ({ number: [answer.wallets.length, 2], name: [answer.wallets[0].name, 'sender'] }),
    async keep({ wallets: [sender, receiver] }, { client, walletSet }) {
      const more = async (blockchain, accountType) => {
        const { data } = await client.createWallets({
          walletSetId: walletSet.id,
          blockchains: [blockchain],
          accountType,
          count: 1,
        });
        return data.wallets[0];
      };
      return { sender, receiver, sca: await more(BLOCKCHAIN, 'SCA'), near: await more('NEAR-TESTNET', 'EOA') };
    },
    refused: [
      usedKey,
      { code: 155503, status: 400, change: { count: 1 } },
      { code: 156005, status: 404, change: { walletSetId: UNKNOWN_ID } },
      { code: 155507, status: 400, change: { blockchains: ['SOL-DEVNET'], accountType: 'SCA' } },
      { code: 156006, status: 400, change: { blockchains: ['ETH'] } },
    ],
  },
  getWallet: {
    with: ({ sender }) => [{ id: sender.id }],
    expect: ({ wallet }, { sender }) => ({ address: [wallet.address, sender.address], state: [wallet.state, 'LIVE'] }),
    refused: [unknownId(156001), malformedId],
  },
  updateWallet: {
    with: ({ receiver }) => [{ id: receiver.id, name: 'renamed', refId: 'conformance-receiver' }],
    expect: ({ wallet }) => ({ name: [wallet.name, 'renamed'], refId: [wallet.refId, 'conformance-receiver'] }),
    refused: [unknownId(156001), malformedId],
  },
  listWallets: {
    with: ({ walletSet }) => [{ walletSetId: walletSet.id, blockchain: BLOCKCHAIN, refId: 'conformance-sender' }],
    expect: ({ wallets }, { sender }) => ({ number: [wallets.length, 1], id: [wallets[0]?.id, sender.id] }),
    refused: [unknownCursor, malformedCursor, invalid({ blockchain: 'NOWHERE' })],
  },
  requestTestnetTokens: {
    with: ({ sender }) => [{ address: sender.address, blockchain: BLOCKCHAIN, native: true, usdc: true }],
    status: 204,
    async keep(_answer, known) {
      await settle(known);
      return { tokens: await tokensOf(known, BLOCKCHAIN) };
    },
    refused: [
      { code: 155219, status: 400, change: { address: 'nowhere' } },
      { code: 156006, status: 400, change: { blockchain: 'ETH' } },
      invalid({ native: false, usdc: false }),
    ],
  },
  getToken: {
    with: ({ tokens }) => [{ id: tokens.USDC.id }],
    expect: ({ token }) => ({ symbol: [token.symbol, 'USDC'] }),
    refused: [unknownId(156002), malformedId],
  },
  getWalletTokenBalance: {
    with: ({ sender, tokens }) => [{ id: sender.id, tokenAddresses: [tokens.USDC.tokenAddress] }],
    expect: ({ tokenBalances }) => ({ 'USDC of the faucet': [tokenBalances[0]?.amount, '20'] }),
    refused: [unknownId(156001), malformedId, unknownCursor],
  },
  getWalletNFTBalance: {
    async given(known) {
      const { control, sender, tokens } = known;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.SCOL.id, amount: '1', nftTokenId: '7' });
      await settle(known);
    },
    with: ({ sender }) => [{ id: sender.id }],
    expect: ({ nfts }) => ({ nftTokenId: [nfts[0]?.nftTokenId, '7'] }),
    refused: [unknownId(156001), malformedId, unknownCursor],
  },
  getWalletsWithBalances: {
    with: ({ sender }) => [{ blockchain: BLOCKCHAIN, address: sender.address }],
    expect: ({ wallets }, { sender }) => ({ number: [wallets.length, 1], id: [wallets[0]?.id, sender.id] }),
    refused: [invalid({ blockchain: 'NOWHERE' }), unknownCursor],
  },
  deriveWallet: {
    with: ({ sender }) => [{ id: sender.id, blockchain: 'MATIC-AMOY', metadata: { name: 'derived' } }],
    status: 201,
    expect: ({ wallet }, { sender }) => ({ address: [wallet.address, sender.address] }),
    refused: [unknownId(156001), malformedId, { code: 155510, status: 400, change: { blockchain: 'SOL-DEVNET' } }],
  },
  deriveWalletByAddress: {
    with: ({ sender }) => [
      { sourceBlockchain: BLOCKCHAIN, walletAddress: sender.address, targetBlockchain: 'BASE-SEPOLIA' },
    ],
    status: 201,
    expect: ({ wallet }, { sender }) => ({
      address: [wallet.address, sender.address],
      blockchain: [wallet.blockchain, 'BASE-SEPOLIA'],
    }),
    refused: [
      { code: 156001, status: 404, change: { walletAddress: STRANGER } },
      invalid({ targetBlockchain: 'NOWHERE' }),
    ],
  },
};
