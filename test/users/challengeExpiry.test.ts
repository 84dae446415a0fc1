import { comparableEvents } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { makePayer } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { approve, challengeOf, challengesOf, pendingOf } from '../support/users';

const MINUTE = 60_000;

/** The session replaces a challenge that expires, so the flow's history does not grow while its user does nothing. */
describe('a challenge that expires', () => {
  let stack: Stack;

  beforeAll(async () => {
    const transfer = { feeLevel: 'MEDIUM', unresolvedAfter: '24 hours', stuck: 'ask' };
    stack = await startStack({
      settings: { challengeLifetimeMs: null },
      policies: {
        patient: [{ version: 1, transfer: { ...transfer, approvalMaxAge: '30 days' } }],
        hourly: [{ version: 1, transfer: { ...transfer, approvalMaxAge: '1 hour' } }],
      },
    });
  });
  afterAll(() => stack.close());

  /** Starts a transfer, lets one challenge after another expire until `isReached`, and approves then. */
  async function approveAfter(policy: string, isReached: (counts: { expired: number; looks: number }) => boolean) {
    const { flows, world } = stack;
    const { userId, wallets } = await makePayer(stack);
    await world.control.clearJournal();
    const flow = await flows.transfer.start({ ...transferOf(wallets[0]!), policy });
    const first = await challengeOf(flow);
    const count = async () => {
      const challenges = await challengesOf(stack, userId);
      return {
        expired: challenges.filter(({ status }) => status === 'EXPIRED').length,
        looks: (await requestsOf(world, 'estimateTransferFee')).length,
      };
    };
    for (;;) {
      const [pending] = await pendingOf(stack, userId);
      if (pending !== undefined && isReached(await count())) break;
      if (pending !== undefined) await world.control.call('POST', `/challenges/${pending}/expire`);
      await stack.advance(12 * MINUTE);
    }
    const counts = await count();
    const [id, ...others] = await pendingOf(stack, userId);
    expect(others).toEqual([]);
    await until(async () => (await challengeOf(flow)) === id, 'the progress to show the open challenge');
    expect(await flow.approval()).toMatchObject({ challengeId: id });
    await approve(stack, id!);
    await stack.advance(30 * MINUTE);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { challengeId: id } });
    expect(await sentBy(world, wallets[0]!.id)).toHaveLength(1);
    const history = await flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
    return { ...counts, first, id, events: comparableEvents(history) };
  }

  test('adds no events to the flow while the gate is young enough, whether it happens once or twenty times', async () => {
    const once = await approveAfter('patient', ({ expired }) => expired === 1);
    const often = await approveAfter('patient', ({ expired }) => expired >= 20);
    expect(once.first).not.toBe(once.id);
    expect(often.expired).toBeGreaterThanOrEqual(20);
    expect(once.looks).toBe(1);
    expect(often.looks).toBe(1);
    expect(often.events).toEqual(once.events);
  });

  test('makes the flow check funds and fee again when the gate is too old, for a fixed number of events', async () => {
    const none = await approveAfter('patient', ({ expired }) => expired === 1);
    const one = await approveAfter('hourly', ({ looks }) => looks === 2);
    const five = await approveAfter('hourly', ({ looks }) => looks >= 6);
    const added = one.events.length - none.events.length;
    expect(added).toBeLessThanOrEqual(9);
    expect(five.events.length).toBe(none.events.length + (five.looks - 1) * added);
  });
});
