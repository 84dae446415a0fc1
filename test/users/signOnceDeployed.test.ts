import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/client/flowStarter';
import type { Progress } from '../../src/domain/progress';
import { distinct, expectSentOnce, requestsOf, sentBy } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { makePayer, resolveChallenge } from '../support/payers';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, challengesOf } from '../support/users';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MESSAGE = { kind: 'message', message: 'I agree' } as const;

const transfer = { feeLevel: 'MEDIUM', stuck: 'ask' } as const;
const POLICIES = {
  deploying: [{ version: 1, transfer, signing: { undeployed: 'deploy' } }],
  thrifty: [
    {
      version: 1,
      transfer: { ...transfer, maxNetworkFee: { 'ETH-SEPOLIA': '0.000000000000000001' } },
      signing: { undeployed: 'deploy' },
    },
  ],
};

type Flow = Awaited<ReturnType<Stack['flows']['signPayload']['start']>>;

/** Starts a flow that signs a message. */
const startIn = (stack: Stack, walletId: string, more: Partial<StartInput<'signPayload'>> = {}) =>
  stack.flows.signPayload.start({ ref: `s-${randomUUID()}`, walletId, payload: MESSAGE, ...more });

describe('signPayload by a developer wallet that is not deployed', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, policies: POLICIES });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack, { accountType: 'SCA' });
    await stack.world.control.clearJournal();
  });

  const start = (policy?: string) => startIn(stack, wallet.id, policy === undefined ? {} : { policy });
  const stepsOf = async (flow: Flow) => (await flow.progress()).steps.map(({ name }) => name);
  const requests = async (operation: Parameters<typeof requestsOf>[1]) =>
    (await requestsOf(stack.world, operation)).length;

  test('a person decides to deploy it, and the flow signs afterwards', async () => {
    const flow = await start();
    expect(await attentionOf(flow)).toMatchObject({
      name: 'ScaNotDeployed',
      code: 155517,
      options: [{ choice: 'deploy' }, { choice: 'retry' }, { choice: 'giveUp' }],
    });
    expect(await requests('signMessage')).toBe(0);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
    await flow.decide('deploy', await stack.as('ops'));
    const { transactionId } = (await flow.result().then(reportedBy)).deployment!;
    expect(reportedBy(await flow.result())).toMatchObject({
      deliveredTo: 'result',
      signature: expect.stringMatching(/^0x/),
      deployment: { transactionId, state: 'COMPLETE', txHash: expect.stringMatching(/^0x/) },
    });
    const [sent] = await sentBy(stack.world, wallet.id);
    expect(sent).toMatchObject({
      id: transactionId,
      operation: 'CONTRACT_EXECUTION',
      contractAddress: wallet.address,
      refId: expect.stringContaining('~deploy.1~'),
    });
    await expectSentOnce(stack.world, wallet.id, 'createContractExecution');
    expect(await stepsOf(flow)).toEqual(['validate', 'lane', 'gate', 'deploy', 'follow', 'sign']);
  });

  test('the policy deploys it unasked, and the next flow finds it deployed', async () => {
    const flow = await start('deploying');
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { deployment: { state: 'COMPLETE' } } });
    const second = await (await start('deploying')).result();
    expect(reportedBy(second)).not.toHaveProperty('deployment');
    await expectSentOnce(stack.world, wallet.id, 'createContractExecution');
  });

  test('two flows of one wallet deploy it once', async () => {
    const flows = await Promise.all([start('deploying'), start('deploying'), start('deploying')]);
    for (const flow of flows) expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectSentOnce(stack.world, wallet.id, 'createContractExecution');
  });

  test('the fee limit of the policy holds for the deployment', async () => {
    const flow = await start('thrifty');
    expect(await attentionOf(flow)).toMatchObject({ name: 'FeeAboveLimit' });
    await flow.decide('giveUp', await stack.as('ops'));
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(outcome).not.toHaveProperty('result');
    expect(await requests('createContractExecution')).toBe(0);
  });

  test('a person gives up, and nothing is sent or signed', async () => {
    const flow = await start();
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({
      status: 'failed',
      code: 155517,
      remedy: expect.stringContaining('first transaction'),
    });
    expect(await requests('signMessage')).toBe(0);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
  });

  test('after another transaction has deployed it, retry signs without a deployment', async () => {
    const flow = await start();
    await attentionOf(flow);
    await (await stack.flows.transfer.start(transferOf(wallet))).result();
    await flow.decide('retry', await stack.as('ops'));
    expect(reportedBy(await flow.result())).not.toHaveProperty('deployment');
    expect(await requests('createContractExecution')).toBe(0);
  });

  test('a deployment that fails ends the flow, and the outcome reports it', async () => {
    await stack.world.control.call('POST', '/transactions/next', {
      fail: { errorReason: 'PAYMASTER_POLICY_NOT_ACTIVATED' },
    });
    expect(await (await start('deploying')).result()).toMatchObject({
      status: 'failed',
      reason: 'PAYMASTER_POLICY_NOT_ACTIVATED',
      result: { walletId: wallet.id, kind: 'message', deployment: { state: 'FAILED' } },
    });
    expect(await requests('signMessage')).toBe(0);
  });

  test('if the API still refuses to sign after the deployment, a person can only retry or give up', async () => {
    await stack.world.control.addFault({ operation: 'signMessage', action: { status: 400, code: 155517 } });
    const flow = await start('deploying');
    expect(await attentionOf(flow)).toMatchObject({
      name: 'ScaNotDeployed',
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
    });
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({
      status: 'failed',
      code: 155517,
      result: { deployment: { state: 'COMPLETE' } },
    });
    await expectSentOnce(stack.world, wallet.id, 'createContractExecution');
  });

  test('a cancellation while the deployment is pending cancels it, and nothing is signed', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await start('deploying');
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the submission');
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    expect(await flow.result()).toMatchObject({
      status: 'cancelled',
      by: { subject: 'ops' },
      result: { deployment: { state: 'CANCELLED' } },
    });
    expect(await requests('signMessage')).toBe(0);
  });

  test('a flow that has deployed the wallet can be cancelled until it has signed', async () => {
    await stack.world.control.addFault({ operation: 'signMessage', action: { status: 503 } });
    const flow = await start('deploying');
    await until(async () => (await requests('signMessage')) > 0, 'the request to sign');
    expect(await flow.progress()).toMatchObject({ step: 'sign', pastPointOfNoReturn: false });
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    expect(await flow.result()).toMatchObject({ status: 'cancelled', result: { deployment: { state: 'COMPLETE' } } });
  });

  test('it is not deployed for a transaction, which contracts do not sign', async () => {
    const payload = { kind: 'transaction', rawTransaction: '0x00' } as const;
    const flow = await startIn(stack, wallet.id, { payload, policy: 'deploying' });
    expect(await flow.result()).toMatchObject({ status: 'failed', code: 155517 });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
  });
});

