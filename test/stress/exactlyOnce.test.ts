import { API_ACTIVITIES, type FlowEffect } from '../../src/domain/activityTable';
import { CHALLENGE_CALL_NAMES, CHALLENGE_CALLS } from '../../src/domain/challengeCalls';
import { LOOK_UPS, type LookUp } from '../../src/domain/lookUps';
import { comparableEvents } from '../support/history';
import { distinct, requestsOf } from '../support/journal';
import { DEVELOPER_SCRIPTS } from '../support/scripts/developer';
import { type Played, playScript, startScript } from '../support/scripts/play';
import type { Scripts } from '../support/scripts/script';
import { socially, USER_SCRIPTS } from '../support/scripts/user';
import { type Stack, startStack } from '../support/stack';
import type { ListedChallenge } from '../support/users';

/**
 * Every operation by which a flow changes something: the API executes the first request, and the reply is lost. The flow ends
 * as it does without the fault. What the API has made exists once, or as often as docs/exactly-once.md says. Where the API does
 * not give the first answer again, the flow has made the lookup of the operation's row.
 */

const SCRIPTS: Scripts = {
  ...DEVELOPER_SCRIPTS,
  ...USER_SCRIPTS,
  // If the reply with the new tokens is lost, the user logs in again.
  'onboarding by SSO': async (stack: Stack) => ({
    ...(await USER_SCRIPTS['onboarding by SSO']!(stack)),
    play: socially(stack, 2),
  }),
};
const POLICIES = { default: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'accelerate' } }] };
/** Shorter than device tokens live, so that none is renewed. */
const STEP_MS = 2 * 60_000;

type Mode = 'reject' | 'replay';

/** How often the API does it. `reject`: a second request with a used key is refused. */
type Made = Record<Mode, number>;
const ONCE: Made = { reject: 1, replay: 1 };

interface Case {
  script: string;
  status?: 'cancelled';
  /** The operations whose first reply is lost. */
  lost: Partial<Record<FlowEffect, Made>>;
}

const CASES: Case[] = [
  { script: 'transfer, stuck', lost: { createTransfer: ONCE, accelerateTransaction: ONCE } },
  { script: 'transfer, cancelled', status: 'cancelled', lost: { cancelTransaction: ONCE } },
  { script: 'user transfer, stuck', lost: { createUserTransfer: ONCE, accelerateUserTransaction: ONCE } },
  { script: 'user transfer, cancelled', status: 'cancelled', lost: { cancelUserTransaction: ONCE } },
  { script: 'contract call', lost: { createContractExecution: ONCE } },
  { script: 'user contract call', lost: { createUserContractExecution: ONCE } },
  { script: 'user signature of a message', lost: { signUserMessage: ONCE } },
  { script: 'user signature of typed data', lost: { signUserTypedData: ONCE } },
  { script: 'user signature of a transaction', lost: { signUserTransaction: ONCE } },
  { script: 'onboarding by PIN', lost: { createUser: ONCE, initializeUser: ONCE, requestDrip: ONCE } },
  {
    script: 'onboarding by email',
    // Another email, and after the second lost one a new login.
    lost: { createEmailDeviceToken: { reject: 3, replay: 1 }, resendOtp: ONCE },
  },
  {
    script: 'onboarding by SSO',
    // New tokens at first, and again for the second login.
    lost: { createSocialDeviceToken: { reject: 3, replay: 1 }, refreshUserToken: ONCE },
  },
  { script: 'first PIN', lost: { createUserPin: ONCE } },
  { script: 'new PIN', lost: { updateUserPin: ONCE } },
  { script: 'forgotten PIN', lost: { restoreUserPin: ONCE } },
  { script: 'more wallets', lost: { createUserWallets: ONCE } },
];

/** What the API shows of an effect, in words of `countThings`. Of the others, only the journal does. */
const THINGS: Partial<Record<FlowEffect, string>> = {
  createTransfer: 'OUTBOUND',
  createContractExecution: 'OUTBOUND',
  requestDrip: 'INBOUND',
  createUser: 'user',
  createEmailDeviceToken: 'email',
  resendOtp: 'email',
  ...Object.fromEntries(CHALLENGE_CALL_NAMES.map((call) => [call, CHALLENGE_CALLS[call].type])),
};

