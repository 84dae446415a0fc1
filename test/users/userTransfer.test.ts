import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/client/flowStarter';
import { comparableEvents, forget } from '../support/history';
import { distinct, expectSentOnce, requestsOf, sentBy } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { freshPayer, makePayer, type Payer, resolveChallenge } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, challengesOf, sessionOf } from '../support/users';
import { emptyWallet, type FundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const transferPolicy = { feeLevel: 'MEDIUM', unresolvedAfter: '24 hours', stuck: 'ask' };

/** Tests use `advance` because polls for an approval become rarer over time. */
describe('a transfer that a user approves', () => {
  let stack: Stack;
  let payer: Payer;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({
      policies: {
        accelerating: [{ version: 1, transfer: { ...transferPolicy, stuck: 'accelerate' } }],
        careful: [
          {
            version: 1,
            transfer: {
              ...transferPolicy,
              approvalMaxAge: '10 minutes',
              maxNetworkFee: { 'ETH-SEPOLIA': '0.01' },
              feeHeadroom: 0,
            },
          },
        ],
      },
    });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    ({ payer, wallet } = await freshPayer(stack));
  });

  const start = (more: Partial<StartInput<'transfer'>> = {}) => stack.flows.transfer.start(transferOf(wallet, more));
  /** Waits until the transaction exists. */
  const submitted = (flow: Awaited<ReturnType<typeof start>>) =>
    until(async () => (await flow.progress()).resources.transactionId !== undefined, 'the transaction');
  const approved = async (more: Partial<StartInput<'transfer'>> = {}) => {
    const flow = await start(more);
    await approve(stack, await challengeOf(flow));
    await stack.advance(MINUTE);
    await submitted(flow);
    return flow;
  };
  const expectOne = () => expectSentOnce(stack.world, wallet.id, 'createUserTransfer');

  test('nothing is sent before the approval, and its transaction is followed and reported', async () => {
    const flow = await start();
    const challengeId = await challengeOf(flow);
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
    expect((await flow.progress()).approval).toMatchObject({ challengeId, type: 'CREATE_TRANSACTION' });
    await approve(stack, challengeId);
    await stack.advance(HOUR);
    const outcome = await flow.result();
    const [sent] = await sentBy(stack.world, wallet.id);
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { transactionId: sent!.id, state: 'COMPLETE', amounts: ['1.25'], challengeId },
    });
    expect(reportedBy(outcome)).not.toHaveProperty('evaluation');
    expect((await flow.progress()).steps.map(({ name, state }) => [name, state])).toEqual([
      ['validate', 'done'],
      ['submit', 'done'],
      ['follow', 'done'],
    ]);
    const history = await stack.flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
    // Six of them are of the lane: the request, the turn, a watch while the user has not approved, the report, the release.
    expect(comparableEvents(history).length).toBeLessThanOrEqual(46);
    await expectOne();
  });

  describe('a completed challenge that names no transaction', () => {
    const namingNone = async (flow: Awaited<ReturnType<typeof start>>) => {
      const change = { field: 'data.challenge.correlationIds', change: 'null' } as const;
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: change });
      await approve(stack, await challengeOf(flow));
      await stack.advance(MINUTE);
    };

    test('the transaction is found by its refId', async () => {
      const flow = await start();
      await namingNone(flow);
      await stack.advance(HOUR);
      const [sent] = await sentBy(stack.world, wallet.id);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: sent!.id } });
      await expectOne();
    });

    test('a person is asked as long as the transaction cannot be found', async () => {
      const flow = await start();
      await challengeOf(flow);
      await stack.world.control.addFault({ operation: 'listTransactions', action: { status: 400, code: 2 } });
      await namingNone(flow);
      const { name, options } = await attentionOf(flow);
      expect([name, ...options.map(({ choice }) => choice)]).toEqual(['TransactionMissing', 'lookAgain', 'giveUp']);
      await stack.world.control.clearFaults();
      await flow.decide('lookAgain', await stack.as('ops'));
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      await expectOne();
    });
  });

  test('a ref whose history and key are gone is not asked for again', async () => {
    const input = transferOf(wallet);
    const first = await stack.flows.transfer.start(input);
    await approve(stack, await challengeOf(first));
    await stack.advance(HOUR);
    expect(await first.result()).toMatchObject({ status: 'completed' });
    const session = sessionOf(stack, payer.userId);
    await forget(stack.flows.client, first.workflowId, session);
    await stack.world.control.call('DELETE', '/idempotencyKeys');
    const again = await stack.flows.transfer.start(input);
    await stack.advance(HOUR);
    expect(await again.result()).toMatchObject({ status: 'completed' });
    await expectOne();
  });

  test('a declined challenge denies the transfer, and nothing is sent', async () => {
    const flow = await start();
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'denied', code: 155701 });
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
  });

  test('an expired challenge is replaced without another check while the gate is young enough', async () => {
    const flow = await start();
    const first = await challengeOf(flow);
    await resolveChallenge(stack, first, 'expire');
    await stack.advance(MINUTE);
    const second = await challengeOf(flow, first);
    expect(await requestsOf(stack.world, 'estimateTransferFee')).toHaveLength(1);
    await approve(stack, second);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { challengeId: second } });
    expect(distinct(await requestsOf(stack.world, 'createUserTransfer'), 'idempotencyKey')).toHaveLength(2);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('funds that are missing at the approval wait for an operator, then the user gets a new challenge', async () => {
    const flow = await start({ amount: '900' });
    const first = await challengeOf(flow);
    await stack.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, {
      tokenId: wallet.usdcId,
      amount: '500',
    });
    await stack.advance(10 * MINUTE);
    await approve(stack, first);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      code: 155201,
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
    });
    await stack.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId: wallet.usdcId, amount: '500' });
    await stack.advance(HOUR);
    await flow.decide('retry', await stack.as('ops'));
    await approve(stack, await challengeOf(flow, first));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('funds that are missing at the gate cause attention, and no challenge is opened', async () => {
    const flow = await start({ amount: '5000' });
    expect(await attentionOf(flow)).toMatchObject({ code: 155205 });
    expect(await requestsOf(stack.world, 'createUserTransfer')).toHaveLength(0);
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    expect(await flow.result()).toMatchObject({ status: 'cancelled' });
  });

  describe('a cancel while the user could still approve', () => {
    test('ends the flow only after the challenge expires', async () => {
      const flow = await start();
      const id = await challengeOf(flow);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      expect(await flow.cancel(await stack.as('ada'))).toBe('undecided');
      await stack.advance(HOUR);
      const progress = await flow.progress();
      expect(progress).toMatchObject({ cancelRequested: { by: { subject: 'ops' } }, approval: { challengeId: id } });
      expect(progress.outcome).toBeUndefined();
      await resolveChallenge(stack, id, 'expire');
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
      expect(await requestsOf(stack.world, 'createUserTransfer')).toHaveLength(1);
    });

    test('does not stop a user who approves, and the transaction is reported as approved late', async () => {
      const flow = await start({ policy: 'careful' });
      const id = await challengeOf(flow);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await stack.advance(HOUR);
      await approve(stack, id);
      await stack.advance(2 * HOUR);
      expect(await flow.result()).toMatchObject({
        status: 'completed',
        result: { state: 'COMPLETE', approvedLate: true, evaluation: { outcome: 'passed' } },
      });
      await expectOne();
    });
  });

  test('a deadline that passes expires the flow only after the challenge is over', async () => {
    const flow = await start({ deadline: '30 minutes' });
    const id = await challengeOf(flow);
    await stack.advance(HOUR);
    expect((await flow.progress()).outcome).toBeUndefined();
    await resolveChallenge(stack, id, 'expire');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'expired' });
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
  });

  test('an approval after the deadline is followed and reported as late', async () => {
    const flow = await start({ deadline: '30 minutes' });
    const id = await challengeOf(flow);
    await stack.advance(HOUR);
    await approve(stack, id);
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { approvedLate: true, challengeId: id } });
    await expectOne();
  });

  test('an approval older than the policy allows is evaluated again, and the result is reported', async () => {
    const flow = await start({ policy: 'careful' });
    const id = await challengeOf(flow);
    await stack.advance(HOUR);
    await stack.world.control.addFault({
      operation: 'estimateTransferFee',
      action: { status: 200, body: { data: { medium: { networkFee: '0.5', gasLimit: '21000' } } }, when: 'before' },
    });
    await approve(stack, id);
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({
      status: 'completed',
      result: {
        evaluation: { outcome: 'failed', reason: expect.stringContaining('0.5'), approvalAgeMs: expect.any(Number) },
      },
    });
  });

  test('a stuck transaction is accelerated with the approval of the user and keeps its id', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await approved({ policy: 'accelerating' });
    const { challengeId, transactionId } = (await flow.progress()).resources;
    await stack.advance(HOUR);
    const second = await challengeOf(flow, challengeId);
    expect((await flow.progress()).approval).toMatchObject({ type: 'ACCELERATE_TRANSACTION' });
    await approve(stack, second);
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId } });
    expect(await requestsOf(stack.world, 'accelerateUserTransaction')).toHaveLength(1);
  });

  test('a stuck transaction is cancelled after an operator decides and the user approves', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await approved();
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({ name: 'TransactionStuck' });
    await flow.decide('cancelTransaction', await stack.as('ops'));
    await approve(stack, await challengeOf(flow));
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'cancelled', result: { state: 'CANCELLED' } });
  });

  test('a cancel after the approval asks the user to approve the cancellation, and the API cancels', async () => {
    await stack.world.control.call('POST', '/transactions/next', { confirmAfterMs: 2 * HOUR });
    const flow = await approved();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    const challenge = await challengeOf(flow);
    expect((await flow.progress()).approval).toMatchObject({ type: 'CANCEL_TRANSACTION' });
    await approve(stack, challenge);
    await stack.advance(10 * MINUTE);
    expect(await flow.result()).toMatchObject({
      status: 'cancelled',
      by: { subject: 'ops' },
      result: { state: 'CANCELLED' },
    });
    expect(await requestsOf(stack.world, 'cancelUserTransaction')).toHaveLength(1);
    await expectOne();
  });

  test('a cancel after the approval comes too late if the user does not approve it before the end', async () => {
    await stack.world.control.call('POST', '/transactions/next', { confirmAfterMs: 20 * MINUTE });
    const flow = await approved();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await challengeOf(flow);
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect((await flow.progress()).cancelRequested).toMatchObject({ by: { subject: 'ops' }, tooLate: true });
    await expectOne();
  });

  test('a stuck transaction that becomes final before the user approves ends the flow with an open challenge', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await approved({ policy: 'accelerating' });
    const { transactionId } = (await flow.progress()).resources;
    await stack.advance(HOUR);
    await challengeOf(flow);
    await stack.world.control.call('POST', `/transactions/${transactionId}/fail`, { errorReason: 'FAILED_ON_CHAIN' });
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'failed', result: { transactionId, state: 'FAILED' } });
    const open = await challengesOf(stack, payer.userId);
    expect(open.filter(({ status }) => status === 'PENDING')).toHaveLength(1);
  });

  test('the end of a stuck transaction is reported after the user declines the acceleration and an operator waits', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await approved();
    const { transactionId } = (await flow.progress()).resources;
    await stack.advance(HOUR);
    await attentionOf(flow);
    await flow.decide('accelerate', await stack.as('ops'));
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({ name: 'TransactionStuck' });
    await flow.decide('keepWaiting', await stack.as('ops'));
    await stack.advance(HOUR);
    await stack.world.control.call('POST', `/transactions/${transactionId}/fail`, { errorReason: 'FAILED_ON_CHAIN' });
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'failed', result: { transactionId, state: 'FAILED' } });
  });

  test('a cancel replaces the acceleration that the user has not approved', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await approved({ policy: 'accelerating' });
    await stack.advance(HOUR);
    const acceleration = await challengeOf(flow);
    expect((await flow.progress()).approval).toMatchObject({ type: 'ACCELERATE_TRANSACTION' });
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await stack.advance(MINUTE);
    const cancellation = await challengeOf(flow, acceleration);
    expect((await flow.progress()).approval).toMatchObject({ type: 'CANCEL_TRANSACTION' });
    await approve(stack, cancellation);
    await stack.advance(2 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'ops' } });
  });

  test('a state that was read while the user decided is not believed later', async () => {
    await stack.world.control.call('POST', '/transactions/next', { confirmAfterMs: 3 * HOUR });
    const flow = await approved();
    const { transactionId } = (await flow.progress()).resources;
    await stack.advance(MINUTE);
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    const challenge = await challengeOf(flow);
    const stuck = { state: 'STUCK', durationMs: 20 * MINUTE };
    await stack.world.control.call('POST', `/transactions/${transactionId}/label`, stuck);
    await stack.advance(HOUR);
    await resolveChallenge(stack, challenge, 'reject');
    await stack.advance(HOUR);
    expect((await flow.progress()).attention).toBeUndefined();
    await stack.advance(5 * HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  describe('a challenge that the API does not show', () => {
    const missing = { status: 404, code: 155116 };

    test('may still be approved: the flow asks, and reads it again', async () => {
      const flow = await start();
      const challengeId = await challengeOf(flow);
      await stack.advance(2 * MINUTE);
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: missing });
      await stack.advance(HOUR);
      expect(await attentionOf(flow)).toMatchObject({
        code: 155116,
        options: [{ choice: 'retry' }, { choice: 'giveUp' }],
      });
      await stack.world.control.clearFaults();
      await approve(stack, challengeId);
      await flow.decide('retry', await stack.as('ops'));
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { challengeId } });
      await expectOne();
    });

    test('ends the flow if a person gives up, with what to look for', async () => {
      const flow = await start();
      await challengeOf(flow);
      await stack.advance(2 * MINUTE);
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: missing });
      await stack.advance(HOUR);
      expect(await attentionOf(flow)).toMatchObject({ name: 'ChallengeNotFound' });
      await flow.decide('giveUp', await stack.as('ops'));
      expect(await flow.result()).toMatchObject({
        status: 'failed',
        code: 155116,
        remedy: expect.stringContaining('before you start another flow'),
      });
    });

    test('does not end a transfer whose cancellation it is', async () => {
      await stack.world.control.call('POST', '/transactions/next', { confirmAfterMs: 3 * HOUR });
      const flow = await approved();
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await challengeOf(flow);
      await stack.advance(2 * MINUTE);
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: missing });
      await stack.advance(HOUR);
      expect(await attentionOf(flow)).toMatchObject({ code: 155116 });
      await stack.world.control.clearFaults();
      await flow.decide('giveUp', await stack.as('ops'));
      await stack.advance(5 * HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    });
  });

  test('a transaction that cannot be read is read again after an operator decides to retry', async () => {
    const flow = await start();
    const challengeId = await challengeOf(flow);
    await stack.world.control.addFault({ operation: 'getTransaction', action: { status: 403, code: 155105 } });
    await approve(stack, challengeId);
    await stack.advance(MINUTE);
    expect(await attentionOf(flow)).toMatchObject({ reason: expect.stringContaining("can't be read") });
    await stack.world.control.clearFaults();
    await flow.decide('retry', await stack.as('ops'));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { challengeId } });
  });

  test('two flows of one user have one open challenge at a time, and both complete', async () => {
    const [first, second] = [await start(), await start({ amount: '2' })];
    await until(async () => (await challengesOf(stack, payer.userId)).some(({ status }) => status === 'PENDING'));
    for (const _ of [first, second]) {
      let pending: { id: string }[] = [];
      await until(async () => {
        pending = (await challengesOf(stack, payer.userId)).filter(({ status }) => status === 'PENDING');
        return pending.length > 0;
      }, 'a pending challenge');
      expect(pending).toHaveLength(1);
      await approve(stack, pending[0]!.id);
      await stack.advance(10 * MINUTE);
    }
    await stack.advance(HOUR);
    expect(await first.result()).toMatchObject({ status: 'completed', result: { amounts: ['1.25'] } });
    expect(await second.result()).toMatchObject({ status: 'completed', result: { amounts: ['2'] } });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(2);
  });

  test('a deadline for a developer wallet fails the flow, and so does an unknown wallet', async () => {
    const { id } = await emptyWallet(stack, { blockchain: 'ETH-SEPOLIA', accountType: 'EOA' });
    const flow = await start({ from: { walletId: id }, deadline: '1 hour' });
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^deadline/) });
    const unknown = await start({ from: { walletId: randomUUID() } });
    expect(await unknown.result()).toMatchObject({ status: 'failed', code: 156001 });
  });
});

