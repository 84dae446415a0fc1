const { BaseSepolia, EthereumSepolia } = require('@circle-fin/bridge-kit');
const { CCTPV2BridgingProvider } = require('@circle-fin/provider-cctp-v2');
const { readers } = require('./bridgeErrors');
const { chainAdapter } = require('./chainAdapter');
const { redirect } = require('./iris');
const { ATTESTED_MS, BAD_REQUEST, FORBIDDEN, SPEED, answer, bridging, pass } = require('./steps/bridging');
const { STRANGER } = require('./world');

/** Some tries, so that what never comes is given up soon. */
const POLLING = { maxRetries: 10, retryDelay: 50 };
const UNKNOWN_HASH = `0x${'1'.repeat(64)}`;
/** Hook data that ask for forwarding: a name in 24 bytes, version 0 and no more. */
const FORWARDING = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;

const BURN = {
  sourceDomain: EthereumSepolia.cctp.domain,
  destinationDomain: BaseSepolia.cctp.domain,
  amount: '10500000',
  mintRecipient: STRANGER,
  minFinalityThreshold: 1000,
  maxFee: '500000',
};

const transferOf = ({ adapter }, forwarded) => ({
  source: { adapter, chain: EthereumSepolia, address: STRANGER },
  destination: { adapter, chain: BaseSepolia, address: STRANGER, ...(forwarded && { useForwarder: true }) },
  amount: BURN.amount,
  token: 'USDC',
  config: { transferSpeed: 'FAST' },
});
const sourceOf = (known) => transferOf(known, false).source;

/** Burns, and lets time pass. */
const burn =
  (more, afterMs) =>
  async ({ control }) => {
    const { id, txHash } = await control('POST', '/burns', { ...BURN, ...more });
    await control('POST', '/clock/advance', { durationMs: afterMs });
    return { burnId: id, txHash };
  };
const failed = async (known) => {
  const found = await burn({ hookData: FORWARDING }, ATTESTED_MS)(known);
  await known.control('POST', `/burns/${found.burnId}/forward`, { fail: true });
  return found;
};
/** Observed after two seconds, and attested after twenty. */
const PENDING_MS = 3_000;
const FORWARDED_MS = 60_000;

const unknownHash = { code: 'HTTP 404 - Not Found', status: 404, with: (known) => [sourceOf(known), UNKNOWN_HASH] };
const ofBurn = (known) => [sourceOf(known), known.txHash];

module.exports = {
  name: '@circle-fin/provider-cctp-v2',
  declared: 'ProviderCctpV2',
  ...readers,
  async start({ control }) {
    const client = new CCTPV2BridgingProvider({ attestation: POLLING });
    return { control, client, adapter: chainAdapter(control, STRANGER), seen: await redirect({ control }) };
  },
  steps: {
    getMaxFee: {
      made: true,
      with: (known) => [transferOf(known, true)],
      // A tenth more than the fee, as the provider does.
      expect: ({ providerFee, forwarderFee }) => ({
        providerFee: [providerFee, 1_155n],
        forwarderFee: [forwarderFee, 400_000n],
      }),
      refused: [
        { ...BAD_REQUEST, given: answer('getBurnFees', 400) },
        { ...FORBIDDEN, given: answer('getBurnFees', 403) },
      ],
    },
    fetchAttestation: {
      given: burn({}, ATTESTED_MS),
      with: ofBurn,
      expect: ({ status, decodedMessage }) => ({
        status: [status, 'complete'],
        amount: [decodedMessage.decodedMessageBody.amount, BURN.amount],
      }),
      refused: [unknownHash, { code: 'Attestation not ready', status: 200, given: burn({}, PENDING_MS), with: ofBurn }],
    },
    fetchRelayerMint: {
      given: burn({ hookData: FORWARDING }, FORWARDED_MS),
      with: ofBurn,
      expect: ({ forwardState }) => ({ forwardState: [forwardState, 'COMPLETE'] }),
      refused: [
        {
          code: 'Circle relayer failed to forward the mint transaction',
          status: 200,
          kind: 'KitError',
          given: failed,
          with: ofBurn,
        },
        { code: 'Relayer mint not ready', status: 200, given: burn({}, ATTESTED_MS), with: ofBurn },
        unknownHash,
      ],
    },
    reAttest: {
      async given(known) {
        const found = await burn({}, ATTESTED_MS)(known);
        await known.control('POST', `/burns/${found.burnId}/expire`);
        await pass(SPEED.rapid)(known);
        return found;
      },
      with: ofBurn,
      expect: ({ decodedMessage }) => ({ expirationBlock: [decodedMessage.decodedMessageBody.expirationBlock, '0'] }),
      keep: (_answer, known) => pass(SPEED.own)(known),
      refused: [{ code: 'HTTP 400 - Bad Request', status: 400 }, unknownHash],
    },
    ...bridging(transferOf),
  },
  never: {
    'asks the blockchain alone': ['approve', 'burn', 'burnWithFees', 'mint', 'waitForTransaction'],
    'knows it by itself': [
      'analyzeStepsForRetry',
      'getSupportedDestinationsFor',
      'getTokenDecimals',
      'supportsRetry',
      'supportsRoute',
    ],
    'tells others': ['emitBridgeStep', 'registerDispatcher'],
    'private, by its declaration': [
      'addGasFeeEstimate',
      'addKitFeeEstimate',
      'addProviderFeeEstimate',
      'extractOperationContext',
      'resolveAttestationConfig',
    ],
  },
};
