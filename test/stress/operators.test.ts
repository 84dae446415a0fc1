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

/** Flows of several kinds in one world, one at a time of each kind, whose requests the API refuses in one way. */
class Column {
  readonly rows: Row[] = [];

  constructor(
    private stack: Stack,
    private readonly kinds: FlowKind[],
    private readonly refusal: Refusal,
  ) {}

  async tryEverything(): Promise<void> {
    const forgotten: { key: Key; run: Run }[] = [];
    for (const key of KEYS) {
      const ended = await Promise.all(this.kinds.map((kind) => this.tryKind(kind, key)));
      forgotten.push(...ended.map((run) => ({ key, run })));
    }
    await this.rotate();
    for (const key of KEYS) {
      const runs = forgotten.filter((each) => each.key === key).map(({ run }) => run);
      await Promise.all(
        runs.map(async (run) => {
          await this.refuse(run.kind, key);
          await this.startAgain(run);
          await this.end(run, 'history deleted, key ring rotated, started again', key);
        }),
      );
    }
  }

  /** @returns a flow that has ended, and whose history is deleted */
  private async tryKind(kind: FlowKind, key: Key): Promise<Run> {
    for (const notes of ['kept', 'deleted'] as const) {
      const run = await this.beginHindered(kind);
      await this.refuse(kind, key);
      await this.resetActivity(run, notes === 'deleted');
      await this.end(run, `activity reset, notes ${notes}`, key);
    }

    const terminated = await this.beginHindered(kind);
    await this.client.workflow.getHandle(terminated.flow.workflowId).terminate('operator');
    await this.refuse(kind, key);
    const again = await startKind(this.stack, this.stack.flows, kind, terminated.prepared.input);
    expect(again.created).toBe(false);
    await resetToLastTask(this.client, again.workflowId);
    await this.end(terminated, 'terminated, started again, reset', key);

    const reset = await this.begin(kind);
    await this.drive(reset);
    const { workflowId } = reset.flow;
    // A run after a reset may have other points than the one before.
    for (let point = 0; point < (await resettablePoints(this.client, workflowId)); point++) {
      await this.refuse(kind, key);
      await resetToTask(this.client, workflowId, point);
      await this.drive(reset);
    }
    await this.end(reset, 'workflow reset to every point', key);

    const deleted = await this.begin(kind);
    await this.drive(deleted);
    const rotated = await this.begin(kind);
    await this.drive(rotated);
    await this.forgetHistories(deleted, rotated);
    await this.refuse(kind, key);
    await this.startAgain(deleted);
    await this.end(deleted, 'history deleted, started again', key);
    return rotated;
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

  /** Starts a flow, and waits for its request. */
  private async begin(kind: FlowKind): Promise<Run> {
    const sent = async () => (await requestsOf(this.stack.world, kind.operation)).length;
    const before = await sent();
    const prepared = await kind.prepare();
    const flow = await startKind(this.stack, this.stack.flows, kind, prepared.input);
    await until(async () => {
      const progress = await flow.progress();
      // The transfer of a developer wallet asks for funds first.
      if (progress.attention && kind.waits(progress)) await kind.resolve(flow);
      return (await sent()) > before;
    }, `the request of ${kind.name}`);
    return { kind, prepared, flow, asked: new Set<string>() };
  }

  /** Starts a flow. Its request is executed, and every reply is lost. */
  private async beginHindered(kind: FlowKind): Promise<Run> {
    const { operation } = kind;
    await this.fault({ operation, count: 1, action: { drop: 'after' } });
    await this.fault({ operation, skip: 1, action: { drop: 'before' } });
    return this.begin(kind);
  }

  /** From now on the API refuses the request once. An outage lasts for two. */
  private async refuse(kind: FlowKind, key: Key): Promise<void> {
    if (key === 'forgotten') await this.control.call('DELETE', '/idempotencyKeys');
    const { operation } = kind;
    const { refusal } = this;
    const earlier = await this.faultsOf(kind);
    if (refusal === 503) await this.fault({ operation, count: 2, action: { status: 503, when: 'before' } });
    else await this.fault({ operation, count: 1, action: { status: 400, code: refusal, when: 'before' } });
    for (const { id } of earlier) await this.control.call('DELETE', `/faults/${id}`);
  }

  private async clear(kind: FlowKind): Promise<void> {
    for (const { id } of await this.faultsOf(kind)) await this.control.call('DELETE', `/faults/${id}`);
  }

  private async faultsOf({ operation }: FlowKind): Promise<{ id: string }[]> {
    const { faults } = await this.control.call<{ faults: { id: string; operation: string }[] }>('GET', '/faults');
    return faults.filter((each) => each.operation === operation);
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

  private async forgetHistories(...runs: Run[]): Promise<void> {
    const ids = runs.flatMap((run) => [run.flow.workflowId, ...this.sessionsOf(run)]);
    await forget(this.client, ...new Set(ids));
  }

  private async startAgain(run: Run): Promise<void> {
    const { kind, prepared } = run;
    const again = await startKind(this.stack, this.stack.flows, kind, prepared.input);
    expect(again.created).toBe(true);
    run.flow = again;
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

  /** Plays the end user and a person who always sends again, until the flow has ended. */
  private drive(run: Run): Promise<void> {
    return until(() => this.help(run), `the end of ${run.kind.name}, ${this.refusal}`, 240_000);
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

  /** Drives the flow to its end and notes what has come of it. */
  private async end(run: Run, action: string, key: Key): Promise<void> {
    await this.drive(run);
    const { kind, prepared, flow, asked } = run;
    await this.clear(kind);
    const { outcome } = await flow.progress();
    const made = await prepared.made(flow);
    const { refusal } = this;
    this.rows.push({ flow: kind.name, action, key, refusal, made, status: outcome?.status, asked: [...asked] });
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
