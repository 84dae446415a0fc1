/**
 * Whole transfers: fees are asked for, attestations awaited and renewed, messages minted. The bridging kit and its provider
 * have the same methods for it; `transferOf(known, forwarded)` writes a transfer of 10.5 USDC from Ethereum to Base as
 * either takes it.
 */

/** Seconds of the world in one of ours: a fast transfer takes 20 s, a standard one 16 minutes. */
const SPEED = { own: 1, quick: 600, rapid: 6_000 };
/** Longer than a fast transfer takes to be attested, and shorter than forwarding it. */
const ATTESTED_MS = 21_000;

const pass =
  (speed) =>
  async ({ control }) =>
    control('POST', '/clock/speed', { speed });
const namesOf = ({ steps }) => steps.map(({ name }) => name).join(' ');

/** The next answers of an operation are this status. */
const answer =
  (operation, status) =>
  async ({ control }) => {
    await control('DELETE', '/faults');
    await control('POST', '/faults', { operation, action: { status } });
  };
const answerAgain = ({ control }) => control('DELETE', '/faults');

/** A transfer that came to nothing, because its attestation expired before it was minted. */
const expiredTransfer = (transferOf) => async (known) => {
  const { client, control, adapter } = known;
  await pass(SPEED.own)(known);
  adapter.afterBurn = async ({ id }) => {
    await control('POST', '/clock/advance', { durationMs: ATTESTED_MS });
    await control('POST', `/burns/${id}/expire`);
  };
  const expired = await client.bridge(transferOf(known, false));
  adapter.afterBurn = async () => {};
  await pass(SPEED.rapid)(known);
  return { expired };
};

/** The forwarding service fails on the transfer that comes next. */
async function failToForward(known) {
  const { control, adapter } = known;
  await pass(SPEED.own)(known);
  adapter.afterBurn = async ({ id }) => {
    await control('POST', '/clock/advance', { durationMs: ATTESTED_MS });
    await control('POST', `/burns/${id}/forward`, { fail: true });
  };
}
async function forwardAgain({ adapter }) {
  adapter.afterBurn = async () => {};
}

const BAD_REQUEST = { code: 'HTTP 400 - Bad Request', status: 400, after: answerAgain };
const FORBIDDEN = { code: 'HTTP 403 - Forbidden', status: 403, after: answerAgain };

const bridging = (transferOf) => ({
  estimate: {
    made: true,
    with: (known) => [transferOf(known, true)],
    expect: ({ fees }) => ({
      fees: [fees.map(({ type, amount }) => `${type} ${amount}`).join(', '), 'provider 0.001155, forwarder 0.4'],
    }),
    refused: [
      { ...BAD_REQUEST, given: answer('getBurnFees', 400) },
      { ...FORBIDDEN, given: answer('getBurnFees', 403) },
    ],
  },
  bridge: {
    made: true,
    given: pass(SPEED.quick),
    with: (known) => [transferOf(known, false)],
    expect: (result) => ({
      steps: [namesOf(result), 'approve burn fetchAttestation mint'],
      attestation: [result.steps[2].data.status, 'complete'],
    }),
    refused: [
      { ...BAD_REQUEST, given: answer('getBurnFees', 400) },
      { ...FORBIDDEN, given: answer('getAttestationMessages', 403) },
      {
        code: 'Circle relayer failed to forward the mint transaction',
        kind: 'KitError',
        status: 200,
        given: failToForward,
        with: (known) => [transferOf(known, true)],
        after: forwardAgain,
      },
    ],
  },
  retry: {
    made: true,
    given: expiredTransfer(transferOf),
    with: ({ expired, adapter }) => [expired, { from: adapter, to: adapter }],
    expect: (result) => ({ steps: [namesOf(result), 'approve burn fetchAttestation mint reAttest mint'] }),
    refused: [
      {
        ...BAD_REQUEST,
        async given(known) {
          const found = await expiredTransfer(transferOf)(known);
          await answer('requestReattestation', 400)(known);
          return found;
        },
        with: ({ expired, adapter }) => [expired, { from: adapter, to: adapter }],
      },
      {
        ...FORBIDDEN,
        async given(known) {
          const found = await expiredTransfer(transferOf)(known);
          await answer('requestReattestation', 403)(known);
          return found;
        },
        with: ({ expired, adapter }) => [expired, { from: adapter, to: adapter }],
      },
    ],
  },
});

module.exports = { ATTESTED_MS, BAD_REQUEST, FORBIDDEN, SPEED, answer, bridging, pass };
