/** Actions on the world that the step tables need besides the methods under test. */

const { initiateDeveloperControlledWalletsClient } = require('@circle-fin/developer-controlled-wallets');

/** Longer than a transaction takes. A user token lasts fifteen times as long. */
const SETTLED_MS = 4 * 60_000;

const BLOCKCHAIN = 'ETH-SEPOLIA';
const FEE = { type: 'level', config: { feeLevel: 'MEDIUM' } };
/** An address that is not a wallet of the world. */
const EXTERNAL_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Advances the clock until all pending transactions are final. */
async function settle({ control }) {
  await control('POST', '/clock/advance', { durationMs: SETTLED_MS });
}

/** Tokens of a blockchain by symbol, and its native token as `native`. */
async function tokensOf({ control }, blockchain) {
  const { tokens } = await control('GET', '/tokens');
  const chainTokens = tokens.filter((token) => token.blockchain === blockchain);
  const bySymbol = Object.fromEntries(chainTokens.map((token) => [token.symbol, token]));
  return { ...bySymbol, native: chainTokens.find(({ isNative }) => isNative) };
}

/** Sends native tokens and USDC to a wallet from outside the world. */
async function fund(context, wallet) {
  const { native, USDC } = await tokensOf(context, wallet.blockchain);
  for (const { id } of [native, USDC]) {
    await context.control('POST', `/wallets/${wallet.id}/inbound`, { tokenId: id, amount: '5' });
  }
  await settle(context);
}

/** Creates a funded wallet of the entity. */
async function developerWallet({ url: baseUrl, apiKey, entitySecret, control }) {
  const client = initiateDeveloperControlledWalletsClient({ apiKey, entitySecret, baseUrl });
  const { data } = await client.createWalletSet({ name: 'conformance' });
  const created = await client.createWallets({ walletSetId: data.walletSet.id, blockchains: [BLOCKCHAIN], count: 1 });
  const [wallet] = created.data.wallets;
  await fund({ control }, wallet);
  return wallet;
}

module.exports = { BLOCKCHAIN, FEE, EXTERNAL_ADDRESS, developerWallet, fund, settle, tokensOf };