describe.each(['reject', 'replay'] as const)('a lost request of the deployment, idempotency mode %s', (idempotency) => {
  test.each(['after', 'before'] as const)('lost %s it was carried out: there is one deployment', async (drop) => {
    const stack = await startStack({ speed: FAST, policies: POLICIES, settings: { idempotency } });
    const { id } = await fundedWallet(stack, { accountType: 'SCA' });
    const operation = 'createContractExecution';
    await stack.world.control.addFault({ operation, count: 1, action: { drop } });
    expect(await (await startIn(stack, id, { policy: 'deploying' })).result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, operation)).toHaveLength(2);
    await expectSentOnce(stack.world, id, operation);
    await stack.close();
  });
});

describe('signPayload while the first transaction of a developer wallet is pending', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ policies: POLICIES });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    wallet = await fundedWallet(stack, { accountType: 'SCA' });
    await stack.world.control.clearJournal();
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
  });

  /** Advances time until a flow asks about its stuck transaction. */
  const stuck = (flow: { progress(): Promise<Progress> }) =>
    until(async () => {
      await stack.advance(10 * MINUTE);
      return (await flow.progress()).attention?.name === 'TransactionStuck';
    }, 'the question');

  test('only the API knows whether it is deployed, and another one than the flow may deploy it', async () => {
    const sending = await stack.flows.transfer.start(transferOf(wallet));
    await until(async () => (await sending.progress()).pastPointOfNoReturn, 'the submission');
    const flow = await startIn(stack, wallet.id);
    const { id } = await attentionOf(flow);
    expect(await requestsOf(stack.world, 'signMessage')).toHaveLength(1);
    await flow.decide('retry', await stack.as('ops'));
    await until(async () => ![undefined, id].includes((await flow.progress()).attention?.id), 'the next question');
    await flow.decide('deploy', await stack.as('ops'));
    await stuck(sending);
    await sending.decide('accelerate', await stack.as('ops'));
    await stack.advance(HOUR);
    expect(await sending.result()).toMatchObject({ status: 'completed' });
    await stack.advance(HOUR);
    // In its turn, the flow has found the wallet deployed.
    expect(reportedBy(await flow.result())).not.toHaveProperty('deployment');
    expect(await requestsOf(stack.world, 'createContractExecution')).toHaveLength(0);
  });

  test('a cancellation that comes too late for the deployment ends the flow before it signs', async () => {
    await stack.world.control.addFault({
      operation: 'cancelTransaction',
      count: 1,
      action: { status: 400, code: 155229, when: 'before' },
    });
    const flow = await startIn(stack, wallet.id, { policy: 'deploying' });
    await stuck(flow);
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await until(async () => (await flow.progress()).cancelRequested?.tooLate === true, 'the refusal');
    await stuck(flow);
    await flow.decide('accelerate', await stack.as('ops'));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({
      status: 'cancelled',
      reason: expect.stringContaining('the wallet is deployed, and nothing was signed'),
      by: { subject: 'ops' },
      result: { deployment: { state: 'COMPLETE' } },
    });
    expect(await requestsOf(stack.world, 'signMessage')).toHaveLength(0);
  });
});

