import { approveListed, byPin, challengesToApprove } from '../support/onboarding';
import { SentRequests, type SentRequest } from '../support/sentRequests';
import { startStack, type Stack } from '../support/stack';
import { until } from '../support/until';

const USERS = 200;
const MINUTE = 60_000;

/** Most of these requests that were under way at the same time. */
function mostAtOnce(requests: readonly SentRequest[]): number {
  // One that begins in the millisecond in which another ends is begun after it.
  const changes = requests
    .flatMap(({ sentAt, overAt = Infinity }) => [[sentAt, 1] as const, [overAt, -1] as const])
    .sort(([a, change], [b, other]) => a - b || change - other);
  let underWay = 0;
  return Math.max(...changes.map(([, change]) => (underWay += change)));
}

describe(`${USERS} users at once`, () => {
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

  test('are all onboarded, although every token expires meanwhile: each is renewed once at most, by one request', async () => {
    const { world } = stack;
    const flows = await Promise.all(Array.from({ length: USERS }, () => stack.flows.onboardUser.start(byPin())));
    const waiting = async () => (await challengesToApprove(stack)).length;
    await until(async () => (await waiting()) === USERS, 'a challenge for each', 10 * MINUTE);
    // All user tokens are older than their hour now.
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
    expect(new Set(outcomes.map(({ result }) => result?.wallets[0]?.address)).size).toBe(USERS);
    const requests = (operation: string) => counts[operation]?.requests ?? 0;
    for (const operation of ['createUser', 'initializeUser']) expect(requests(operation)).toBe(USERS);
    // Whose end of the challenge came by webhook needs no second token.
    const ofUsers = new Map<string, SentRequest[]>();
    for (const request of sent.all().filter(({ path }) => path.endsWith('/users/token'))) {
      const { userId } = JSON.parse(String(request.body)) as { userId: string };
      ofUsers.set(userId, [...(ofUsers.get(userId) ?? []), request]);
    }
    const each = [...ofUsers.values()];
    expect(each).toHaveLength(USERS);
    expect(Math.max(...each.map(({ length }) => length))).toBeLessThanOrEqual(2);
    expect(Math.max(...each.map(mostAtOnce))).toBe(1);
    const refused = Object.values(counts).reduce((sum, { answers }) => sum + (answers['429'] ?? 0), 0);
    const all = Object.values(counts).reduce((sum, { requests: each }) => sum + each, 0);
    expect(refused / all).toBeLessThanOrEqual(0.005);
  });
});
