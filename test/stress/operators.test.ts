import { randomBytes } from 'node:crypto';
import { Console } from 'node:console';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { FaultSpec } from '../../src/emulator';
import { type FlowKind, flowKinds, type PreparedFlow, startKind } from '../support/flowKinds';
import { forget, resetToLastTask, resetToTask, resettablePoints } from '../support/history';
import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';
import { sessionOf } from '../support/users';

/**
 * What an operator can do to a flow whose request was executed, and whose reply was lost: reset the activity, reset the
 * workflow to every point, terminate it and go on with a reset, or delete its history and start it again, even after a
 * rotation of the key ring. Whatever the API then responds, and even if it has forgotten the idempotency key, the thing
 * exists once, or a person was asked (docs/architecture.md#effects-happen-once). `PRINT_COUNTS=1` prints the counts.
 */

const MINUTE = 60_000;
const POLICIES = {
  default: [
    {
      version: 1,
      transfer: { feeLevel: 'MEDIUM', stuck: 'ask', preflight: true },
      onboarding: { existingUser: 'adopt' },
    },
  ],
};
const REFUSALS = [155201, 155501, 156020, 503] as const;
const KEYS = ['known', 'forgotten'] as const;
type Refusal = (typeof REFUSALS)[number];
type Key = (typeof KEYS)[number];

/** Login needs a browser, and opens its challenge with the same request as the onboarding by PIN. */
const OTHER_KINDS = ['onboardUser by login'];
/** The first request of an onboarding. It is tried apart, because the flow sends the second one as well. */
const CREATE_USER = { name: 'onboardUser by PIN, createUser', operation: 'createUser' } as const;

/** One flow in one cell of the table. */
interface Run {
  kind: FlowKind;
  prepared: PreparedFlow;
  flow: FlowHandle<unknown>;
  /** Names of the questions that a person was asked. */
  asked: Set<string>;
  /** How many points it has been reset to. */
  points: number;
}

interface Row {
  flow: string;
  action: string;
  key: Key;
  refusal: Refusal;
  made: number;
  status: string | undefined;
  asked: string[];
}

/** The flows of several kinds in one world, to all of which the same things happen at the same time. */
class Column {
  private readonly kinds: FlowKind[];
  private runs: Run[] = [];
  readonly rows: Row[] = [];

  constructor(
    private stack: Stack,
    kinds: FlowKind[],
    private readonly refusal: Refusal,
  ) {
    this.kinds = kinds;
  }

  /** All actions for both states of the keys. */
  async tryEverything(): Promise<void> {
    for (const key of KEYS) {
      for (const notes of ['kept', 'deleted'] as const) {
        await this.begin(true);
        await this.refuse(key);
        for (const run of this.runs) await this.resetActivity(run, notes === 'deleted');
        await this.end(`activity reset, notes ${notes}`, key);
      }
      await this.begin(true);
      for (const { flow } of this.runs) await this.workflow(flow).terminate('operator');
      await this.refuse(key);
      for (const run of this.runs) {
        const again = await startKind(this.stack, this.stack.flows, run.kind, run.prepared.input);
        expect(again.created).toBe(false);
        await resetToLastTask(this.client, run.flow.workflowId);
      }
      await this.end('terminated, started again, reset', key);

      await this.begin(false);
      await this.drive();
      for (;;) {
        const open = [];
        for (const run of this.runs)
          if (run.points < (await resettablePoints(this.client, run.flow.workflowId))) open.push(run);
        if (open.length === 0) break;
        await this.refuse(key);
        await Promise.all(open.map((run) => resetToTask(this.client, run.flow.workflowId, run.points++)));
        await this.drive();
      }
      await this.end('workflow reset to every point', key);

      await this.begin(false);
      await this.drive();
      await this.forgetHistories();
      await this.refuse(key);
      await this.startAgain();
      await this.end('history deleted, started again', key);
    }
    const before: Record<Key, Run[]> = { known: [], forgotten: [] };
    for (const key of KEYS) {
      await this.begin(false);
      await this.drive();
      await this.forgetHistories();
      before[key] = this.runs;
    }
    await this.rotate();
    for (const key of KEYS) {
      this.runs = before[key];
      await this.refuse(key);
      await this.startAgain();
      await this.end('history deleted, key ring rotated, started again', key);
    }
  }

  close(): Promise<void> {
    return this.stack.close();
  }

  private get control() {
    return this.stack.world.control;
  }

  private get client() {
    return this.stack.flows.client;
  }

  private workflow({ workflowId }: FlowHandle<unknown>) {
    return this.client.workflow.getHandle(workflowId);
  }

  /** Starts a flow of each kind. Its request is executed, and its reply is lost; with `lost`, every further one too. */
  private async begin(lost: boolean): Promise<void> {
    await this.control.clearFaults();
    await this.control.clearJournal();
    for (const { operation } of this.kinds) {
      await this.fault({ operation, count: 1, action: { drop: 'after' } });
      if (lost) await this.fault({ operation, skip: 1, action: { drop: 'before' } });
    }
    this.runs = await Promise.all(
      this.kinds.map(async (kind) => {
        const prepared = await kind.prepare();
        const flow = await startKind(this.stack, this.stack.flows, kind, prepared.input);
        return { kind, prepared, flow, asked: new Set<string>(), points: 0 };
      }),
    );
    await Promise.all(
      this.runs.map((run) =>
        until(async () => {
          const progress = await run.flow.progress();
          // The transfer of a developer wallet asks for funds first.
          if (progress.attention && run.kind.waits(progress)) await run.kind.resolve(run.flow);
          return (await requestsOf(this.stack.world, run.kind.operation)).length > 0;
        }, `the request of ${run.kind.name}`),
      ),
    );
  }

