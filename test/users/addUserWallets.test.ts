import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/flows/starter';
import { distinct, requestsOf } from '../support/journal';
import { act } from '../support/payers';
import { startStack, type Stack } from '../support/stack';
import { attentionOf } from '../support/until';
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

  test('one on each blockchain, live, with their names', async () => {
    const metadata = [{ name: 'eth', refId: 'r-1' }, { name: 'sol' }];
    const flow = await start({ metadata });
    const challengeId = await challengeOf(flow);
    expect((await flow.progress()).approval).toMatchObject({ type: 'CREATE_WALLET' });
    const before = await walletsOfUser();
    await approve(stack, challengeId);
    await stack.advance(HOUR);
    const { status, result } = await flow.result();
    expect({ status, challengeId: result!.challengeId }).toEqual({ status: 'completed', challengeId });
    const made = (await walletsOfUser()).filter(({ id }) => !before.some((wallet) => wallet.id === id));
    expect(new Set(result!.walletIds)).toEqual(new Set(made.map(({ id }) => id)));
    expect(result!.wallets).toHaveLength(2);
    for (const { id, address, blockchain, accountType } of made) {
      expect(result!.wallets).toContainEqual({ id, address, blockchain, accountType });
    }
    expect(made.find(({ blockchain }) => blockchain === 'ETH-SEPOLIA')).toMatchObject({ name: 'eth', refId: 'r-1' });
  });

  test.each(['after', 'before'] as const)(
    'the reply lost %s it was carried out: one challenge, wallets once',
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

  test('declined, and called back while pending', async () => {
    const declined = await start();
    await act(stack, await challengeOf(declined), 'reject');
    await stack.advance(HOUR);
    expect(await declined.result()).toMatchObject({ status: 'denied', code: 155701 });

    const called = await start();
    const id = await challengeOf(called);
    expect(await called.cancel(await stack.as('ops'))).toBe('undecided');
    await approve(stack, id);
    await stack.advance(HOUR);
    expect(await called.result()).toMatchObject({ status: 'completed', result: { approvedLate: true } });
  });

  test('smart-contract wallets that are not set up: a person mends it, and the user is asked again', async () => {
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

  test('a user who is not initialized, and one who is not there', async () => {
    const bare = await start({ userId: await makeUser(stack) });
    const nobody = await start({ userId: `nobody-${randomUUID()}`.slice(0, 50) });
    await stack.advance(MINUTE);
    expect(await bare.result()).toMatchObject({ status: 'failed', code: 155110 });
    expect(await nobody.result()).toMatchObject({ status: 'failed', code: 155102 });
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
    [{ blockchains: ['NOWHERE'] }, /blockchains\.0: is no blockchain/],
    [{ blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'], metadata: [{ name: 'one' }] }, /metadata: 155504/],
    [{ blockchains: ['SOL-DEVNET'], accountType: 'SCA' }, /155507/],
    [{ blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'], accountType: 'SCA' }, /155508/],
    [{ blockchains: ['ETH-SEPOLIA', 'ETH-SEPOLIA'] }, /twice/],
    [{ blockchains: ['ETH-SEPOLIA'], accountType: 'MULTISIG' }, /accountType: must be one of/],
  ])('%j is refused at the door', async (input, message) => {
    const start = stack.flows.addUserWallets.start({
      ref: 'x',
      userId: 'anna-1',
      ...input,
    } as StartInput<'addUserWallets'>);
    await expect(start).rejects.toThrow(message);
  });
});
