import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { approveNext, byPin } from '../support/onboarding';
import { startStack, type Stack } from '../support/stack';
import { until } from '../support/until';

const USERS = 200;
const MINUTE = 60_000;

/** Requests for users' tokens, as this process sent them. */
class TokenRequests {
  readonly #underWay = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  readonly #users = new Map<object, string>();
  /** Most that were under way at the same time for one user. */
  mostAtOnce = 0;

  readonly #begun = (message: unknown) => {
    const { request } = message as { request: { path: string; body: unknown } };
    if (!request.path.endsWith('/users/token')) return;
    const { userId } = JSON.parse(String(request.body)) as { userId: string };
    this.#users.set(request, userId);
    this.#sent.set(userId, (this.#sent.get(userId) ?? 0) + 1);
    this.#count(userId, 1);
  };
  readonly #over = (message: unknown) => {
    const { request } = message as { request: object };
    const userId = this.#users.get(request);
    if (userId !== undefined && this.#users.delete(request)) this.#count(userId, -1);
  };

  #count(userId: string, change: 1 | -1): void {
    const underWay = (this.#underWay.get(userId) ?? 0) + change;
    this.#underWay.set(userId, underWay);
    this.mostAtOnce = Math.max(this.mostAtOnce, underWay);
  }

  /** How many users a token was asked for. */
  get users(): number {
    return this.#sent.size;
  }

  /** Most for one user. */
  get mostOfOne(): number {
    return Math.max(...this.#sent.values());
  }

  watch(): void {
    subscribe('undici:request:create', this.#begun);
    for (const end of ENDS) subscribe(end, this.#over);
  }

  stop(): void {
    unsubscribe('undici:request:create', this.#begun);
    for (const end of ENDS) unsubscribe(end, this.#over);
  }
}

const ENDS = ['undici:request:trailers', 'undici:request:error'];

describe(`${USERS} users at once`, () => {
  const tokens = new TokenRequests();
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null }, webhooks: true });
    tokens.watch();
  });
  afterAll(async () => {
    tokens.stop();
    await stack.close();
  });

  test('are all onboarded, although every token expires meanwhile: each is renewed once at most, by one request', async () => {
    const { world } = stack;
    const flows = await Promise.all(Array.from({ length: USERS }, () => stack.flows.onboardUser.start(byPin())));
    const waiting = async () => {
      const { challenges } = await world.control.call<{ challenges: unknown[] }>('GET', '/challenges');
      return challenges.length;
    };
    await until(async () => (await waiting()) === USERS, 'a challenge for each', 10 * MINUTE);
    // All user tokens are older than their hour now.
    await world.control.advance(61 * MINUTE);
    await Promise.all(flows.map((flow) => approveNext(stack, flow)));

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
    const { users, mostAtOnce, mostOfOne } = tokens;
    expect({ users, mostAtOnce, mostOfOne }).toEqual({ users: USERS, mostAtOnce: 1, mostOfOne: 2 });
    const refused = Object.values(counts).reduce((sum, { answers }) => sum + (answers['429'] ?? 0), 0);
    const all = Object.values(counts).reduce((sum, { requests: each }) => sum + each, 0);
    expect(refused / all).toBeLessThanOrEqual(0.005);
  }, 1_200_000);
});
