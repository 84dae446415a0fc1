import { randomUUID } from 'node:crypto';
import { requestsOf, sentBy } from '../support/journal';
import { makePayer, type Payer } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { RECIPIENT, transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, challengesOf, PIN, pendingOf } from '../support/users';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const HOUR = 3_600_000;
const STRANGER = '0x1111111111111111111111111111111111111111';

/** The API's answers lead a flow to something that another program made. */
describe('what a challenge made is compared with what the flow asked for', () => {
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

  const tokenOf = async ({ userId }: Payer) => (await stack.api.createUserToken({ body: { userId } })).data.userToken;
  /** Another program asks the same user to approve a transfer. @returns its challenge */
  const foreignTransfer = async (more: object = {}) => {
    const body = {
      idempotencyKey: randomUUID(),
      walletId: wallet.id,
      tokenId: wallet.usdcId,
      destinationAddress: STRANGER,
      amounts: ['7'],
      feeLevel: 'MEDIUM' as const,
      ...more,
    };
    return (await stack.api.createUserTransfer({ body }, { userToken: await tokenOf(payer) })).data.challengeId;
  };

  test('a foreign transfer that a lookup takes for ours needs a decision and never completes the flow', async () => {
    const operation = 'createUserTransfer';
    // The first request is lost on its way, the second one refused: ours never reaches the API.
    await stack.world.control.addFault({ operation, count: 1, action: { drop: 'before' } });
    await stack.world.control.addFault({ operation, count: 1, action: { status: 400, code: 155201 } });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await until(async () => (await requestsOf(stack.world, operation)).length === 2, 'the refusal');
    const foreign = await foreignTransfer();
    expect(await challengeOf(flow)).toBe(foreign);
    await approve(stack, foreign);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      name: 'UnexpectedTransaction',
      reason: expect.stringMatching(/refId, destinationAddress, amounts/),
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
    });
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringMatching(/not what/) });
    expect((await sentBy(stack.world, wallet.id)).map(({ amounts }) => amounts)).toEqual([['7']]);
  });

  test.each<[string, () => object, RegExp]>([
    ['destination', () => ({ destinationAddress: STRANGER, amounts: ['1.25'] }), /refId, destinationAddress$/],
    ['amount', () => ({ destinationAddress: RECIPIENT, amounts: ['1.26'] }), /refId, amounts/],
    ['token', () => ({ destinationAddress: RECIPIENT, amounts: ['1.25'], tokenId: wallet.nativeId }), /refId, tokenId/],
    ['reference', () => ({ destinationAddress: RECIPIENT, amounts: ['1.25'] }), /refId/],
  ])('a challenge of another %s, which the API names as ours, needs a decision', async (_field, content, fields) => {
    const foreign = await foreignTransfer(content());
    await stack.world.control.addFault({
      operation: 'createUserTransfer',
      count: 1,
      action: { status: 201, body: { data: { challengeId: foreign } } },
    });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    expect(await challengeOf(flow)).toBe(foreign);
    await approve(stack, foreign);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      name: 'UnexpectedTransaction',
      reason: expect.stringMatching(fields),
    });
    expect((await flow.progress()).outcome).toBeUndefined();
  });

  test('a challenge of another type, which the API names as ours, needs a decision', async () => {
    const { challengeId } = (
      await stack.api.updateUserPin({ body: { idempotencyKey: randomUUID() } }, { userToken: await tokenOf(payer) })
    ).data;
    await stack.world.control.addFault({
      operation: 'createUserTransfer',
      count: 1,
      action: { status: 201, body: { data: { challengeId } } },
    });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await challengeOf(flow);
    await approve(stack, challengeId, { pin: PIN, newPin: '654321' });
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      name: 'UnexpectedChallenge',
      reason: expect.stringContaining('CHANGE_PIN'),
    });
  });

  test('an acceleration that names another transaction is not taken for ours', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    await approve(stack, await challengeOf(flow));
    await stack.advance(HOUR);
    await attentionOf(flow);
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const other = await foreignTransfer();
    await approve(stack, other);
    await stack.advance(HOUR);
    const foreign = (await sentBy(stack.world, wallet.id)).find(({ amounts }) => amounts[0] === '7')!;
    const { challengeId } = (
      await stack.api.accelerateUserTransaction(
        { params: { id: foreign.id }, body: { idempotencyKey: randomUUID() } },
        { userToken: await tokenOf(payer) },
      )
    ).data;
    await stack.world.control.addFault({
      operation: 'accelerateUserTransaction',
      count: 1,
      action: { status: 201, body: { data: { challengeId } } },
    });
    await flow.decide('accelerate', await stack.as('ops'));
    await challengeOf(flow);
    await approve(stack, challengeId);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({ name: 'UnexpectedChallenge' });
  });

  test('wallets on other blockchains than requested need a decision', async () => {
    const { challengeId } = (
      await stack.api.createUserWallets(
        { body: { idempotencyKey: randomUUID(), blockchains: ['AVAX-FUJI'] } },
        { userToken: await tokenOf(payer) },
      )
    ).data;
    await stack.world.control.addFault({
      operation: 'createUserWallets',
      count: 1,
      action: { status: 201, body: { data: { challengeId } } },
    });
    const flow = await stack.flows.addUserWallets.start({
      ref: `w-${randomUUID()}`,
      userId: payer.userId,
      blockchains: ['MATIC-AMOY'],
    });
    await challengeOf(flow);
    await approve(stack, challengeId);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      name: 'UnexpectedWallets',
      reason: expect.stringContaining('blockchain'),
    });
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'failed' });
  });

  test.each<[what: string, actionOf: (id: string) => object, name: string]>([
    [
      'a PIN that the user does not have in the end',
      (id) => ({ status: 200, body: { data: { user: { id, status: 'ENABLED', pinStatus: 'UNSET' } } } }),
      'PinNotSet',
    ],
    ["a user who can't be read in the end", () => ({ status: 400, code: 2 }), 'ParameterInvalid'],
  ])('%s needs a decision', async (_what, actionOf, name) => {
    const { userId } = payer;
    const flow = await stack.flows.changePin.start({ ref: `p-${randomUUID()}`, userId, action: 'change' });
    const challengeId = await challengeOf(flow);
    await stack.world.control.addFault({ operation: 'getUser', action: actionOf(userId) } as never);
    await approve(stack, challengeId, { pin: PIN, newPin: '654321' });
    await stack.advance(HOUR);
    await until(async () => {
      const { attention, outcome } = await flow.progress();
      return attention !== undefined || outcome !== undefined;
    }, 'the question');
    expect(await flow.progress()).toMatchObject({ attention: { name } });
    await stack.world.control.clearFaults();
    await flow.decide('retry', await stack.as('ops'));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { pinStatus: 'ENABLED' } });
  });

  test('the own challenge is not confused with one that another program opens before it', async () => {
    const foreign = await foreignTransfer();
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    const own = await challengeOf(flow);
    expect(own).not.toBe(foreign);
    expect(await pendingOf(stack, payer.userId)).toHaveLength(2);
    await approve(stack, own);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { amounts: ['1.25'] } });
    expect(await challengesOf(stack, payer.userId)).toHaveLength(3);
  });

  describe('a transfer from a developer wallet', () => {
    let sender: FundedWallet;

    beforeEach(async () => {
      sender = await fundedWallet(stack);
    });

    const foreignTransaction = async (destinationAddress: string, amount: string) => {
      const body = {
        idempotencyKey: randomUUID(),
        walletId: sender.id,
        tokenId: sender.usdcId,
        destinationAddress,
        amounts: [amount],
        feeLevel: 'MEDIUM' as const,
      };
      return (await stack.api.createTransfer({ body })).data.id;
    };

    test('that the API answers with another transaction needs a decision, while it is pending', async () => {
      const id = await foreignTransaction(STRANGER, '7');
      await stack.world.control.addFault({
        operation: 'createTransfer',
        count: 1,
        action: { status: 201, body: { data: { id, state: 'INITIATED' } } },
      });
      const flow = await stack.flows.transfer.start(transferOf(sender));
      expect(await attentionOf(flow)).toMatchObject({
        name: 'UnexpectedTransaction',
        reason: expect.stringMatching(/refId, destinationAddress, amounts/),
      });
      await flow.decide('giveUp', await stack.as('ops'));
      expect(await flow.result()).toMatchObject({ status: 'failed' });
    });
  });
});
