import type { FaultSpec } from '../../src/emulator';
import type { ChallengeCall } from '../../src/domain/userSession';
import { distinct, requestsOf } from '../support/journal';
import { startStack, type Stack } from '../support/stack';
import {
  approve,
  challengesOf,
  makeInitializedUser,
  makeUser,
  PIN,
  QUESTIONS,
  challengeOf,
  startApprover,
  walletOf,
} from '../support/users';

interface Case {
  call: ChallengeCall;
  /** What the user enters. */
  entries: object;
  fresh?: true;
  body?: (walletId: string) => object;
}

const CASES: Case[] = [
  {
    call: 'initializeUser',
    fresh: true,
    body: () => ({ blockchains: ['MATIC-AMOY'] }),
    entries: { newPin: PIN, questions: QUESTIONS },
  },
  { call: 'createUserPin', fresh: true, entries: { newPin: PIN } },
  { call: 'updateUserPin', entries: { pin: PIN, newPin: '654321' } },
  { call: 'restoreUserPin', entries: { answers: QUESTIONS.map(({ answer }) => answer), newPin: '654321' } },
  { call: 'createUserWallets', body: () => ({ blockchains: ['MATIC-AMOY'] }), entries: { pin: PIN } },
  { call: 'signUserMessage', body: (walletId) => ({ walletId, message: 'hello' }), entries: { pin: PIN } },
];

/** Every call that opens a challenge, its reply lost: one challenge, in both ways to answer a used key (rule 2). */
describe.each(['reject', 'replay'] as const)(
  'lost replies of challenge calls, a used key answered by %s',
  (idempotency) => {
    let stack: Stack;

    beforeAll(async () => {
      stack = await startStack({ settings: { challengeLifetimeMs: null, idempotency } });
    });
    afterAll(() => stack.close());

    test.each(CASES)('$call', async ({ call, fresh, body, entries }) => {
      const userId = fresh ? await makeUser(stack) : await makeInitializedUser(stack);
      const walletId = fresh ? '' : await walletOf(stack, userId);
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
  },
);
