/** The SDKs in the order in which they run. All of them share one world. */
module.exports = [
  require('./developerControlledWallets'),
  require('./userControlledWallets'),
  require('./smartContractPlatform'),
  require('./providerCctpV2'),
  require('./bridgeKit'),
  require('./entitySecret'),
];
