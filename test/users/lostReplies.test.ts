import type { ChallengeCall } from '../../src/domain/challengeCalls';
import type { FaultSpec } from '../../src/emulator';
import { distinct, requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import {
  approve,
  challengeOf,
  challengesOf,
  makeInitializedUser,
  makeUser,
  PIN,
  QUESTIONS,
  startApprover,
  walletOf,
} from '../support/users';

interface Case {
  call: ChallengeCall;
  /** The user's entries when approving. */
  entries: object;
  /** The user is not initialized yet. */
  newUser?: true;
  body?: (walletId: string) => object;
}

const CASES: Case[] = [
  {
    call: 'initializeUser',
    newUser: true,
    body: () => ({ blockchains: ['MATIC-AMOY'] }),
    entries: { newPin: PIN, questions: QUESTIONS },
  },
  { call: 'createUserPin', newUser: true, entries: { newPin: PIN } },
  { call: 'updateUserPin', entries: { pin: PIN, newPin: '654321' } },
  { call: 'restoreUserPin', entries: { answers: QUESTIONS.map(({ answer }) => answer), newPin: '654321' } },
  { call: 'createUserWallets', body: () => ({ blockchains: ['MATIC-AMOY'] }), entries: { pin: PIN } },
  { call: 'signUserMessage', body: (walletId) => ({ walletId, message: 'hello' }), entries: { pin: PIN } },
];

/** Each call that opens a challenge loses its reply. In both idempotency modes there must be one challenge. */
describe.each(['reject', 'replay'] as const)('lost replies to challenge calls, idempotency mode %s', (idempotency) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null, idempotency } });
  });
  afterAll(() => stack.close());

  test.each(CASES)('a lost reply to $call leads to one challenge', async ({ call, newUser, body, entries }) => {
    const userId = newUser ? await makeUser(stack) : await makeInitializedUser(stack);
    const walletId = newUser ? '' : await walletOf(stack, userId);
    const before = (await challengesOf(stack, userId)).length;
    await stack.world.control.clearJournal();
    const fault: FaultSpec = { operation: call, count: 1, action: { drop: 'after' } };
    await stack.world.control.addFault(fault);

    const flow = await startApprover(stack, userId, { call, body: body?.(walletId) ?? {} });
    const id = await challengeOf(flow);
    expect((await challengesOf(stack, userId)).length - before).toBe(1);
    await approve(stack, id, entries);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id } });

    const sent = await requestsOf(stack.world, call);
    expect(sent.filter(({ committed }) => committed)).toHaveLength(1);
    expect(distinct(sent, 'idempotencyKey')).toHaveLength(1);
    expect(sent).toHaveLength(call === 'signUserMessage' ? 1 : 2);
  });
});
