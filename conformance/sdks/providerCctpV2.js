const { BaseSepolia, EthereumSepolia } = require('@circle-fin/bridge-kit');
const { CCTPV2BridgingProvider } = require('@circle-fin/provider-cctp-v2');
const { readers } = require('./bridgeErrors');
const { chainAdapter } = require('./chainAdapter');
const { redirect } = require('./iris');
const { ATTESTED_MS, BAD_REQUEST, FORBIDDEN, SPEED, respondWith, bridging, setSpeed } = require('./steps/bridging');
const { EXTERNAL_ADDRESS } = require('./world');

/** Few attempts, so that the SDK soon stops polling for an attestation that never comes. */
const POLLING = { maxRetries: 10, retryDelay: 50 };
const UNKNOWN_HASH = `0x${'1'.repeat(64)}`;
/** Hook data that request forwarding: a name in 24 bytes, version 0 and no other data. */
const FORWARDING = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;

const BURN = {
  sourceDomain: EthereumSepolia.cctp.domain,
  destinationDomain: BaseSepolia.cctp.domain,
  amount: '10500000',
  mintRecipient: EXTERNAL_ADDRESS,
  minFinalityThreshold: 1000,
  maxFee: '500000',
};

const transferOf = ({ adapter }, forwarded) => ({
  source: { adapter, chain: EthereumSepolia, address: EXTERNAL_ADDRESS },
  destination: { adapter, chain: BaseSepolia, address: EXTERNAL_ADDRESS, ...(forwarded && { useForwarder: true }) },
  amount: BURN.amount,
  token: 'USDC',
  config: { transferSpeed: 'FAST' },
});
const sourceOf = (context) => transferOf(context, false).source;

/** Burns, then advances the clock. */
const burn =
  (overrides, afterMs) =>
  async ({ control }) => {
    const { id, txHash } = await control('POST', '/burns', { ...BURN, ...overrides });
    await control('POST', '/clock/advance', { durationMs: afterMs });
    return { burnId: id, txHash };
  };
const failedForwarding = async (context) => {
  const burned = await burn({ hookData: FORWARDING }, ATTESTED_MS)(context);
  await context.control('POST', `/burns/${burned.burnId}/forward`, { fail: true });
  return burned;
};
/** A burn is observed after two seconds and attested after twenty. */
const PENDING_MS = 3_000;
const FORWARDED_MS = 60_000;

const unknownHash = { code: 'HTTP 404 - Not Found', status: 404, args: (context) => [sourceOf(context), UNKNOWN_HASH] };
const ofBurn = (context) => [sourceOf(context), context.txHash];

module.exports = {
  name: '@circle-fin/provider-cctp-v2',
  declared: 'ProviderCctpV2',
  ...readers,
  async start({ control }) {
    const client = new CCTPV2BridgingProvider({ attestation: POLLING });
    return { control, client, adapter: chainAdapter(control, EXTERNAL_ADDRESS), seen: await redirect({ control }) };
  },
  steps: {
    getMaxFee: {
      computed: true,
      args: (context) => [transferOf(context, true)],
      // The provider adds a tenth to the fee.
      expect: ({ providerFee, forwarderFee }) => ({
        providerFee: [providerFee, 1_155n],
        forwarderFee: [forwarderFee, 400_000n],
      }),
      errors: [
        { ...BAD_REQUEST, setup: respondWith('getBurnFees', 400) },
        { ...FORBIDDEN, setup: respondWith('getBurnFees', 403) },
      ],
    },
    fetchAttestation: {
      setup: burn({}, ATTESTED_MS),
      args: ofBurn,
      expect: ({ status, decodedMessage }) => ({
        status: [status, 'complete'],
        amount: [decodedMessage.decodedMessageBody.amount, BURN.amount],
      }),
      errors: [unknownHash, { code: 'Attestation not ready', status: 200, setup: burn({}, PENDING_MS), args: ofBurn }],
    },
    fetchRelayerMint: {
      setup: burn({ hookData: FORWARDING }, FORWARDED_MS),
      args: ofBurn,
      expect: ({ forwardState }) => ({ forwardState: [forwardState, 'COMPLETE'] }),
      errors: [
        {
          code: 'Circle relayer failed to forward the mint transaction',
          status: 200,
          kind: 'KitError',
          setup: failedForwarding,
          args: ofBurn,
        },
        { code: 'Relayer mint not ready', status: 200, setup: burn({}, ATTESTED_MS), args: ofBurn },
        unknownHash,
      ],
    },
    reAttest: {
      async setup(context) {
        const burned = await burn({}, ATTESTED_MS)(context);
        await context.control('POST', `/burns/${burned.burnId}/expire`);
        await setSpeed(SPEED.rapid)(context);
        return burned;
      },
      args: ofBurn,
      expect: ({ decodedMessage }) => ({ expirationBlock: [decodedMessage.decodedMessageBody.expirationBlock, '0'] }),
      save: (_response, context) => setSpeed(SPEED.own)(context),
      errors: [{ code: 'HTTP 400 - Bad Request', status: 400 }, unknownHash],
    },
    ...bridging(transferOf),
  },
  skipped: {
    'uses only the blockchain': ['approve', 'burn', 'burnWithFees', 'mint', 'waitForTransaction'],
    'sends no request': [
      'analyzeStepsForRetry',
      'getSupportedDestinationsFor',
      'getTokenDecimals',
      'supportsRetry',
      'supportsRoute',
    ],
    'manages event listeners': ['emitBridgeStep', 'registerDispatcher'],
    'declared private': [
      'addGasFeeEstimate',
      'addKitFeeEstimate',
      'addProviderFeeEstimate',
      'extractOperationContext',
      'resolveAttestationConfig',
    ],
  },
};
