import { allRuns, comparableEvents } from '../support/history';
import { approveNext, byPin, type Onboarding } from '../support/onboarding';
import { type Stack, startStack } from '../support/stack';
import { challengeOf } from '../support/users';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** What begins and ends a run. */
const BETWEEN_RUNS = /^(WORKFLOW_EXECUTION_(STARTED|CONTINUED_AS_NEW|COMPLETED)|TIMER_)/;
/** What each further run of a session adds. */
const FOLLOWS_AGAIN = ['ACTIVITY_TASK_CANCEL_REQUESTED', 'ACTIVITY_TASK_SCHEDULED followChallenge'];

/** Covers the flow and its session: docs/architecture.md#waiting-costs-next-to-nothing. */
describe('an onboarding that waits', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterAll(() => stack.close());

  /** The events of the flow, and of the runs of its session. */
  async function approvedAfter(milliseconds: number) {
    const flow: Onboarding = await stack.flows.onboardUser.start(byPin());
    await challengeOf(flow);
    const { session } = (await flow.progress()).approval!;
    await stack.advance(milliseconds);
    await approveNext(stack, flow);
    // Polls are at most a day apart.
    await stack.advance(2 * DAY);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const { client } = stack.flows;
    const runs = (await allRuns(client, session)).map(comparableEvents);
    return {
      flow: comparableEvents(await client.workflow.getHandle(flow.workflowId).fetchHistory()),
      session: runs.flat().filter((event) => !BETWEEN_RUNS.test(event)),
      runs: runs.length,
    };
  }

  test('leaves the same history after a minute as after sixty days, apart from a run of the session each month', async () => {
    const minute = await approvedAfter(MINUTE);
    const months = await approvedAfter(60 * DAY);
    const lengths = ({ flow, session, runs }: typeof minute) => ({ flow: flow.length, session: session.length, runs });
    console.table({ 'a minute': lengths(minute), 'sixty days': lengths(months) });
    expect(minute.runs).toBe(1);
    // A session continues as new once a month, so that keys can be rotated out. Each run follows the challenge itself.
    expect(months.runs).toBe(3);
    expect(months.flow).toEqual(minute.flow);
    expect(months.session.filter((event) => !FOLLOWS_AGAIN.includes(event))).toEqual(
      minute.session.filter((event) => !FOLLOWS_AGAIN.includes(event)),
    );
    expect(months.session).toHaveLength(minute.session.length + 2 * FOLLOWS_AGAIN.length);
  });
});
