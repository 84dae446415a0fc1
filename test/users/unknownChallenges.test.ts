import { randomUUID } from 'node:crypto';
import { requestsOf, sentBy } from '../support/journal';
import { makePayer, type Payer } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, challengesOf, PIN } from '../support/users';
import type { FundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OPERATION = 'createUserTransfer';

/** It is unknown whether a request opened a challenge, and meanwhile a limit of the flow is reached. */
describe('a limit never says that nothing was created if that is unknown', () => {
  let stack: Stack;
  let payer: Payer;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    payer = await makePayer(stack);
    wallet = payer.wallets[0]!;
    await stack.world.control.clearJournal();
  });

  const transfers = async () =>
    (await challengesOf(stack, payer.userId)).filter(({ type }) => type === 'CREATE_TRANSACTION');

  /** The flow's lookups take time. @returns its question */
  const questionOf = async (flow: Awaited<ReturnType<Stack['flows']['transfer']['start']>>) => {
    await until(async () => {
      await stack.advance(MINUTE);
      return (await flow.progress()).attention !== undefined;
    }, 'a question');
    return attentionOf(flow);
  };

  const LIMITS = {
    deadline: { input: { deadline: '30 minutes' }, reach: () => stack.advance(HOUR) },
    cancel: {
      input: {},
      reach: async (flow: Awaited<ReturnType<Stack['flows']['transfer']['start']>>) => {
        expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      },
    },
  };

  describe.each(['deadline', 'cancel'] as const)('%s', (limit) => {
    const { input, reach } = LIMITS[limit];

    test('the response is lost and the challenges cannot be read: the decision to give up is the outcome', async () => {
      await stack.world.control.addFault({ operation: OPERATION, count: 1, action: { drop: 'after' } });
      await stack.world.control.addFault({
        operation: OPERATION,
        skip: 1,
        count: 1,
        action: { status: 400, code: 156020 },
      });
      await stack.world.control.addFault({
        operation: 'listUserChallenges',
        skip: 1,
        action: { status: 400, code: 2 },
      });
      const flow = await stack.flows.transfer.start(transferOf(wallet, input));
      await questionOf(flow);
      await reach(flow);
      await flow.decide('giveUp', await stack.as('ops'));
      expect(await flow.result()).toMatchObject({
        status: 'failed',
        remedy: expect.stringContaining('before you start another flow'),
      });
      expect((await transfers()).map(({ status }) => status)).toEqual(['PENDING']);
    });

    test('the user approved another challenge: the decision to give up is the outcome', async () => {
      const { userToken } = (await stack.api.createUserToken({ body: { userId: payer.userId } })).data;
      const { challengeId } = (await stack.api.updateUserPin({ body: { idempotencyKey: randomUUID() } }, { userToken }))
        .data;
      const action = { status: 201, body: { data: { challengeId } } };
      await stack.world.control.addFault({ operation: OPERATION, count: 1, action });
      const flow = await stack.flows.transfer.start(transferOf(wallet, input));
      await challengeOf(flow);
      await reach(flow);
      await approve(stack, challengeId, { pin: PIN, newPin: '654321' });
      await stack.advance(HOUR);
      expect(await attentionOf(flow)).toMatchObject({ name: 'UnexpectedChallenge' });
      await flow.decide('giveUp', await stack.as('ops'));
      expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringContaining('CHANGE_PIN') });
    });
  });

  /** The response is lost, the user approves the challenge elsewhere, and from then on the API knows the key. */
  async function approvedElsewhere() {
    await stack.world.control.addFault({ operation: OPERATION, count: 1, action: { drop: 'after' } });
    // Holds up the next attempt until the flow is cancelled.
    const holdUp = { status: 503, when: 'before' } as const;
    await stack.world.control.addFault({ operation: OPERATION, skip: 1, count: 3, action: holdUp });
    await stack.world.control.addFault({ operation: OPERATION, skip: 1, action: { status: 400, code: 156020 } });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await until(async () => (await transfers()).length === 1, 'our challenge');
    await approve(stack, (await transfers())[0]!.id);
    return flow;
  }

  test('the response is lost, the API knows the key, and the challenge was approved elsewhere: the transaction counts', async () => {
    const flow = await approvedElsewhere();
    await flow.cancel(await stack.as('ops'));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });

  test('the same, and the transaction can still be cancelled: the flow asks the user to cancel it', async () => {
    await stack.world.control.call('POST', '/transactions/next', { confirmAfterMs: 5 * HOUR });
    const flow = await approvedElsewhere();
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await stack.advance(HOUR);
    await approve(stack, await challengeOf(flow));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'cancelled', by: { subject: 'ops' } });
    expect(await sentBy(stack.world, wallet.id)).toMatchObject([{ state: 'CANCELLED' }]);
  });

  test('the same, and the transaction is not listed either: the flow asks', async () => {
    const flow = await approvedElsewhere();
    const empty = { status: 200, body: { data: { transactions: [] } } };
    await stack.world.control.addFault({ operation: 'listTransactions', action: empty });
    await flow.cancel(await stack.as('ops'));
    expect(await questionOf(flow)).toMatchObject({ reason: expect.stringContaining('it is unknown whether') });
    await stack.world.control.clearFaults();
    await flow.decide('lookAgain', await stack.as('ops'));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await requestsOf(stack.world, OPERATION)).not.toEqual([]);
  });
});
