const sdk = require('@circle-fin/smart-contract-platform');
const { newApiKey } = require('../emulator');
const { BLOCKCHAIN, developerWallet, tokensOf } = require('./world');
const { readers } = require('./walletErrors');

module.exports = {
  name: '@circle-fin/smart-contract-platform',
  declared: 'SmartContractPlatform',
  ...readers(sdk),
  async start(emulator) {
    const { url, apiKey, entitySecret, control } = emulator;
    const clientOf = (key) => sdk.initiateSmartContractPlatformClient({ apiKey: key, entitySecret, baseUrl: url });
    return {
      control,
      client: clientOf(apiKey),
      unknownKeyClient: clientOf(newApiKey()),
      sender: await developerWallet(emulator),
      tokens: await tokensOf(emulator, BLOCKCHAIN),
    };
  },
  steps: require('./steps/smartContracts'),
  skipped: {},
};
