import { randomUUID } from 'node:crypto';
import { approveNext, byPin } from '../support/onboarding';
import { reportedBy } from '../support/outcomes';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import { challengeOf } from '../support/users';

const MINUTE = 60_000;

/** A complete challenge may name no wallets; then the flow looks for those that the user has got. */
describe('onboarding with a challenge that names no wallets', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());
  beforeEach(() => stack.world.control.clearFaults());

  test.each([
    ['are not listed yet', { status: 200, body: { data: { wallets: [] } } }],
    ['cannot be read', { status: 400, code: 2 }],
  ])('asks a person while the wallets %s, and reports them afterwards', async (_what, action) => {
    const userId = `user-${randomUUID()}`;
    const change = { field: 'data.challenge.correlationIds', change: 'null' } as const;
    await stack.world.control.addFault({ operation: 'getUserChallenge', action: change });
    const flow = await stack.flows.onboardUser.start(byPin({ userId }));
    await challengeOf(flow);
    await stack.world.control.addFault({ operation: 'listWallets', action });
    await approveNext(stack, flow);
    await stack.advance(5 * MINUTE);
    await until(async () => {
      const { attention, outcome } = await flow.progress();
      return attention !== undefined || outcome !== undefined;
    }, 'the question');
    expect((await flow.progress()).outcome).toBeUndefined();
    const { name, options } = await attentionOf(flow);
    expect([name, ...options.map(({ choice }) => choice)]).toEqual(['WalletsMissing', 'lookAgain', 'giveUp']);
    await stack.world.control.clearFaults();
    await flow.decide('lookAgain', await stack.as('ops'));
    await stack.advance(10 * MINUTE);
    const { wallets } = reportedBy(await flow.result());
    const { userToken } = (await stack.api.createUserToken({ body: { userId } })).data;
    const own = (await stack.api.listWallets({}, { userToken })).data.wallets;
    expect(wallets.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
    expect(wallets).toHaveLength(1);
  });
});
