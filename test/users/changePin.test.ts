import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/client/flowStarter';
import { distinct, requestsOf } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { resolveChallenge } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';
import { approve, challengeOf, challengesOf, makeInitializedUser, makeUser, PIN, QUESTIONS } from '../support/users';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEW_PIN = '271828';
const ANSWERS = QUESTIONS.map(({ answer }) => answer);

describe.each(['reject', 'replay'] as const)('changePin, idempotency mode %s', (idempotency) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ settings: { idempotency, challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
  });

  const start = (userId: string, action: StartInput<'changePin'>['action'], more: object = {}) =>
    stack.flows.changePin.start({ ref: `p-${randomUUID()}`, userId, action, ...more });
  const completed = async (flow: Awaited<ReturnType<typeof start>>, entries: object) => {
    const challengeId = await challengeOf(flow);
    await approve(stack, challengeId, entries);
    await stack.advance(HOUR);
    const outcome = await flow.result();
    expect(outcome).toMatchObject({ status: 'completed', result: { pinStatus: 'ENABLED', challengeId } });
    return reportedBy(outcome);
  };

  test('set creates the first PIN and fails if the user already has one', async () => {
    const userId = await makeUser(stack);
    expect(await completed(await start(userId, 'set'), { newPin: PIN })).toMatchObject({ action: 'set' });
    const again = await start(userId, 'set');
    await stack.advance(MINUTE);
    expect(await again.result()).toMatchObject({
      status: 'failed',
      code: 155107,
      remedy: expect.stringContaining('change'),
    });
  });

  test('change replaces a known PIN and fails for a user without one', async () => {
    const userId = await makeInitializedUser(stack);
    await completed(await start(userId, 'change'), { pin: PIN, newPin: NEW_PIN });
    const withoutPin = await start(await makeUser(stack), 'change');
    await stack.advance(MINUTE);
    expect(await withoutPin.result()).toMatchObject({ status: 'failed', code: 155110 });
  });

  test('restore takes the answers to the security questions and fails for a user who has none', async () => {
    const userId = await makeInitializedUser(stack);
    await completed(await start(userId, 'restore'), { answers: ANSWERS, newPin: NEW_PIN });
    const withoutPin = await start(await makeUser(stack), 'restore');
    await stack.advance(MINUTE);
    expect(await withoutPin.result()).toMatchObject({ status: 'failed', code: 155110 });
    const withoutAnswers = await makeUser(stack);
    await completed(await start(withoutAnswers, 'set'), { newPin: PIN });
    const rejected = await start(withoutAnswers, 'restore');
    await stack.advance(MINUTE);
    expect(await rejected.result()).toMatchObject({ status: 'failed', code: 155111 });
  });

  test.each([
    ['change', 'pin', 'pinLocked', { pin: PIN, newPin: NEW_PIN }],
    ['restore', 'securityQuestions', 'answersLocked', { answers: ANSWERS, newPin: NEW_PIN }],
  ] as const)(
    '%s waits without attention until the lock of the %s is over',
    async (action, credential, reason, entries) => {
      const userId = await makeInitializedUser(stack);
      await stack.world.control.call('POST', `/users/${userId}/${credential}/lock`);
      const flow = await start(userId, action);
      await until(async () => (await flow.progress()).restriction?.reason === reason, 'the restriction');
      expect((await flow.progress()).attention).toBeUndefined();
      await stack.advance(40 * MINUTE);
      await completed(flow, entries);
    },
  );

  test('a declined challenge denies the flow', async () => {
    const flow = await start(await makeInitializedUser(stack), 'change');
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'denied', code: 155701 });
  });

  test.each(['createUserPin', 'updateUserPin', 'restoreUserPin'] as const)(
    'a lost reply to %s leads to one challenge',
    async (operation) => {
      const [action, entries] = (
        {
          createUserPin: ['set', { newPin: PIN }],
          updateUserPin: ['change', { pin: PIN, newPin: NEW_PIN }],
          restoreUserPin: ['restore', { answers: ANSWERS, newPin: NEW_PIN }],
        } as const
      )[operation];
      const userId = action === 'set' ? await makeUser(stack) : await makeInitializedUser(stack);
      const before = (await challengesOf(stack, userId)).length;
      await stack.world.control.addFault({ operation, count: 1, action: { drop: 'after' } });
      await completed(await start(userId, action), entries);
      const requests = await requestsOf(stack.world, operation);
      expect(requests).toHaveLength(2);
      expect(distinct(requests, 'idempotencyKey')).toHaveLength(1);
      expect(await challengesOf(stack, userId)).toHaveLength(before + 1);
    },
  );
});

test.each<[object, RegExp]>([
  [{ userId: 'anna', action: 'set' }, /userId: is not a user id/],
  [{ userId: 'anna-1', action: 'forget' }, /action: must be one of set, change, restore/],
  [{ userId: 'anna-1', action: 'set', deadline: '3' }, /deadline: .*unit/],
])('start rejects %j', async (input, message) => {
  const stack = await startStack({ workers: false });
  await expect(stack.flows.changePin.start({ ref: 'x', ...input } as StartInput<'changePin'>)).rejects.toThrow(message);
  await stack.close();
});