  /** From now on the API refuses the request once. An outage lasts for two. */
  private async refuse(key: Key): Promise<void> {
    await this.control.clearFaults();
    if (key === 'forgotten') await this.control.call('DELETE', '/idempotencyKeys');
    const { refusal } = this;
    for (const { operation } of this.kinds) {
      if (refusal === 503) await this.fault({ operation, count: 2, action: { status: 503, when: 'before' } });
      else await this.fault({ operation, count: 1, action: { status: 400, code: refusal, when: 'before' } });
    }
  }

  private fault(spec: FaultSpec) {
    return this.control.addFault(spec);
  }

  /** A challenge is requested by the session of its user. */
  private async resetActivity(run: Run, resetHeartbeat: boolean): Promise<void> {
    for (const workflowId of [run.flow.workflowId, ...this.sessionsOf(run)])
      await this.client.workflowService
        .resetActivity({ namespace: 'default', execution: { workflowId }, type: run.kind.operation, resetHeartbeat })
        // A request without a key is not sent again, so its activity is over.
        .catch(() => undefined);
  }

  private sessionsOf({ kind, prepared: { input } }: Run): string[] {
    const { userId = kind.userId } = input as { userId?: string };
    return userId === undefined ? [] : [sessionOf(this.stack, userId)];
  }

  private async forgetHistories(): Promise<void> {
    await forget(this.client, ...this.runs.flatMap((run) => [run.flow.workflowId, ...this.sessionsOf(run)]));
  }

  private async startAgain(): Promise<void> {
    for (const run of this.runs) {
      const again = await startKind(this.stack, this.stack.flows, run.kind, run.prepared.input);
      expect(again.created).toBe(true);
      run.flow = again;
    }
  }

  /** Rotates the key ring: the next processes encrypt with a new key. */
  private async rotate(): Promise<void> {
    const { identity, current, keys } = this.stack.keyRingFile;
    const added = { ...keys, next: randomBytes(32).toString('base64') };
    expect(current).not.toBe('next');
    const { stack } = this;
    await stack.close();
    this.stack = await startStack({
      policies: POLICIES,
      after: { stack, keyRingFile: { identity, current: 'next', keys: added } },
    });
    await this.control.setSpeed(0.001);
  }

  /** Plays the end users and a person who always sends again, until all flows have ended. */
  private async drive(): Promise<void> {
    await Promise.all(
      this.runs.map((run) => until(() => this.help(run), `the end of ${run.kind.name}, ${this.refusal}`, 240_000)),
    );
  }

  /** @returns whether the flow has ended */
  private async help({ kind, flow, asked }: Run): Promise<boolean> {
    const progress = await flow.progress();
    const { outcome, attention } = progress;
    if (outcome) return true;
    await this.control.advance(5 * MINUTE);
    if (attention && attention.options.length > 0) {
      asked.add(attention.name);
      const choices = attention.options.map(({ choice }) => choice);
      const choice = ['retry', 'keepWaiting', 'lookAgain'].find((each) => choices.includes(each)) ?? 'giveUp';
      await flow.decide(choice, await this.stack.as('ops')).catch(() => undefined);
    } else if (kind.waits(progress)) {
      await kind.resolve(flow).catch(() => undefined);
    }
    await sleep(100);
    return false;
  }

  /** Drives the flows to their ends and notes what has come of them. */
  private async end(action: string, key: Key): Promise<void> {
    await this.drive();
    await this.control.clearFaults();
    for (const { kind, prepared, flow, asked } of this.runs) {
      const { outcome } = await flow.progress();
      const made = await prepared.made(flow);
      const { refusal } = this;
      this.rows.push({ flow: kind.name, action, key, refusal, made, status: outcome?.status, asked: [...asked] });
    }
  }
}

async function openColumn(refusal: Refusal, choose: (kinds: FlowKind[]) => FlowKind[]): Promise<Column> {
  const stack = await startStack({ policies: POLICIES, settings: { challengeLifetimeMs: null, limits: false } });
  const kinds = choose((await flowKinds(stack)).filter(({ name }) => !OTHER_KINDS.includes(name)));
  await stack.world.control.setSpeed(0.001);
  return new Column(stack, kinds, refusal);
}

test('one thing each, or a person is asked', async () => {
  const createUser = (kinds: FlowKind[]) =>
    kinds.filter(({ name }) => name === 'onboardUser by PIN').map((kind) => ({ ...kind, ...CREATE_USER }));
  const columns = await Promise.all(
    REFUSALS.flatMap((refusal) => [openColumn(refusal, (kinds) => kinds), openColumn(refusal, createUser)]),
  );
  const tried = await Promise.allSettled(columns.map((column) => column.tryEverything()));
  const rows = columns.flatMap((column) => column.rows);
  if (process.env.PRINT_COUNTS) print(rows);
  await Promise.all(columns.map((column) => column.close()));
  expect(tried.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(rows.filter(({ made, status }) => made !== 1 || status !== 'completed')).toEqual([]);
});

/** The counts over all refusals. */
function print(rows: Row[]): void {
  const counts: Record<string, Record<string, number | string>> = {};
  for (const { flow, action, key, made, status, asked } of rows) {
    const row = (counts[`${flow}: ${action}, key ${key}`] ??= {
      runs: 0,
      once: 0,
      completed: 0,
      asked: 0,
      questions: '',
    });
    row.runs = (row.runs as number) + 1;
    row.once = (row.once as number) + (made === 1 ? 1 : 0);
    row.completed = (row.completed as number) + (status === 'completed' ? 1 : 0);
    row.asked = (row.asked as number) + (asked.length > 0 ? 1 : 0);
    row.questions = [...new Set([...String(row.questions).split(' ').filter(Boolean), ...asked])].join(' ');
  }
  new Console(process.stdout).table(counts);
}
