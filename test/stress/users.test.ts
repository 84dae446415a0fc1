import { approveListed, byPin, challengesToApprove } from '../support/onboarding';
import { reportedBy } from '../support/outcomes';
import { type SentRequest, SentRequests } from '../support/sentRequests';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';

const USERS = 200;
const MINUTE = 60_000;

/** The highest number of these requests that were in flight at the same time. */
function maxConcurrent(requests: readonly SentRequest[]): number {
  // Within one millisecond, an end sorts before a start.
  const changes = requests
    .flatMap(({ sentAt, endedAt = Infinity }) => [[sentAt, 1] as const, [endedAt, -1] as const])
    .sort(([a, change], [b, other]) => a - b || change - other);
  let inFlight = 0;
  return Math.max(...changes.map(([, change]) => (inFlight += change)));
}

describe(`${USERS} concurrent users`, () => {
  const sent = new SentRequests();
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null }, webhooks: true });
    sent.watch();
  });
  afterAll(async () => {
    sent.stop();
    await stack.close();
  });

  test('are all onboarded although every token expires, and each token is renewed at most once', async () => {
    const { world } = stack;
    const flows = await Promise.all(Array.from({ length: USERS }, () => stack.flows.onboardUser.start(byPin())));
    const waiting = async () => (await challengesToApprove(stack)).length;
    await until(async () => (await waiting()) === USERS, 'a challenge for each', 10 * MINUTE);
    // Every user token is now older than its lifetime of an hour.
    await world.control.advance(61 * MINUTE);
    for (const challenge of await challengesToApprove(stack)) await approveListed(stack, challenge);

    const outcomes = await Promise.all(flows.map((flow) => flow.result()));
    const counts = await world.control.counts();
    console.table(
      Object.fromEntries(
        Object.entries(counts).map(([operation, { requests, answers }]) => [
          operation,
          { requests, 'a user': (requests / USERS).toFixed(2), answers: JSON.stringify(answers) },
        ]),
      ),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(flows.map(() => 'completed'));
    expect(new Set(outcomes.map((outcome) => reportedBy(outcome).wallets[0]?.address)).size).toBe(USERS);
    // A busy machine may get a few 429s; their bound is below. The API executes none of them.
    const executed = (operation: string) =>
      (counts[operation]?.requests ?? 0) - (counts[operation]?.answers['429'] ?? 0);
    for (const operation of ['createUser', 'initializeUser']) {
      expect(executed(operation)).toBe(USERS);
      expect(counts[operation]?.answers['201']).toBe(USERS);
    }
    // A user whose challenge ended by webhook needs no second token.
    const tokenRequests = new Map<string, SentRequest[]>();
    for (const request of sent.all().filter(({ path }) => path.endsWith('/users/token'))) {
      const { userId } = JSON.parse(String(request.body)) as { userId: string };
      tokenRequests.set(userId, [...(tokenRequests.get(userId) ?? []), request]);
    }
    const requestsByUser = [...tokenRequests.values()];
    expect(requestsByUser).toHaveLength(USERS);
    expect(Math.max(...requestsByUser.map(({ length }) => length))).toBeLessThanOrEqual(2);
    expect(Math.max(...requestsByUser.map(maxConcurrent))).toBe(1);
    const rejected = Object.values(counts).reduce((sum, { answers }) => sum + (answers['429'] ?? 0), 0);
    const all = Object.values(counts).reduce((sum, { requests: each }) => sum + each, 0);
    expect(rejected / all).toBeLessThanOrEqual(0.005);
  });
});
