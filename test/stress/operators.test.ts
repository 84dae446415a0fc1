import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { OperationId } from '../../src/api/contract';
import { resetToTask, resettablePoints } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { makePayer } from '../support/payers';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { challengesOf, makeInitializedUser, PIN } from '../support/users';
import { fundedWallet } from '../support/wallets';

/**
 * What an operator can do to a flow whose request was executed, and whose reply was lost: reset the activity, reset the
 * workflow to every point, or delete its history and start it again. Whatever the API then responds, and even if it has
 * forgotten the idempotency key, the thing exists once, or a person was asked (docs/architecture.md#effects-happen-once).
 */

/** One flow that makes something, ready to start. */
interface Maker {
  /** The request that makes it. */
  operation: OperationId;
  start(): Promise<FlowHandle<unknown>>;
  /** How many things the API has made for this flow. */
  made(): Promise<number>;
  /** What the end user does while the flow waits. */
  asUser?(): Promise<unknown>;
}

const POLICIES = {
  default: [
    {
      version: 1,
      transfer: { feeLevel: 'MEDIUM', stuck: 'ask', preflight: true },
      onboarding: { existingUser: 'ask' },
    },
  ],
};

const FLOWS: Record<string, (stack: Stack) => Promise<Maker>> = {
  async transfer(stack) {
    const wallet = await fundedWallet(stack);
    const input = transferOf(wallet);
    return {
      operation: 'createTransfer',
      start: () => stack.flows.transfer.start(input),
      made: async () => (await sentBy(stack.world, wallet.id)).length,
    };
  },
  async userTransfer(stack) {
    const { userId, wallets } = await makePayer(stack);
    const [wallet] = wallets;
    const input = transferOf(wallet!);
    return {
      operation: 'createUserTransfer',
      start: () => stack.flows.transfer.start(input),
      made: async () => (await sentBy(stack.world, wallet!.id)).length,
      asUser: () => approveAll(stack, userId, { pin: PIN }),
    };
  },
  async onboardUser(stack) {
    const userId = `user-${randomUUID()}`;
    const input = { ref: randomUUID(), method: 'pin', userId, wallets: [{ blockchains: ['ETH-SEPOLIA'] }] } as const;
    return {
      operation: 'createUser',
      start: () => stack.flows.onboardUser.start(input as never),
      made: async () => (await walletsOf(stack, userId)).length,
      asUser: () =>
        approveAll(stack, userId, {
          newPin: PIN,
          questions: [
            { question: 'Where?', answer: 'there' },
            { question: 'When?', answer: 'then' },
          ],
        }),
    };
  },
  async addUserWallets(stack) {
    const userId = await makeInitializedUser(stack);
    const before = (await walletsOf(stack, userId)).length;
    const input = { ref: randomUUID(), userId, wallets: [{ blockchains: ['ETH-SEPOLIA'], accountType: 'EOA' }] };
    return {
      operation: 'createUserWallets',
      start: () => stack.flows.addUserWallets.start(input as never),
      made: async () => (await walletsOf(stack, userId)).length - before,
      asUser: () => approveAll(stack, userId, { pin: PIN }),
    };
  },
};

const REFUSALS = [155201, 155501, 156020, 503] as const;
const KEYS = ['known', 'forgotten'] as const;
type Result = 'completed' | 'asked' | 'ended';

const ACTIONS: Record<string, (run: Run) => Promise<void>> = {
  'activity reset': (run) => run.resetActivity(false),
  'activity reset, notes deleted': (run) => run.resetActivity(true),
  'workflow reset to every point': (run) => run.resetWorkflow(),
  'history deleted, started again': (run) => run.startAgain(),
};

/** One flow in one cell of the table. */
class Run {
  handle!: FlowHandle<unknown>;
  wasAsked = false;

  constructor(
    readonly stack: Stack,
    readonly maker: Maker,
    private readonly key: (typeof KEYS)[number],
    private readonly refusal: number,
  ) {}

  private get control() {
    return this.stack.world.control;
  }

  private get client() {
    return this.stack.flows.client;
  }

  /** Starts the flow. Its request is executed, and every reply is lost. */
  async begin(): Promise<void> {
    const { operation } = this.maker;
    await this.control.clearJournal();
    await this.control.addFault({ operation, count: 1, action: { drop: 'after' } });
    await this.control.addFault({ operation, skip: 1, action: { drop: 'before' } });
    this.handle = await this.maker.start();
    await until(async () => (await requestsOf(this.stack.world, operation)).length > 0, 'the request');
  }

