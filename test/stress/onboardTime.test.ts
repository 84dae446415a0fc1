import { comparableEvents } from '../support/history';
import { approveNext, byPin, type Onboarding } from '../support/onboarding';
import { type Stack, startStack } from '../support/stack';
import { challengeOf } from '../support/users';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Covers the flow and its session: docs/architecture.md#waiting-costs-next-to-nothing. */
describe('an onboarding that waits', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());

  async function approvedAfter(milliseconds: number): Promise<string[][]> {
    const flow: Onboarding = await stack.flows.onboardUser.start(byPin());
    await challengeOf(flow);
    const { session } = (await flow.progress()).approval!;
    await stack.advance(milliseconds);
    await approveNext(stack, flow);
    // Polls are at most a day apart.
    await stack.advance(2 * DAY);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const { workflow } = stack.flows.client;
    return Promise.all(
      [flow.workflowId, session].map(async (id) => comparableEvents(await workflow.getHandle(id).fetchHistory())),
    );
  }

  test('leaves the same history after a minute as after sixty days', async () => {
    const minute = await approvedAfter(MINUTE);
    const months = await approvedAfter(60 * DAY);
    const lengths = ([flow, session]: string[][]) => ({ flow: flow!.length, session: session!.length });
    console.table({ 'a minute': lengths(minute), 'sixty days': lengths(months) });
    expect(months).toEqual(minute);
  });
});
