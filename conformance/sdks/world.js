/** What tables of steps do to the world, beside the methods that they check. */

const { initiateDeveloperControlledWalletsClient } = require('@circle-fin/developer-controlled-wallets');

/** Longer than a transaction takes by itself; a user token lasts for fifteen of it. */
const SETTLED_MS = 4 * 60_000;

const BLOCKCHAIN = 'ETH-SEPOLIA';
const FEE = { type: 'level', config: { feeLevel: 'MEDIUM' } };
/** An address that is nobody's wallet. */
const STRANGER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Lets everything happen that is on its way. */
async function settle({ control }) {
  await control('POST', '/clock/advance', { durationMs: SETTLED_MS });
}

/** Tokens of a blockchain by symbol, and the native one. */
async function tokensOf({ control }, blockchain) {
  const { tokens } = await control('GET', '/tokens');
  const here = tokens.filter((token) => token.blockchain === blockchain);
  const bySymbol = Object.fromEntries(here.map((token) => [token.symbol, token]));
  return { ...bySymbol, native: here.find(({ isNative }) => isNative) };
}

/** Native tokens and USDC from outside. */
async function fund(known, wallet) {
  const { native, USDC } = await tokensOf(known, wallet.blockchain);
  for (const { id } of [native, USDC]) {
    await known.control('POST', `/wallets/${wallet.id}/inbound`, { tokenId: id, amount: '5' });
  }
  await settle(known);
}

/** A wallet of the entity, with funds. */
async function developerWallet({ url: baseUrl, apiKey, entitySecret, control }) {
  const client = initiateDeveloperControlledWalletsClient({ apiKey, entitySecret, baseUrl });
  const { data } = await client.createWalletSet({ name: 'conformance' });
  const made = await client.createWallets({ walletSetId: data.walletSet.id, blockchains: [BLOCKCHAIN], count: 1 });
  const [wallet] = made.data.wallets;
  await fund({ control }, wallet);
  return wallet;
}

module.exports = { BLOCKCHAIN, FEE, STRANGER, developerWallet, fund, settle, tokensOf };
