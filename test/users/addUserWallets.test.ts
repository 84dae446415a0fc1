import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/client/flowStarter';
import { distinct, requestsOf } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { resolveChallenge } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { approve, challengeOf, challengesOf, makeInitializedUser, makeUser } from '../support/users';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(['reject', 'replay'] as const)('addUserWallets, idempotency mode %s', (idempotency) => {
  let stack: Stack;
  let userId: string;
  beforeAll(async () => {
    stack = await startStack({ settings: { idempotency, challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    userId = await makeInitializedUser(stack);
    await stack.world.control.clearJournal();
  });

  const start = (more: Partial<StartInput<'addUserWallets'>> = {}) =>
    stack.flows.addUserWallets.start({
      ref: `w-${randomUUID()}`,
      userId,
      blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'],
      ...more,
    });
  const walletsOfUser = async () => {
    const { userToken } = (await stack.api.createUserToken({ body: { userId } })).data;
    return (await stack.api.listWallets({}, { userToken })).data.wallets;
  };

  test('creates one live wallet on each blockchain, with the given metadata', async () => {
    const metadata = [{ name: 'eth', refId: 'r-1' }, { name: 'sol' }];
    const flow = await start({ metadata });
    const challengeId = await challengeOf(flow);
    expect((await flow.progress()).approval).toMatchObject({ type: 'CREATE_WALLET' });
    const before = await walletsOfUser();
    await approve(stack, challengeId);
    await stack.advance(HOUR);
    const outcome = await flow.result();
    const result = reportedBy(outcome);
    expect(outcome).toMatchObject({ status: 'completed', result: { challengeId } });
    const created = (await walletsOfUser()).filter(({ id }) => !before.some((wallet) => wallet.id === id));
    expect(new Set(result.walletIds)).toEqual(new Set(created.map(({ id }) => id)));
    expect(result.wallets).toHaveLength(2);
    for (const { id, address, blockchain, accountType } of created) {
      expect(result.wallets).toContainEqual({ id, address, blockchain, accountType });
    }
    expect(created.find(({ blockchain }) => blockchain === 'ETH-SEPOLIA')).toMatchObject({ name: 'eth', refId: 'r-1' });
  });

  test.each(['after', 'before'] as const)(
    'a reply that is lost %s the request is carried out leads to one challenge and one set of wallets',
    async (drop) => {
      const [challenges, wallets] = [await challengesOf(stack, userId), await walletsOfUser()];
      await stack.world.control.addFault({ operation: 'createUserWallets', count: 1, action: { drop } });
      const flow = await start();
      await approve(stack, await challengeOf(flow));
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      const requests = await requestsOf(stack.world, 'createUserWallets');
      expect(requests).toHaveLength(2);
      expect(distinct(requests, 'idempotencyKey')).toHaveLength(1);
      expect(await challengesOf(stack, userId)).toHaveLength(challenges.length + 1);
      expect(await walletsOfUser()).toHaveLength(wallets.length + 2);
    },
  );

  test('a completed challenge that names no wallets leads to those that it created, or a person is asked', async () => {
    const change = { field: 'data.challenge.correlationIds', change: 'null' } as const;
    await stack.world.control.addFault({ operation: 'getUserChallenge', action: change });
    const flow = await start();
    const before = await walletsOfUser();
    const challengeId = await challengeOf(flow);
    await stack.world.control.addFault({ operation: 'listWallets', action: { status: 400, code: 2 } });
    await approve(stack, challengeId);
    await stack.advance(5 * MINUTE);
    const { name, options } = await attentionOf(flow);
    expect([name, ...options.map(({ choice }) => choice)]).toEqual(['WalletsMissing', 'lookAgain', 'giveUp']);
    await stack.world.control.clearFaults();
    await flow.decide('lookAgain', await stack.as('ops'));
    await stack.advance(HOUR);
    const created = (await walletsOfUser()).filter(({ id }) => !before.some((wallet) => wallet.id === id));
    const { walletIds } = reportedBy(await flow.result());
    expect(new Set(walletIds)).toEqual(new Set(created.map(({ id }) => id)));
    expect(walletIds).toHaveLength(2);
  });

  test('a declined challenge denies the flow, and an approval after a cancel completes it as late', async () => {
    const declined = await start();
    await resolveChallenge(stack, await challengeOf(declined), 'reject');
    await stack.advance(HOUR);
    expect(await declined.result()).toMatchObject({ status: 'denied', code: 155701 });

    const cancelled = await start();
    const id = await challengeOf(cancelled);
    expect(await cancelled.cancel(await stack.as('ops'))).toBe('undecided');
    await approve(stack, id);
    await stack.advance(HOUR);
    expect(await cancelled.result()).toMatchObject({ status: 'completed', result: { approvedLate: true } });
  });

  test('smart-contract wallets without configuration wait for an operator, then the user gets a new challenge', async () => {
    await stack.world.control.changeSettings({ scaCore: null });
    const flow = await start({ blockchains: ['ETH-SEPOLIA'], accountType: 'SCA' });
    const first = await challengeOf(flow);
    await approve(stack, first);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({ code: 155506 });
    await stack.world.control.changeSettings({ scaCore: 'circle_6900_singleowner_v3' });
    await flow.decide('retry', await stack.as('ops'));
    await approve(stack, await challengeOf(flow, first));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({
      status: 'completed',
      result: { wallets: [{ blockchain: 'ETH-SEPOLIA', accountType: 'SCA' }] },
    });
  });

  test('a challenge that names a wallet which the API never lists needs a decision within minutes', async () => {
    const flow = await start({ blockchains: ['MATIC-AMOY'] });
    const id = await challengeOf(flow);
    const missing = randomUUID();
    await stack.world.control.addFault({
      operation: 'getUserChallenge',
      action: {
        status: 200,
        body: { data: { challenge: { id, type: 'CREATE_WALLET', status: 'COMPLETE', correlationIds: [missing] } } },
      },
    });
    await approve(stack, id);
    await stack.advance(11 * MINUTE);
    const asked = await attentionOf(flow);
    expect(asked).toMatchObject({
      name: 'WalletsOverdue',
      reason: expect.stringContaining(missing),
      options: [{ choice: 'keepWaiting' }, { choice: 'giveUp' }],
    });
    await flow.decide('keepWaiting', await stack.as('ops'));
    await until(async () => (await flow.progress()).attention === undefined, 'the wait');
    expect((await flow.progress()).waitingFor).toBe('the wallets to be live');
    await stack.advance(11 * MINUTE);
    const again = await attentionOf(flow);
    expect(again.id).not.toBe(asked.id);
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringContaining(missing) });
  });

  test('fails for a user who is not initialized and for an unknown user', async () => {
    const uninitialized = await start({ userId: await makeUser(stack) });
    const unknown = await start({ userId: `unknown-${randomUUID()}`.slice(0, 50) });
    await stack.advance(MINUTE);
    expect(await uninitialized.result()).toMatchObject({ status: 'failed', code: 155110 });
    expect(await unknown.result()).toMatchObject({ status: 'failed', code: 155102 });
  });
});

describe('the input of addUserWallets', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ workers: false });
  });
  afterAll(() => stack.close());

  test.each<[object, RegExp]>([
    [{ blockchains: [] }, /blockchains: is empty/],
    [{ blockchains: ['NOWHERE'] }, /blockchains\.0: is not a blockchain/],
    [{ blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'], metadata: [{ name: 'one' }] }, /metadata: 155504/],
    [{ blockchains: ['SOL-DEVNET'], accountType: 'SCA' }, /155507/],
    [{ blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'], accountType: 'SCA' }, /155508/],
    [{ blockchains: ['ETH-SEPOLIA', 'ETH-SEPOLIA'] }, /twice/],
    [{ blockchains: ['ETH-SEPOLIA'], accountType: 'MULTISIG' }, /accountType: must be one of/],
  ])('start rejects %j', async (input, message) => {
    const start = stack.flows.addUserWallets.start({
      ref: 'x',
      userId: 'anna-1',
      ...input,
    } as StartInput<'addUserWallets'>);
    await expect(start).rejects.toThrow(message);
  });
});
