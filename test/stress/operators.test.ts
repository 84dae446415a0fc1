import type { FlowHandle } from '../../src/client/flowHandle';
import type { OperationId } from '../../src/api/contract';
import { resetToTask, resettablePoints } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
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
};

const REFUSALS = [155201, 155501, 156020, 503] as const;
const KEYS = ['known', 'forgotten'] as const;

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
    const execution = { workflowId: this.handle.workflowId };
    await this.client.workflowService.resetActivity({
      namespace: 'default',
      execution,
      type: operation,
      resetHeartbeat,
    });
    await this.drive();
  }

  async resetWorkflow(): Promise<void> {
    await this.begin();
    await this.control.clearFaults();
    await this.drive();
    const { workflowId } = this.handle;
    // A run after a reset may have fewer points than the one before.
    for (let point = 0; point < (await resettablePoints(this.client, workflowId)); point++) {
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

  /** Plays a person who chooses to send again, until the flow ends. */
  private async drive(): Promise<void> {
    let retries = 0;
    await until(
      async () => {
        const { outcome, attention } = await this.handle.progress();
        if (outcome) return true;
        if (attention && attention.options.length > 0) {
          this.wasAsked = true;
          const choices = attention.options.map(({ choice }) => choice);
          const choice = choices.includes('retry') && retries++ < 2 ? 'retry' : 'giveUp';
          await this.handle.decide(choice, await this.stack.as('ops')).catch(() => undefined);
        }
        return false;
      },
      `the end of ${this.handle.workflowId}`,
      240_000,
    );
  }
}

const CELLS = Object.keys(FLOWS).flatMap((flow) =>
  Object.keys(ACTIONS).flatMap((action) => KEYS.map((key) => ({ flow, action, key }))),
);
const counts: Record<string, Record<string, number>> = {};

describe('what an operator does', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({
      speed: FAST,
      policies: POLICIES,
      settings: { challengeLifetimeMs: null, limits: false },
    });
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
