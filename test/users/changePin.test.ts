import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/flows/starter';
import { distinct, requestsOf } from '../support/journal';
import { act } from '../support/payers';
import { startStack, type Stack } from '../support/stack';
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
    return outcome.result!;
  };

  test('set: the first PIN, and no second one', async () => {
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

  test('change: by a user who knows it, and who has one', async () => {
    const userId = await makeInitializedUser(stack);
    await completed(await start(userId, 'change'), { pin: PIN, newPin: NEW_PIN });
    const none = await start(await makeUser(stack), 'change');
    await stack.advance(MINUTE);
    expect(await none.result()).toMatchObject({ status: 'failed', code: 155110 });
  });

  test('restore: by the answers to the security questions, and not without any', async () => {
    const userId = await makeInitializedUser(stack);
    await completed(await start(userId, 'restore'), { answers: ANSWERS, newPin: NEW_PIN });
    const none = await start(await makeUser(stack), 'restore');
    await stack.advance(MINUTE);
    expect(await none.result()).toMatchObject({ status: 'failed', code: 155110 });
    const unanswered = await makeUser(stack);
    await completed(await start(unanswered, 'set'), { newPin: PIN });
    const refused = await start(unanswered, 'restore');
    await stack.advance(MINUTE);
    expect(await refused.result()).toMatchObject({ status: 'failed', code: 155111 });
  });

  test.each([
    ['change', 'pin', 'pinLocked', { pin: PIN, newPin: NEW_PIN }],
    ['restore', 'securityQuestions', 'answersLocked', { answers: ANSWERS, newPin: NEW_PIN }],
  ] as const)(
    '%s while the %s is locked: waits for the end of the lock, without attention',
    async (action, what, reason, entries) => {
      const userId = await makeInitializedUser(stack);
      await stack.world.control.call('POST', `/users/${userId}/${what}/lock`);
      const flow = await start(userId, action);
      await until(async () => (await flow.progress()).block?.reason === reason, 'the block');
      expect((await flow.progress()).attention).toBeUndefined();
      await stack.advance(40 * MINUTE);
      await completed(flow, entries);
    },
  );

  test('declined', async () => {
    const flow = await start(await makeInitializedUser(stack), 'change');
    await act(stack, await challengeOf(flow), 'reject');
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'denied', code: 155701 });
  });

  test.each(['createUserPin', 'updateUserPin', 'restoreUserPin'] as const)(
    '%s whose reply is lost: one challenge',
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
])('%j is refused at the door', async (input, message) => {
  const stack = await startStack({ workers: false });
  await expect(stack.flows.changePin.start({ ref: 'x', ...input } as StartInput<'changePin'>)).rejects.toThrow(message);
  await stack.close();
});