  /** From now on the API refuses the request. */
  async refuse(): Promise<void> {
    const { operation } = this.maker;
    await this.control.clearFaults();
    if (this.key === 'forgotten') await this.control.call('DELETE', '/idempotencyKeys');
    const { refusal } = this;
    // An outage ends, so that the flow can continue.
    const action = refusal === 503 ? { status: 503, when: 'before' } : { status: 400, code: refusal, when: 'before' };
    await this.control.addFault({
      operation,
      ...(refusal === 503 ? { count: 2 } : { count: 1 }),
      action: action as never,
    });
  }

  async resetActivity(resetHeartbeat: boolean): Promise<void> {
    await this.begin();
    await this.refuse();
    const { operation } = this.maker;
    // A challenge is requested by the user's session.
    const workflowIds = [this.handle.workflowId, ...this.sessions()];
    for (const workflowId of workflowIds) {
      await this.client.workflowService
        .resetActivity({ namespace: 'default', execution: { workflowId }, type: operation, resetHeartbeat })
        .catch(() => undefined);
    }
    await this.drive();
  }

  async resetWorkflow(): Promise<void> {
    await this.begin();
    await this.control.clearFaults();
    await this.drive();
    const { workflowId } = this.handle;
    const points = await resettablePoints(this.client, workflowId);
    for (let point = 0; point < points; point++) {
      await this.refuse();
      await resetToTask(this.client, workflowId, point);
      await this.drive();
    }
  }

  async startAgain(): Promise<void> {
    await this.begin();
    await this.control.clearFaults();
    await this.drive();
    const { workflowId } = this.handle;
    await this.client.workflowService.deleteWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
    });
    const isGone = async () =>
      this.client.workflow
        .getHandle(workflowId)
        .describe()
        .then(
          () => false,
          () => true,
        );
    await until(isGone, 'the deletion');
    await this.refuse();
    this.handle = await this.maker.start();
    await this.drive();
  }

  /** Plays the end user, and a person who chooses to send again, until the flow ends. */
  private async drive(): Promise<void> {
    let retries = 0;
    await until(
      async () => {
        const { outcome, attention } = await this.handle.progress();
        if (outcome) return true;
        if (attention && attention.options.length > 0) {
          this.wasAsked = true;
          const choices = attention.options.map(({ choice }) => choice);
          const choice = choices.includes('adopt')
            ? 'adopt'
            : choices.includes('retry') && retries++ < 2
              ? 'retry'
              : 'giveUp';
          await this.handle.decide(choice, await this.stack.as('ops')).catch(() => undefined);
        }
        await this.maker.asUser?.();
        return false;
      },
      `the end of ${this.handle.workflowId}`,
      240_000,
    );
  }

  private sessions(): string[] {
    return [...this.stack.advancedWorkflows].filter((id) => id.includes('/userSession/'));
  }
}

const CELLS = Object.keys(FLOWS).flatMap((flow) =>
  Object.keys(ACTIONS).flatMap((action) => KEYS.map((key) => ({ flow, action, key }))),
);
const counts: Record<string, Record<string, number>> = {};

describe('what an operator does', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, policies: POLICIES, settings: { challengeLifetimeMs: null, limits: false } });
  });
  afterAll(async () => {
    if (process.env.PRINT_COUNTS) console.table(counts);
    await stack.close();
  });

  test.each(CELLS)('$flow, $action, key $key: one thing, or a person is asked', async ({ flow, action, key }) => {
    const row = (counts[`${flow}: ${action}, key ${key}`] = { runs: 0, asked: 0, once: 0, completed: 0 });
    for (const refusal of REFUSALS) {
      const run = new Run(stack, await FLOWS[flow]!(stack), key, refusal);
      await ACTIONS[action]!(run);
      const made = await run.maker.made();
      const { outcome } = await run.handle.progress();
      row.runs!++;
      row.asked! += run.wasAsked ? 1 : 0;
      row.once! += made === 1 ? 1 : 0;
      row.completed! += outcome?.status === 'completed' ? 1 : 0;
      await stack.world.control.clearFaults();
      expect({ refusal, made, status: outcome?.status }).toEqual({ refusal, made: 1, status: 'completed' });
    }
  });
});

async function approveAll(stack: Stack, userId: string, entries: object): Promise<void> {
  for (const { id, status } of await challengesOf(stack, userId))
    if (status === 'PENDING')
      await stack.world.control.call('POST', `/challenges/${id}/approve`, entries).catch(() => undefined);
}

async function walletsOf({ api }: Stack, userId: string): Promise<unknown[]> {
  const { userToken } = (await api.createUserToken({ body: { userId } })).data;
  return (await api.listWallets({}, { userToken })).data.wallets;
}
