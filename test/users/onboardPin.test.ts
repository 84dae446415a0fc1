import { randomUUID } from 'node:crypto';
import { LOOK_UP_WAITS_MS } from '../../src/domain/retryRules';
import { distinct, requestsOf } from '../support/journal';
import { approveNext, byPin, type Onboarding, PIN } from '../support/onboarding';
import { reportedBy } from '../support/outcomes';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { challengeOf } from '../support/users';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const onboardingPolicy = (existingUser: string) => [
  { version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask' }, onboarding: { existingUser } },
];

/** docs/architecture.md#the-path-of-one-onboarding and docs/api-behavior.md#users-and-challenges. */
describe('onboarding by PIN', () => {
  let stack: Stack;
  let nativeId: string;

  beforeAll(async () => {
    stack = await startStack({
      webhooks: true,
      policies: { adopting: onboardingPolicy('adopt'), refusing: onboardingPolicy('refuse') },
    });
    const { tokens } = await stack.world.control.call<{ tokens: { id: string; blockchain: string }[] }>(
      'GET',
      '/tokens',
    );
    nativeId = tokens.find(({ blockchain }) => blockchain === 'ETH-SEPOLIA')!.id;
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });

  const start = (more: object = {}) => stack.flows.onboardUser.start(byPin(more));
  const lose = (operation: string) =>
    stack.world.control.addFault({ operation, count: 1, action: { drop: 'after' } } as never);
  const challenge = (id: string, action: string) => stack.world.control.call('POST', `/challenges/${id}/${action}`);
  const user = (id: string, action: string) => stack.world.control.call('POST', `/users/${id}/${action}`);
  const keysOf = async (operation: never) => distinct(await requestsOf(stack.world, operation), 'idempotencyKey');
  const resultOf = async (flow: Onboarding) => {
    await stack.advance(10 * MINUTE);
    return flow.result();
  };
  /** The question that the flow asks. @throws if the flow ends instead */
  const questionOf = async (flow: Onboarding) => {
    await until(async () => {
      const { attention, outcome } = await flow.progress();
      return attention !== undefined || outcome !== undefined;
    }, 'the question');
    expect((await flow.progress()).outcome).toBeUndefined();
    return attentionOf(flow);
  };
  /** The user's wallets, read from the API. */
  const walletsOf = async (userId: string) => {
    const { userToken } = (await stack.api.createUserToken({ body: { userId } })).data;
    return (await stack.api.listWallets({}, { userToken })).data.wallets;
  };
  /** Creates a user outside the flow. With `blockchains`, the user has wallets on these. @returns its id */
  async function makeExistingUser(blockchains?: string[], accountType = 'EOA'): Promise<string> {
    const userId = `user-${randomUUID()}`;
    await stack.api.createUser({ body: { userId } });
    if (!blockchains) return userId;
    const { userToken } = (await stack.api.createUserToken({ body: { userId } })).data;
    const body = { idempotencyKey: randomUUID(), blockchains, accountType } as never;
    const { challengeId } = (await stack.api.initializeUser({ body }, { userToken })).data;
    await stack.world.control.call('POST', `/challenges/${challengeId}/approve`, {
      newPin: PIN,
      questions: [1, 2].map((each) => ({ question: `What is ${each}?`, answer: 'this' })),
    });
    await stack.world.control.advance(HOUR);
    return userId;
  }

  test('creates the user, waits for the approval, and reports live wallets', async () => {
    const userId = `user-${randomUUID()}`;
    const wallets = [{ blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'], metadata: [{ name: 'Savings' }, { refId: 'r-2' }] }];
    const flow = await start({ userId, wallets });
    const id = await challengeOf(flow);
    expect(await flow.progress()).toMatchObject({
      step: 'approve',
      waitingFor: 'the user to approve',
      approval: { challengeId: id, type: 'INITIALIZE' },
    });
    await approveNext(stack, flow);
    const outcome = await resultOf(flow);
    const own = await walletsOf(userId);
    expect(outcome).toEqual({
      status: 'completed',
      result: {
        userId,
        walletIds: ['ETH-SEPOLIA', 'SOL-DEVNET'].map(
          (blockchain) => own.find((wallet) => wallet.blockchain === blockchain)!.id,
        ),
        wallets: ['ETH-SEPOLIA', 'SOL-DEVNET'].map((blockchain) => {
          const { id: walletId, address } = own.find((wallet) => wallet.blockchain === blockchain)!;
          return { id: walletId, address, blockchain, accountType: 'EOA' };
        }),
        funding: [],
        adopted: { user: false, walletIds: [] },
      },
    });
    expect(new Set(own.map(({ name, refId }) => name ?? refId))).toEqual(new Set(['Savings', 'r-2']));
    const { steps } = await flow.progress();
    expect(steps.map(({ name }) => name)).toEqual(['check', 'createUser', 'approve', 'live']);
    const events = async (workflowId: string) =>
      (await stack.flows.client.workflow.getHandle(workflowId).fetchHistory()).events!.length;
    expect(await events(flow.workflowId)).toBeLessThanOrEqual(60);
  });

  test('the user approves wallets of several types and blockchains one request after the other', async () => {
    const requests = [
      { blockchains: ['ETH-SEPOLIA'], accountType: 'SCA' },
      { blockchains: ['MATIC-AMOY'], accountType: 'SCA' },
      { blockchains: ['ETH-SEPOLIA', 'NEAR-TESTNET'] },
    ];
    const flow = await start({ wallets: requests });
    let last: string | undefined;
    for (let approvals = 0; approvals < requests.length; approvals++) {
      last = await approveNext(stack, flow, last);
      await stack.advance(MINUTE);
    }
    const outcome = await resultOf(flow);
    const result = reportedBy(outcome);
    expect(outcome.status).toBe('completed');
    expect(result.wallets.map(({ blockchain, accountType }) => `${blockchain} ${accountType}`)).toEqual([
      'ETH-SEPOLIA SCA',
      'MATIC-AMOY SCA',
      'ETH-SEPOLIA EOA',
      'NEAR-TESTNET EOA',
    ]);
    expect(await walletsOf(result.userId)).toHaveLength(4);
  });

  describe('an existing user id', () => {
    test('an operator adopts the user, and the flow requests only the missing wallets', async () => {
      const userId = await makeExistingUser(['ETH-SEPOLIA']);
      const flow = await start({ userId, wallets: [{ blockchains: ['SOL-DEVNET', 'ETH-SEPOLIA'] }] });
      expect(await attentionOf(flow)).toMatchObject({
        name: 'UserExists',
        code: 155101,
        options: [{ choice: 'adopt' }, { choice: 'giveUp' }],
      });
      await flow.decide('adopt', await stack.as('ops'));
      await approveNext(stack, flow);
      const outcome = await resultOf(flow);
      const result = reportedBy(outcome);
      expect(outcome.status).toBe('completed');
      const [existing] = (await walletsOf(userId)).filter(({ blockchain }) => blockchain === 'ETH-SEPOLIA');
      expect(result).toMatchObject({ adopted: { user: true, walletIds: [existing!.id] } });
      expect(result.wallets.map(({ blockchain }) => blockchain)).toEqual(['SOL-DEVNET', 'ETH-SEPOLIA']);
      expect(await walletsOf(userId)).toHaveLength(2);
    });

    test('a user who has every wallet is adopted without an approval', async () => {
      const userId = await makeExistingUser(['ETH-SEPOLIA']);
      const flow = await start({ userId, policy: 'adopting' });
      expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { adopted: { user: true } } });
      expect(await walletsOf(userId)).toHaveLength(1);
      expect(await requestsOf(stack.world, 'createUserWallets')).toHaveLength(0);
    });

    test('a wallet of another account type is not adopted', async () => {
      const userId = await makeExistingUser(['ETH-SEPOLIA'], 'SCA');
      const flow = await start({ userId, policy: 'adopting' });
      await approveNext(stack, flow);
      expect(await resultOf(flow)).toMatchObject({
        status: 'completed',
        result: { wallets: [{ accountType: 'EOA' }] },
      });
      expect(await walletsOf(userId)).toHaveLength(2);
    });

    test('an adopted user who is not initialized yet is initialized', async () => {
      const flow = await start({ userId: await makeExistingUser(), policy: 'adopting' });
      await approveNext(stack, flow);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { adopted: { user: true } } });
    });

    test('an initialized user without wallets (155107) is asked to approve them', async () => {
      const userId = await makeExistingUser();
      const { userToken } = (await stack.api.createUserToken({ body: { userId } })).data;
      const flow = await start({ userId, policy: 'adopting' });
      const first = await challengeOf(flow);
      // The user sets a PIN elsewhere, so the flow's challenge can no longer succeed: it initializes a user without a PIN.
      const pin = await stack.api.createUserPin({ body: { idempotencyKey: randomUUID() } }, { userToken });
      await stack.world.control.call('POST', `/challenges/${pin.data.challengeId}/approve`, { newPin: PIN });
      await challenge(first, 'expire');
      await stack.advance(10 * MINUTE);
      await approveNext(stack, flow, first);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed' });
      expect(await walletsOf(userId)).toHaveLength(1);
    });

    test('the flow fails with 155101 when the policy refuses or the operator gives up', async () => {
      const userId = await makeExistingUser();
      const rejected = await start({ userId, policy: 'refusing' });
      expect(await rejected.result()).toMatchObject({ status: 'failed', code: 155101 });
      const asked = await start({ userId });
      await attentionOf(asked);
      await asked.decide('giveUp', await stack.as('ops'));
      expect(await asked.result()).toMatchObject({ status: 'failed', code: 155101 });
      expect(await requestsOf(stack.world, 'initializeUser')).toHaveLength(0);
    });
  });

  describe('an operator who gives up', () => {
    test('ends the flow, although the policy adopts users, if it is unknown who created the user (155101)', async () => {
      await lose('createUser');
      await stack.world.control.addFault({ operation: 'getUser', action: { status: 400, code: 2 } } as never);
      const flow = await start({ policy: 'adopting' });
      await stack.advance(10 * MINUTE);
      expect(await questionOf(flow)).toMatchObject({ code: 155101 });
      await stack.world.control.clearFaults();
      await flow.decide('giveUp', await stack.as('ops'));
      await until(async () => {
        const { outcome, approval } = await flow.progress();
        return outcome !== undefined || approval !== undefined;
      }, 'the end');
      expect((await flow.progress()).outcome).toMatchObject({ status: 'failed', code: 155101 });
      expect(await requestsOf(stack.world, 'initializeUser')).toHaveLength(0);
    });

    test.each([155106, 155107])('ends the flow if it is unknown who initialized the user (%d)', async (code) => {
      const { control } = stack.world;
      await control.addFault({ operation: 'initializeUser', count: 1, action: { drop: 'before' } } as never);
      await control.addFault({ operation: 'initializeUser', skip: 1, action: { status: 409, code } } as never);
      // The session lists the challenges once before the request, and again in each lookup.
      const skip = 1 + LOOK_UP_WAITS_MS.length;
      await control.addFault({ operation: 'listUserChallenges', skip, action: { status: 400, code: 2 } } as never);
      const flow = await start();
      await stack.advance(10 * MINUTE);
      expect(await questionOf(flow)).toMatchObject({ code });
      await flow.decide('giveUp', await stack.as('ops'));
      expect(await resultOf(flow)).toMatchObject({ status: 'failed', code, result: { wallets: [] } });
      expect(await requestsOf(stack.world, 'createUserWallets')).toHaveLength(0);
    });
  });

  test('a declined approval denies the flow without wallets', async () => {
    const flow = await start();
    await challenge(await challengeOf(flow), 'reject');
    const outcome = await resultOf(flow);
    expect(outcome).toMatchObject({ status: 'denied', code: 155701, result: { wallets: [] } });
    expect(await walletsOf(reportedBy(outcome).userId)).toHaveLength(0);
  });

  test('a declined second approval denies the flow and reports the wallets of the first one', async () => {
    const flow = await start({ wallets: [{ blockchains: ['ETH-SEPOLIA'] }, { blockchains: ['SOL-DEVNET'] }] });
    const first = await approveNext(stack, flow);
    await stack.advance(MINUTE);
    await challenge(await challengeOf(flow, first), 'reject');
    expect(await resultOf(flow)).toMatchObject({
      status: 'denied',
      result: { wallets: [{ blockchain: 'ETH-SEPOLIA' }] },
    });
  });

  test('an expired challenge is followed by a new one, which the user approves', async () => {
    const flow = await start();
    const first = await challengeOf(flow);
    await stack.advance(2 * HOUR);
    await approveNext(stack, flow, first);
    expect(await resultOf(flow)).toMatchObject({ status: 'completed' });
    expect(await keysOf('initializeUser' as never)).toHaveLength(2);
  });

  test('a PIN lock between two approvals makes the flow wait until it is over', async () => {
    const flow = await start({ wallets: [{ blockchains: ['ETH-SEPOLIA'] }, { blockchains: ['SOL-DEVNET'] }] });
    const first = await approveNext(stack, flow);
    await user((await flow.progress()).resources.userId!, 'pin/lock');
    await stack.advance(10 * MINUTE);
    expect(await flow.progress()).toMatchObject({ restriction: { reason: 'pinLocked' } });
    expect((await flow.progress()).attention).toBeUndefined();
    await stack.advance(25 * MINUTE);
    await approveNext(stack, flow, first);
    expect(await resultOf(flow)).toMatchObject({ status: 'completed' });
  });

  test('a disabled user causes attention that clears when the user is enabled', async () => {
    const flow = await start({ wallets: [{ blockchains: ['ETH-SEPOLIA'] }, { blockchains: ['SOL-DEVNET'] }] });
    const first = await challengeOf(flow);
    const userId = (await flow.progress()).resources.userId!;
    await user(userId, 'disable');
    await stack.advance(2 * HOUR);
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserDisabled' });
    await user(userId, 'enable');
    await stack.advance(2 * HOUR);
    await until(async () => (await flow.progress()).attention === undefined);
    const second = await approveNext(stack, flow, first);
    await stack.advance(MINUTE);
    await approveNext(stack, flow, second);
    expect(await resultOf(flow)).toMatchObject({ status: 'completed' });
  });

  describe('the deadline', () => {
    test('expires the flow only after the challenge can no longer be approved', async () => {
      const flow = await start({ deadline: '30 minutes' });
      await challengeOf(flow);
      await stack.advance(45 * MINUTE);
      expect((await flow.progress()).outcome).toBeUndefined();
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({
        status: 'expired',
        reason: 'the user did not approve in time; the result names what exists in the API',
        result: { walletIds: [], wallets: [] },
      });
      expect(await requestsOf(stack.world, 'initializeUser')).toHaveLength(1);
    });

    test('is followed by an approval, which completes the flow and is reported as late', async () => {
      const flow = await start({ deadline: '30 minutes' });
      await challengeOf(flow);
      await stack.advance(45 * MINUTE);
      await approveNext(stack, flow);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { approvedLate: true } });
    });
  });

  describe('cancel', () => {
    test('ends the flow only after the challenge can no longer be approved', async () => {
      const flow = await start();
      await challengeOf(flow);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await stack.advance(10 * MINUTE);
      expect((await flow.progress()).outcome).toBeUndefined();
      await stack.advance(HOUR);
      expect(await flow.result()).toMatchObject({ status: 'cancelled', result: { wallets: [] } });
    });

    test('is followed by an approval, which completes the flow and is reported as late', async () => {
      const flow = await start();
      await challengeOf(flow);
      await flow.cancel(await stack.as('ops'));
      await approveNext(stack, flow);
      expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { approvedLate: true } });
    });

    test('between two approvals ends the flow with the wallets of the first one', async () => {
      const flow = await start({ wallets: [{ blockchains: ['ETH-SEPOLIA'] }, { blockchains: ['SOL-DEVNET'] }] });
      const first = await approveNext(stack, flow);
      await stack.advance(MINUTE);
      await challengeOf(flow, first);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await stack.advance(2 * HOUR);
      expect(await flow.result()).toMatchObject({ status: 'cancelled', result: { wallets: [{}] } });
    });
  });

  describe('a lost reply', () => {
    test.each(['createUser', 'initializeUser', 'createUserToken'])(
      'to %s leads to one user and one set of wallets',
      async (operation) => {
        await lose(operation);
        const flow = await start();
        await until(async () => (await requestsOf(stack.world, operation as never)).length > 0);
        await stack.advance(MINUTE);
        await approveNext(stack, flow);
        const outcome = await resultOf(flow);
        expect(outcome).toMatchObject({ status: 'completed', result: { adopted: { user: false } } });
        expect(await walletsOf(reportedBy(outcome).userId)).toHaveLength(1);
        const { challenges } = await stack.world.control.call<{ challenges: { userId: string }[] }>(
          'GET',
          '/challenges',
        );
        expect(challenges.filter(({ userId }) => userId === reportedBy(outcome).userId)).toHaveLength(1);
      },
    );

    test('to requests for further wallets, drips and monitored tokens repeats none of them', async () => {
      for (const operation of ['createUserWallets', 'requestDrip', 'createMonitoredTokens']) await lose(operation);
      const wallets = [{ blockchains: ['ETH-SEPOLIA'] }, { blockchains: ['MATIC-AMOY'] }];
      const flow = await start({ wallets, fund: { native: true }, monitoredTokens: [nativeId] });
      const first = await approveNext(stack, flow);
      await stack.advance(5 * MINUTE);
      await approveNext(stack, flow, first);
      await stack.advance(HOUR);
      const outcome = await flow.result();
      expect(outcome).toMatchObject({ status: 'completed' });
      const { wallets: created, funding } = reportedBy(outcome);
      expect(await walletsOf(reportedBy(outcome).userId)).toHaveLength(2);
      expect(funding.map(({ walletId }) => walletId)).toEqual(created.map(({ id }) => id));
      expect((await requestsOf(stack.world, 'requestDrip')).filter(({ committed }) => committed)).toHaveLength(2);
      const { tokens } = (await stack.api.listMonitoredTokens())!.data;
      expect(tokens?.map(({ id }) => id)).toContain(nativeId);
    });
  });

  test('a mainnet blockchain with a test key fails the flow before anything is created', async () => {
    const flow = await start({ wallets: [{ blockchains: ['ETH'] }] });
    expect(await flow.result()).toMatchObject({ status: 'failed', code: 156006 });
    expect(await requestsOf(stack.world, 'createUser')).toHaveLength(0);
  });

  test('smart-contract wallets without configuration (155506) wait for an operator', async () => {
    await stack.world.control.changeSettings({ scaCore: null });
    const flow = await start({ wallets: [{ blockchains: ['ETH-SEPOLIA'], accountType: 'SCA' }] });
    const first = await approveNext(stack, flow);
    await stack.advance(10 * MINUTE);
    expect(await attentionOf(flow)).toMatchObject({
      code: 155506,
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
    });
    await stack.world.control.changeSettings({ scaCore: 'circle_6900_singleowner_v3' });
    await flow.decide('retry', await stack.as('ops'));
    await approveNext(stack, flow, first);
    expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { wallets: [{ accountType: 'SCA' }] } });
  });

  test.each([
    ['a refusal (156002)', { status: 404, code: 156002 }],
    ['a response that cannot be read', { field: 'data.scope', change: 'wrongType' }],
  ] as const)('monitored tokens: after %s, the flow waits for an operator', async (_, action) => {
    await stack.world.control.addFault({ operation: 'createMonitoredTokens', action });
    const flow = await start({ monitoredTokens: [nativeId] });
    await approveNext(stack, flow);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({
      reason: expect.stringMatching(/^the tokens can't be monitored: /),
      options: [{ choice: 'retry' }, { choice: 'giveUp' }],
    });
    await stack.world.control.clearFaults();
    await flow.decide('retry', await stack.as('ops'));
    expect(await resultOf(flow)).toMatchObject({ status: 'completed', result: { wallets: [{}] } });
    expect((await stack.api.listMonitoredTokens())!.data.tokens?.map(({ id }) => id)).toContain(nativeId);
  });

  test('an operator who gives up monitored tokens ends the flow, which reports the wallets', async () => {
    const flow = await start({ monitoredTokens: [randomUUID()] });
    await approveNext(stack, flow);
    await stack.advance(10 * MINUTE);
    expect(await attentionOf(flow)).toMatchObject({ code: 156002 });
    await flow.decide('giveUp', await stack.as('ops'));
    expect(await resultOf(flow)).toMatchObject({ status: 'failed', result: { wallets: [{}] } });
    expect(await requestsOf(stack.world, 'createMonitoredTokens')).toHaveLength(1);
  });

  describe('if a wallet cannot be read before its drip', () => {
    const twoWallets = { wallets: [{ blockchains: ['ETH-SEPOLIA', 'MATIC-AMOY'] }], fund: { native: true } };
    /** The question after so many good reads of deposits. */
    const asked = async (action: object, skip = 0) => {
      await stack.world.control.addFault({ operation: 'listTransactions', skip, action } as never);
      const flow = await start(twoWallets);
      await approveNext(stack, flow);
      await stack.advance(MINUTE);
      expect(await questionOf(flow)).toMatchObject({
        reason: expect.stringMatching(/^the wallet can't be read before tokens are requested for it: /),
        options: [{ choice: 'retry' }, { choice: 'giveUp' }],
      });
      return flow;
    };

    test.each([
      ['a refusal', { status: 400, code: 2 }],
      ['a response that cannot be read', { field: 'data.transactions', change: 'wrongType' }],
    ])('because of %s, an operator can have it read again', async (_, action) => {
      const flow = await asked(action);
      expect(await requestsOf(stack.world, 'requestDrip')).toHaveLength(0);
      await stack.world.control.clearFaults();
      await flow.decide('retry', await stack.as('ops'));
      await stack.advance(HOUR);
      expect((await flow.progress()).attention).toBeUndefined();
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { funding: [{}, {}] } });
      expect(await requestsOf(stack.world, 'requestDrip')).toHaveLength(2);
    });

    test('an operator who gives up ends the flow, which reports what the earlier drips have brought', async () => {
      const flow = await asked({ status: 400, code: 2 }, 1);
      expect(await requestsOf(stack.world, 'requestDrip')).toHaveLength(1);
      await stack.world.control.clearFaults();
      await flow.decide('giveUp', await stack.as('ops'));
      const outcome = await resultOf(flow);
      expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining("can't be read") });
      const { wallets, funding } = reportedBy(outcome);
      expect(wallets).toHaveLength(2);
      expect(funding.map(({ walletId }) => walletId)).toEqual([wallets[0]!.id]);
      expect(await requestsOf(stack.world, 'requestDrip')).toHaveLength(1);
    });
  });

  test('an operator who gives up wallets that are not live ends the flow, which reports their ids', async () => {
    await stack.world.control.addFault({
      operation: 'listWallets',
      action: { status: 200, body: { data: { wallets: [] } } },
    } as never);
    const flow = await start();
    await approveNext(stack, flow);
    await stack.advance(11 * MINUTE);
    expect(await questionOf(flow)).toMatchObject({ name: 'WalletsOverdue' });
    await stack.world.control.clearFaults();
    await flow.decide('giveUp', await stack.as('ops'));
    const { userId, walletIds, wallets } = reportedBy(await resultOf(flow));
    expect(wallets).toEqual([]);
    expect(walletIds).toEqual((await walletsOf(userId)).map(({ id }) => id));
    expect(walletIds).toHaveLength(1);
  });

  test("an error that the user's app reports is shown in the progress and changes nothing else", async () => {
    const flow = await start();
    await challengeOf(flow);
    await flow.provide('clientError', { code: 155112 }, await stack.as('app'));
    await until(async () => (await flow.progress()).userProblem?.code === 155112);
    await approveNext(stack, flow);
    expect(await resultOf(flow)).toMatchObject({ status: 'completed' });
  });
});
