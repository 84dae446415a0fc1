/** In the order in which they run, all in one world. */
module.exports = [
  require('./developerControlledWallets'),
  require('./userControlledWallets'),
  require('./smartContractPlatform'),
  require('./providerCctpV2'),
  require('./bridgeKit'),
  require('./entitySecret'),
];
