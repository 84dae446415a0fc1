const { BridgeKit } = require('@circle-fin/bridge-kit');
const { readers } = require('./bridgeErrors');
const { chainAdapter } = require('./chainAdapter');
const { redirect } = require('./iris');
const { bridging } = require('./steps/bridging');
const { STRANGER } = require('./world');

const transferOf = ({ adapter }, forwarded) => ({
  from: { adapter, chain: 'Ethereum_Sepolia' },
  to: { adapter, chain: 'Base_Sepolia', ...(forwarded && { recipientAddress: STRANGER, useForwarder: true }) },
  amount: '10.5',
  config: { transferSpeed: 'FAST' },
});

module.exports = {
  name: '@circle-fin/bridge-kit',
  ...readers,
  async start({ control }) {
    // It would send logs to another host.
    const client = new BridgeKit({ disableErrorReporting: true });
    return { control, client, adapter: chainAdapter(control, STRANGER), seen: await redirect({ control }) };
  },
  steps: bridging(transferOf),
  never: {
    'knows it by itself': ['getSupportedChains', 'removeCustomFeePolicy', 'setCustomFeePolicy'],
    'tells others': ['off', 'on'],
    'private, by its declaration': [
      'findProviderForRoute',
      'findSourceFeeProvider',
      'mergeCustomFeeConfig',
      'resolveFee',
      'scaleResolvedAmount',
      'validateNetworkCompatibility',
    ],
  },
};
