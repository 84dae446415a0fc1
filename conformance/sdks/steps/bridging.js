/**
 * Complete transfers: estimate the fees, wait for the attestation, renew it and mint. The bridging kit and its provider have
 * the same methods. `transferOf(context, forwarded)` builds a transfer of 10.5 USDC from Ethereum to Base in the form that
 * each of them accepts.
 */

/** Seconds of world time per second of real time. A fast transfer takes 20 s, a standard one 16 minutes. */
const SPEED = { own: 1, quick: 600, rapid: 6_000 };
/** Longer than a fast transfer takes to be attested, but shorter than forwarding takes. */
const ATTESTED_MS = 21_000;

const setSpeed =
  (speed) =>
  async ({ control }) =>
    control('POST', '/clock/speed', { speed });
const namesOf = ({ steps }) => steps.map(({ name }) => name).join(' ');

/** Makes an operation respond with this status until the faults are cleared. */
const respondWith =
  (operation, status) =>
  async ({ control }) => {
    await control('DELETE', '/faults');
    await control('POST', '/faults', { operation, action: { status } });
  };
const clearFaults = ({ control }) => control('DELETE', '/faults');

/** A transfer that failed because its attestation expired before the mint. */
const expiredTransfer = (transferOf) => async (context) => {
  const { client, control, adapter } = context;
  await setSpeed(SPEED.own)(context);
  adapter.afterBurn = async ({ id }) => {
    await control('POST', '/clock/advance', { durationMs: ATTESTED_MS });
    await control('POST', `/burns/${id}/expire`);
  };
  const expired = await client.bridge(transferOf(context, false));
  adapter.afterBurn = async () => {};
  await setSpeed(SPEED.rapid)(context);
  return { expired };
};

/** Makes the forwarding service fail for the next transfers. */
async function failToForward(context) {
  const { control, adapter } = context;
  await setSpeed(SPEED.own)(context);
  adapter.afterBurn = async ({ id }) => {
    await control('POST', '/clock/advance', { durationMs: ATTESTED_MS });
    await control('POST', `/burns/${id}/forward`, { fail: true });
  };
}
async function restoreForwarding({ adapter }) {
  adapter.afterBurn = async () => {};
}

const BAD_REQUEST = { code: 'HTTP 400 - Bad Request', status: 400, cleanup: clearFaults };
const FORBIDDEN = { code: 'HTTP 403 - Forbidden', status: 403, cleanup: clearFaults };

const bridging = (transferOf) => ({
  estimate: {
    computed: true,
    args: (context) => [transferOf(context, true)],
    expect: ({ fees }) => ({
      fees: [fees.map(({ type, amount }) => `${type} ${amount}`).join(', '), 'provider 0.001155, forwarder 0.4'],
    }),
    errors: [
      { ...BAD_REQUEST, setup: respondWith('getBurnFees', 400) },
      { ...FORBIDDEN, setup: respondWith('getBurnFees', 403) },
    ],
  },
  bridge: {
    computed: true,
    setup: setSpeed(SPEED.quick),
    args: (context) => [transferOf(context, false)],
    expect: (result) => ({
      steps: [namesOf(result), 'approve burn fetchAttestation mint'],
      attestation: [result.steps[2].data.status, 'complete'],
    }),
    errors: [
      { ...BAD_REQUEST, setup: respondWith('getBurnFees', 400) },
      { ...FORBIDDEN, setup: respondWith('getAttestationMessages', 403) },
      {
        code: 'Circle relayer failed to forward the mint transaction',
        kind: 'KitError',
        status: 200,
        setup: failToForward,
        args: (context) => [transferOf(context, true)],
        cleanup: restoreForwarding,
      },
    ],
  },
  retry: {
    computed: true,
    setup: expiredTransfer(transferOf),
    args: ({ expired, adapter }) => [expired, { from: adapter, to: adapter }],
    expect: (result) => ({ steps: [namesOf(result), 'approve burn fetchAttestation mint reAttest mint'] }),
    errors: [
      {
        ...BAD_REQUEST,
        async setup(context) {
          const transfer = await expiredTransfer(transferOf)(context);
          await respondWith('requestReattestation', 400)(context);
          return transfer;
        },
        args: ({ expired, adapter }) => [expired, { from: adapter, to: adapter }],
      },
      {
        ...FORBIDDEN,
        async setup(context) {
          const transfer = await expiredTransfer(transferOf)(context);
          await respondWith('requestReattestation', 403)(context);
          return transfer;
        },
        args: ({ expired, adapter }) => [expired, { from: adapter, to: adapter }],
      },
    ],
  },
});

module.exports = { ATTESTED_MS, BAD_REQUEST, FORBIDDEN, SPEED, respondWith, bridging, setSpeed };