describe("signPayload by a user's wallet that is not deployed", () => {
  let stack: Stack;
  let wallet: FundedWallet;
  let userId: string;

  beforeAll(async () => {
    stack = await startStack({ policies: POLICIES, settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    const payer = await makePayer(stack, { accountType: 'SCA' });
    ({ userId } = payer);
    wallet = payer.wallets[0]!;
    await stack.world.control.clearJournal();
  });

  const start = (more: Partial<StartInput<'signPayload'>> = { policy: 'deploying' }) => startIn(stack, wallet.id, more);
  /** The user approves the deployment, and it completes. @returns the challenge of the signature */
  const deployed = async (flow: Flow) => {
    const first = await challengeOf(flow);
    await approve(stack, first);
    let next: string | undefined;
    await until(async () => {
      await stack.advance(MINUTE);
      next = (await flow.progress()).approval?.challengeId;
      return next !== undefined && next !== first;
    }, 'the challenge of the signature');
    return { first, next: next! };
  };

  test('a person decides to deploy it, and the user approves the deployment and then the signature', async () => {
    const flow = await start({});
    expect(await attentionOf(flow)).toMatchObject({ name: 'ScaNotDeployed', code: 155517 });
    expect((await challengesOf(stack, userId)).filter(({ status }) => status !== 'COMPLETE')).toEqual([]);
    await flow.decide('deploy', await stack.as('ops'));
    const { first, next } = await deployed(flow);
    await approve(stack, next);
    await stack.advance(HOUR);
    expect(await flow.result()).toEqual({
      status: 'completed',
      result: {
        walletId: wallet.id,
        kind: 'message',
        deliveredTo: 'browser',
        challengeId: next,
        deployment: expect.objectContaining({ state: 'COMPLETE', challengeId: first }),
      },
    });
    await expectSentOnce(stack.world, wallet.id, 'createUserContractExecution');
    expect(
      distinct(await challengesOf(stack, userId), 'type')
        .slice(-2)
        .sort(),
    ).toEqual(['CONTRACT_EXECUTION', 'SIGN_MESSAGE']);
  });

  test('a lost reply to the challenge of the deployment leads to one transaction', async () => {
    const operation = 'createUserContractExecution';
    await stack.world.control.addFault({ operation, count: 1, action: { drop: 'after' } });
    const flow = await start();
    await approve(stack, (await deployed(flow)).next);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { deployment: { state: 'COMPLETE' } } });
    await expectSentOnce(stack.world, wallet.id, operation);
  });

  test('a user who declines the deployment is not asked to sign', async () => {
    const flow = await start();
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    await stack.advance(HOUR);
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'denied', code: 155701 });
    expect(outcome).not.toHaveProperty('result');
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
    expect(await requestsOf(stack.world, 'signUserMessage')).toHaveLength(0);
  });

  test('a user who declines the signature after the deployment has a deployed wallet', async () => {
    const flow = await start();
    await resolveChallenge(stack, (await deployed(flow)).next, 'reject');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({
      status: 'denied',
      code: 155701,
      result: { walletId: wallet.id, kind: 'message', deployment: { state: 'COMPLETE' } },
    });
  });

  test('the deadline holds for the question, and the flow expires', async () => {
    const flow = await start({ deadline: '10 minutes' });
    await attentionOf(flow);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'expired' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(0);
  });

  test('the deadline holds for the signature after the deployment too', async () => {
    const flow = await start({ policy: 'deploying', deadline: '2 hours' });
    const { next } = await deployed(flow);
    await stack.advance(3 * HOUR);
    await resolveChallenge(stack, next, 'expire');
    await until(async () => {
      await stack.advance(HOUR);
      return (await flow.progress()).outcome !== undefined;
    }, 'the end');
    expect(await flow.result()).toMatchObject({
      status: 'expired',
      reason: expect.stringContaining('the wallet is deployed, and nothing was signed'),
      result: { deployment: { state: 'COMPLETE' } },
    });
  });
});
