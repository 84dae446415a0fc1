import type { StartInput } from '../../src/client/flowStarter';
import { callOf, USDC } from '../support/contractCalls';
import { expectSentOnce, requestsOf, sentBy } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { freshPayer, resolveChallenge } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { RECIPIENT } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf } from '../support/users';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SENDS = { kind: 'transfer', recipient: RECIPIENT, contract: USDC, amount: '1.25' };

/** Tests use `advance` because polls for an approval become rarer over time. */
describe('a contract call', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    const transfer = { feeLevel: 'MEDIUM', stuck: 'ask' };
    stack = await startStack({
      policies: {
        default: [{ version: 1, transfer }],
        accelerating: [{ version: 1, transfer: { ...transfer, stuck: 'accelerate' } }],
        thrifty: [{ version: 1, transfer: { ...transfer, maxNetworkFee: { 'ETH-SEPOLIA': '0.0001' } } }],
      },
    });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    ({ wallet } = await freshPayer(stack));
  });

  const start = (more: Partial<StartInput<'executeContract'>> = {}) =>
    stack.flows.executeContract.start(callOf(wallet, more));
  const expectOne = () => expectSentOnce(stack.world, wallet.id, 'createUserContractExecution');

  test('of a user is sent by the approval, and nothing before it', async () => {
    const flow = await start();
    const challengeId = await challengeOf(flow);
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
    expect(await flow.progress()).toMatchObject({
      approval: { challengeId, type: 'CONTRACT_EXECUTION' },
      call: { movements: [SENDS] },
    });
    await approve(stack, challengeId);
    await stack.advance(HOUR);
    const outcome = await flow.result();
    const [sent] = await sentBy(stack.world, wallet.id);
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { transactionId: sent!.id, state: 'COMPLETE', challengeId },
    });
    await expectOne();
  });

  test('of a user with a lost reply opens one challenge', async () => {
    await stack.world.control.addFault({
      operation: 'createUserContractExecution',
      count: 1,
      action: { drop: 'after' },
    });
    const flow = await start();
    await approve(stack, await challengeOf(flow));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectOne();
  });

  test('of a user who declines is not sent', async () => {
    const flow = await start();
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'denied' });
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
  });

  test('of a user that is not approved by the deadline expires', async () => {
    const flow = await start({ deadline: '10 minutes' });
    const challengeId = await challengeOf(flow);
    await stack.advance(20 * MINUTE);
    await resolveChallenge(stack, challengeId, 'expire');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'expired' });
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
  });

  test('of a user needs a decision before the challenge, which shows who receives what', async () => {
    const flow = await start({ policy: 'thrifty' });
    expect(await attentionOf(flow)).toMatchObject({ name: 'FeeAboveLimit', call: { movements: [SENDS] } });
    expect(await requestsOf(stack.world, 'createUserContractExecution')).toEqual([]);
    await flow.decide('acceptFee', await stack.as('ops'));
    await approve(stack, await challengeOf(flow));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectOne();
  });

  test('of a user whose challenge names no transaction is found by its refId', async () => {
    const change = { field: 'data.challenge.correlationIds', change: 'missing' } as const;
    await stack.world.control.addFault({ operation: 'getUserChallenge', action: change });
    const flow = await start();
    await approve(stack, await challengeOf(flow));
    await stack.advance(HOUR);
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'completed' });
    const [sent] = await sentBy(stack.world, wallet.id);
    expect(reportedBy(outcome).transactionId).toBe(sent!.id);
  });

  test.each([
    ['a developer wallet', async () => fundedWallet(stack), 'accelerateTransaction' as const],
    ["a user's wallet", async () => wallet, 'accelerateUserTransaction' as const],
  ])('of %s that is stuck is accelerated', async (_, walletOf, operation) => {
    const from = await walletOf();
    const isUsers = from.id === wallet.id;
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await start({ from: { walletId: from.id }, policy: 'accelerating' });
    const first = isUsers ? await challengeOf(flow) : undefined;
    if (first !== undefined) {
      await approve(stack, first);
      await stack.advance(HOUR);
      await approve(stack, await challengeOf(flow, first));
    } else {
      await until(async () => (await flow.progress()).resources.transactionId !== undefined, 'the transaction');
    }
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, operation)).toHaveLength(1);
    expect(await sentBy(stack.world, from.id)).toHaveLength(1);
  });
});
