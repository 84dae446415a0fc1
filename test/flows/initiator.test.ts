import type { FlowHandle } from '../../src/client/flowHandle';
import { sealToken } from '../../src/client/sealToken';
import { sealer } from '../../src/crypto/sealing';
import { flowQueue } from '../../src/domain/activityTable';
import type { FlowStart } from '../../src/domain/flowStart';
import type { SealedBearerToken } from '../../src/domain/messages';
import {
  generateLocalIssuer,
  type LocalIssuer,
  mintToken,
  toIssuer,
  type TokenClaims,
} from '../../src/identity/localIssuer';
import { identityVerifier } from '../../src/identity/verifier';
import { comparableEvents, resetToStart } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { KeyServer } from '../support/keyServer';
import { replayFailures } from '../support/replayFailures';
import { canariesIn, decryptedHistory, rawHistory } from '../support/secrets';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const ADA = { subject: 'ada', issuer: 'walletflow-local' };
const HOUR_S = 3_600;
/** How far clocks may differ when a token is verified. */
const LEEWAY_S = 60;
/** Longer than a test needs to start a flow. */
const START_S = 20;
const POLICIES = {
  known: [{ version: 1, requireInitiator: true, transfer: { feeLevel: 'MEDIUM', stuck: 'ask' } }],
};
const START_AGAIN = 'start again with a new ref and a token of an issuer that the workers trust';

const now = () => Math.floor(Date.now() / 1_000);
const historyOf = (stack: Stack, { workflowId }: { workflowId: string }) =>
  stack.flows.client.workflow.getHandle(workflowId).fetchHistory();

/** All requests that reached the API, of any operation. */
const requests = async ({ world }: Stack) => (await world.control.journal()).map(({ operation }) => operation);

describe('a flow that an actor starts', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, policies: POLICIES });
    wallet = await fundedWallet(stack);
  });
  afterAll(() => stack.close());
  beforeEach(() => stack.world.control.clearJournal());

  /**
   * Starts a transfer as a program can that does not use `start`.
   * @param by returns the initiator of the flow with this workflow id
   * @param startDelay how long no worker gets the flow
   */
  async function startRaw(
    by: (flow: string) => unknown,
    startDelay?: `${number} seconds`,
  ): Promise<FlowHandle<unknown>> {
    const { entity, flows } = stack;
    const { ref, ...input } = transferOf(wallet);
    const flow = flows.transfer.get(ref);
    const start: FlowStart<unknown> = {
      by: (await by(flow.workflowId)) as SealedBearerToken,
      input,
    };
    await flows.client.workflow.start('transfer', {
      workflowId: flow.workflowId,
      taskQueue: flowQueue(entity.name),
      args: [start],
      startDelay,
    });
    return flow;
  }

  const sealedFor = (flow: string, token: string) => sealToken(sealer(stack.sealingKeys), flow, token);
  const isExpired = async (token: string) =>
    identityVerifier([toIssuer(stack.issuer)])
      .verify(token, 'walletflow:start')
      .then(() => false)
      .catch((error: Error) => error.message.includes('has expired'));

  test('records the subject in progress, and a replay takes the same decisions', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { policy: 'known' }), await stack.as('ada'));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await flow.progress()).toMatchObject({ startedBy: ADA, policy: 'known@1' });
    expect(await replayFailures(stack.flows.client, stack.keyRing, [flow.workflowId])).toEqual([]);
  });

  test('keeps its first initiator when someone else starts it again', async () => {
    const input = transferOf(wallet);
    const flow = await stack.flows.transfer.start(input, await stack.as('ada'));
    const again = await stack.flows.transfer.start(input, await stack.as('bob'));
    expect([flow.created, again.created]).toEqual([true, false]);
    await again.result();
    const late = await stack.flows.transfer.start(input, await stack.as('cem', { expiresAt: now() - HOUR_S }));
    expect(late.created).toBe(false);
    expect(await late.result()).toMatchObject({ status: 'completed' });
    expect((await late.progress()).startedBy).toEqual(ADA);
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
  });

  const foreignIssuer: LocalIssuer = { ...generateLocalIssuer(), issuer: 'https://elsewhere.example' };
  /** The issuer's name with another key. */
  const impostor = generateLocalIssuer();

  /** [defect, token with the defect, reason of the outcome] */
  const REFUSED: [string, (issuer: LocalIssuer) => [LocalIssuer, TokenClaims?], RegExp][] = [
    ['expired', (issuer) => [issuer, { expiresAt: now() - HOUR_S }], /^token: has expired; /],
    [
      'not valid yet',
      (issuer) => [issuer, { notBefore: now() + HOUR_S, expiresAt: now() + 2 * HOUR_S }],
      /^token: is not valid yet; /,
    ],
    ['for another audience', (issuer) => [issuer, { audience: 'other' }], /^token: is for another audience; /],
    ['of another issuer', () => [foreignIssuer], /^token: the workers do not trust its issuer; /],
    ['signed by another key', () => [impostor], /^token: its signature is not from walletflow-local; /],
    [
      'for messages only',
      (issuer) => [issuer, { scopes: ['walletflow:decide', 'walletflow:provide', 'walletflow:cancel'] }],
      /^token: lacks scope walletflow:start in claim "scope"; /,
    ],
  ];

  test.each(REFUSED)('ends without a request to the API if its token is %s', async (_defect, build, reason) => {
    const token = await mintToken(build(stack.issuer)[0], 'ada', build(stack.issuer)[1]);
    const flow = await stack.flows.transfer.start(transferOf(wallet), { token });
    expect(await flow.result()).toEqual({
      status: 'failed',
      reason: expect.stringMatching(reason),
      remedy: START_AGAIN,
    });
    const progress = await flow.progress();
    expect(progress).toMatchObject({ steps: [], resources: {} });
    expect(progress).not.toHaveProperty('startedBy');
    expect(await requests(stack)).toEqual([]);
  });

  test('ends without a request to the API if its token is missing', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet), {});
    expect(await flow.result()).toEqual({
      status: 'failed',
      reason: 'token: is missing; get one from walletflow-local',
      remedy: START_AGAIN,
    });
    expect(await requests(stack)).toEqual([]);
  });

  test.each<[string, (token: string) => unknown, RegExp]>([
    ['is not sealed', (token) => ({ token }), /^by: is not a sealed token/],
    ['is not an object', (token) => token, /^by: is not a sealed token/],
    ['is null', () => null, /^token: is missing/],
    ['is sealed for another flow', (token) => sealedFor('another', token), /does not open/],
  ])('ends without a request to the API if a program writes a token that %s', async (_defect, build, reason) => {
    const { token } = await stack.as('ada');
    const flow = await startRaw(() => build(token));
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) });
    expect(await requests(stack)).toEqual([]);
  });

  test('leaves neither an accepted nor a refused token in history, log or progress', async () => {
    const accepted = await stack.as('ada');
    const refused = { token: await mintToken(impostor, 'eve-CANARY') };
    const flows = [
      await stack.flows.transfer.start(transferOf(wallet), accepted),
      await stack.flows.transfer.start(transferOf(wallet), refused),
    ];
    const texts: string[] = [];
    for (const flow of flows) {
      await flow.result();
      texts.push(
        JSON.stringify(await flow.progress()),
        await rawHistory(stack.flows.client, flow.workflowId),
        await decryptedHistory(stack.flows.client, flow.workflowId, stack.keyRing),
      );
    }
    const parts = [...accepted.token.split('.'), ...refused.token.split('.').slice(1)];
    const canaries = [accepted.token, refused.token, 'eve-CANARY', ...parts];
    for (const text of [...texts, stack.log.join('')]) expect(canariesIn(text, canaries)).toEqual([]);
  });

  test('may be processed, and be reset, long after its token has expired', async () => {
    const { token } = await stack.as('ada', { expiresAt: now() - LEEWAY_S + START_S });
    const flow = await stack.flows.transfer.start(transferOf(wallet), { token });
    const delayed = await startRaw((id) => sealedFor(id, token), `${START_S + 5} seconds`);
    await flow.result();
    await until(() => isExpired(token), 'the expiry');
    await resetToStart(stack.flows.client, flow.workflowId);
    for (const late of [flow, delayed]) {
      expect(await late.result()).toMatchObject({ status: 'completed' });
      expect((await late.progress()).startedBy).toEqual(ADA);
      const sent = (await sentBy(stack.world, wallet.id)).filter(({ refId }) => refId?.includes(late.ref));
      expect(sent).toHaveLength(1);
    }
  });
});

