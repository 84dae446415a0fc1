const { BridgeKit } = require('@circle-fin/bridge-kit');
const { readers } = require('./bridgeErrors');
const { chainAdapter } = require('./chainAdapter');
const { redirect } = require('./iris');
const { bridging } = require('./steps/bridging');
const { EXTERNAL_ADDRESS } = require('./world');

const transferOf = ({ adapter }, forwarded) => ({
  from: { adapter, chain: 'Ethereum_Sepolia' },
  to: { adapter, chain: 'Base_Sepolia', ...(forwarded && { recipientAddress: EXTERNAL_ADDRESS, useForwarder: true }) },
  amount: '10.5',
  config: { transferSpeed: 'FAST' },
});

module.exports = {
  name: '@circle-fin/bridge-kit',
  ...readers,
  async start({ control }) {
    // Error reporting would send logs to another host.
    const client = new BridgeKit({ disableErrorReporting: true });
    return { control, client, adapter: chainAdapter(control, EXTERNAL_ADDRESS), seen: await redirect({ control }) };
  },
  steps: bridging(transferOf),
  skipped: {
    'sends no request': ['getSupportedChains', 'removeCustomFeePolicy', 'setCustomFeePolicy'],
    'manages event listeners': ['off', 'on'],
    'declared private': [
      'findProviderForRoute',
      'findSourceFeeProvider',
      'mergeCustomFeeConfig',
      'resolveFee',
      'scaleResolvedAmount',
      'validateNetworkCompatibility',
    ],
  },
};
