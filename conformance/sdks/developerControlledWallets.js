const sdk = require('@circle-fin/developer-controlled-wallets');
const { newApiKey } = require('../emulator');
const { readers } = require('./walletErrors');
const wallets = require('./steps/developerWallets');
const transactions = require('./steps/developerTransactions');
const signing = require('./steps/developerSigning');
const settings = require('./steps/settings');

module.exports = {
  name: '@circle-fin/developer-controlled-wallets',
  declared: 'DeveloperControlledWallets',
  ...readers(sdk),
  start({ url, apiKey, entitySecret, control }) {
    const clientOf = (key) => sdk.initiateDeveloperControlledWalletsClient({ apiKey: key, entitySecret, baseUrl: url });
    return {
      control,
      client: clientOf(apiKey),
      unknownKeyClient: clientOf(newApiKey()),
      malformedKeyClient: clientOf('no-key'),
    };
  },
  steps: { ...settings.publicKey, ...wallets, ...transactions, ...signing, ...settings.shared },
  skipped: { 'encrypts with the key from getPublicKey': ['generateEntitySecretCiphertext'] },
};