describe('while the keys of the issuer cannot be fetched', () => {
  let keys: KeyServer;
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    keys = new KeyServer();
    const jwksUri = await keys.open();
    stack = await startStack({ speed: FAST, issuers: (own) => [{ ...toIssuer(own), jwks: undefined, jwksUri }] });
    wallet = await fundedWallet(stack);
  });
  afterAll(async () => {
    await stack.close();
    keys.close();
  });
  beforeEach(async () => {
    keys.response = { status: 503, body: '' };
    await stack.world.control.clearJournal();
  });

  async function startWaiting() {
    const flow = await stack.flows.transfer.start(transferOf(wallet), await stack.as('ada'));
    await until(async () => (await flow.progress()).waitingFor === "the keys of the token's issuer", 'the wait');
    return flow;
  }

  test('a flow can be cancelled through the Temporal server, and has sent nothing', async () => {
    const flow = await startWaiting();
    await stack.flows.client.workflow.getHandle(flow.workflowId).cancel();
    expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'temporal' } });
    expect(await requests(stack)).toEqual([]);
  });

  test('a flow waits without adding events, sends nothing, and continues when the keys are there', async () => {
    const flow = await startWaiting();
    const before = keys.requests;
    const events = comparableEvents(await historyOf(stack, flow));
    await until(async () => keys.requests >= before + 1, 'another fetch');
    expect(comparableEvents(await historyOf(stack, flow))).toEqual(events);
    expect(await requests(stack)).toEqual([]);
    keys.response = { body: JSON.stringify(toIssuer(stack.issuer).jwks) };
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const progress = await flow.progress();
    expect(progress.startedBy).toEqual(ADA);
    expect(progress.steps.map(({ name, state }) => [name, state])[0]).toEqual(['identify', 'done']);
  });
});

describe('without issuers', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, policies: POLICIES, issuers: () => [] });
    wallet = await fundedWallet(stack);
  });
  afterAll(() => stack.close());
  beforeEach(() => stack.world.control.clearJournal());

  test('a flow needs no token and has no initiator', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet), {});
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await flow.progress()).not.toHaveProperty('startedBy');
  });

  test('a token is refused, because no worker can verify it', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet), await stack.as('ada'));
    expect(await flow.result()).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^token: the workers trust no issuer; add one/),
    });
    expect(await requests(stack)).toEqual([]);
  });

  test('a policy that requires an initiator refuses the flow', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet, { policy: 'known' }), {});
    expect(await flow.result()).toEqual({
      status: 'failed',
      reason: 'policy known@1 requires a known initiator, but the workers trust no issuer',
      remedy: `add an issuer to the file of WALLETFLOW_IDENTITY_FILE on the workers, then ${START_AGAIN}`,
    });
    expect(await requests(stack)).toEqual([]);
  });
});