/** Counts everything of a world: transactions by direction, challenges by type, users and emails. */
async function countThings({ api, world }: Stack): Promise<Record<string, number>> {
  const transactions = async (txType: 'INBOUND' | 'OUTBOUND') =>
    (await api.listTransactions({ query: { txType, includeAll: true, pageSize: 50 } })).data.transactions!.length;
  const { challenges } = await world.control.call<{ challenges: ListedChallenge[] }>('GET', '/challenges');
  const { mails } = await world.control.call<{ mails: object[] }>('GET', '/mails');
  const counts: Record<string, number> = {
    INBOUND: await transactions('INBOUND'),
    OUTBOUND: await transactions('OUTBOUND'),
    user: (await api.listUsers({ query: { pageSize: 50 } })).data.users.length,
    email: mails.length,
  };
  for (const { type } of challenges) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** One script in one world. */
class Run {
  private before: Record<string, number> = {};
  private sessionId: string | undefined;

  constructor(
    readonly mode: Mode,
    private readonly stack: Stack,
    private readonly lost: Case['lost'],
  ) {}

  get operations() {
    return Object.keys(this.lost) as FlowEffect[];
  }

  async play(script: string): Promise<{ status: string | undefined; played: Played }> {
    const { stack } = this;
    const played = await startScript(stack, SCRIPTS[script]!, async () => {
      this.before = await countThings(stack);
      for (const operation of this.operations)
        await stack.world.control.addFault({ operation, count: 1, action: { drop: 'after' } });
    });
    const { outcome } = await playScript(stack, played, {
      stepMs: STEP_MS,
      isEnd: ({ approval }) => {
        this.sessionId = approval?.session ?? this.sessionId;
        return false;
      },
    });
    return { status: outcome?.status, played };
  }

  /** How often the API has done each operation, by its journal and by what it shows. */
  async made() {
    const { stack, before, mode } = this;
    const after = await countThings(stack);
    const rows = this.operations.map(async (operation) => {
      const requests = await requestsOf(stack.world, operation);
      const committed = requests.filter((request) => request.committed);
      const thing = THINGS[operation];
      // Both kinds of emails count for both.
      const alike = this.operations.filter((other) => thing !== undefined && THINGS[other] === thing);
      const expected = alike.reduce((sum, other) => sum + this.lost[other]![mode], 0);
      return {
        operation,
        isLost: committed[0]?.status === undefined,
        committed: committed.length,
        keys: distinct(committed, 'idempotencyKey').length,
        ...(thing && { shown: (after[thing] ?? 0) - (before[thing] ?? 0), expected }),
      };
    });
    return Promise.all(rows);
  }

  /** The lookups that were not made after a lost reply. */
  async missingLookUps({ flow }: Played): Promise<string[]> {
    const { client } = this.stack.flows;
    const ids = [flow.workflowId, ...(this.sessionId === undefined ? [] : [this.sessionId])];
    const histories = await Promise.all(
      ids.map(async (id) => comparableEvents(await client.workflow.getHandle(id).fetchHistory())),
    );
    const scheduled = (activity: string) => `ACTIVITY_TASK_SCHEDULED ${activity}`;
    return this.operations.filter((operation) => {
      const [read] = (LOOK_UPS[operation] as LookUp).reads;
      const isAnswered = this.mode === 'replay' && hasKey(operation);
      if (read === undefined || isAnswered) return false;
      return !histories.some((events) => {
        const sent = events.indexOf(scheduled(operation));
        return sent >= 0 && events.indexOf(scheduled(read), sent) >= 0;
      });
    });
  }
}

/** Whether the API can give the first answer again. */
function hasKey(operation: FlowEffect): boolean {
  const { mode } = API_ACTIVITIES[operation];
  return mode === 'keyed' && operation !== 'createUser';
}

describe('a lost reply to every operation by which a flow changes something', () => {
  const stacks = new Map<Mode, Stack>();

  beforeAll(async () => {
    for (const idempotency of ['reject', 'replay'] as const)
      stacks.set(
        idempotency,
        await startStack({ policies: POLICIES, settings: { challengeLifetimeMs: null, idempotency } }),
      );
  });
  afterAll(() => Promise.all([...stacks.values()].map((stack) => stack.close())));

  test('is tried for each row of the table', () => {
    const tried = CASES.flatMap(({ lost }) => Object.keys(lost));
    expect(tried.toSorted()).toEqual(Object.keys(LOOK_UPS).toSorted());
  });

  test.each(CASES)('$script: the flow ends, and what it asked for exists once', async ({ script, lost, status }) => {
    // Calls without a key do the same in both modes.
    const modes = (Object.keys(lost) as FlowEffect[]).some(hasKey) ? [...stacks.keys()] : (['reject'] as const);
    const runs = modes.map((mode) => new Run(mode, stacks.get(mode)!, lost));
    await Promise.all(
      runs.map(async (run) => {
        const { status: ended, played } = await run.play(script);
        const made = await run.made();
        expect({ mode: run.mode, ended, made }).toEqual({
          mode: run.mode,
          ended: status ?? 'completed',
          made: made.map(({ operation, expected }) => ({
            operation,
            isLost: true,
            committed: lost[operation]![run.mode],
            keys: lost[operation]![run.mode],
            ...(expected !== undefined && { expected, shown: expected }),
          })),
        });
        expect(await run.missingLookUps(played)).toEqual([]);
      }),
    );
  });
});