describe.each(['reject', 'replay'] as const)(
  'lost replies to calls that open a challenge, idempotency mode %s',
  (idempotency) => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack({ settings: { idempotency, challengeLifetimeMs: null } });
    });
    afterAll(() => stack.close());

    test.each([
      ['createUserTransfer', 'after'],
      ['createUserTransfer', 'before'],
      ['accelerateUserTransaction', 'after'],
      ['cancelUserTransaction', 'after'],
    ] as const)(
      '%s, lost %s it is carried out, leads to one challenge and one transaction',
      async (operation, drop) => {
        const { userId, wallets } = await makePayer(stack);
        const wallet = wallets[0]!;
        const before = (await challengesOf(stack, userId)).length;
        await stack.world.control.clearJournal();
        await stack.world.control.addFault({ operation, count: 1, action: { drop } });
        const stuck = operation !== 'createUserTransfer';
        if (stuck) await stack.world.control.call('POST', '/transactions/next', { stuck: true });
        const flow = await stack.flows.transfer.start(transferOf(wallet));
        await approve(stack, await challengeOf(flow));
        await stack.advance(HOUR);
        if (stuck) {
          await attentionOf(flow);
          await flow.decide(
            operation === 'cancelUserTransaction' ? 'cancelTransaction' : 'accelerate',
            await stack.as('ops'),
          );
          await approve(stack, await challengeOf(flow));
          await stack.advance(2 * HOUR);
        }
        expect(await flow.result()).toMatchObject({
          status: operation === 'cancelUserTransaction' ? 'cancelled' : 'completed',
        });
        const requests = await requestsOf(stack.world, operation);
        expect(requests).toHaveLength(2);
        expect(distinct(requests, 'idempotencyKey')).toHaveLength(1);
        expect(await challengesOf(stack, userId)).toHaveLength(before + (stuck ? 2 : 1));
        expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
      },
    );
  },
);
