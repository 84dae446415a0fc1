import { randomBytes } from 'node:crypto';
import { Console } from 'node:console';
import { setTimeout as sleep } from 'node:timers/promises';
import { FlowInterruptedError, FlowNotReachableError } from '../../src/client/errors';
import type { FlowHandle } from '../../src/client/flowHandle';
import { fastForward } from '../../src/dev/advance';
import type { Progress } from '../../src/domain/progress';
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
 * exists once, or a person was asked (docs/architecture.md#effects-happen-once). Where the API shows no reference, a flow
 * without its history asks its user or the faucet again (docs/operations.md#resetting-a-flow). `PRINT_COUNTS=1` prints the
 * counts. Each flow meets one of the refusals, with the key known or forgotten; with `EVERY_REFUSAL=1` all of them, with both.
 */

const MINUTE = 60_000;
/** From then on a flow's time is skipped. Before, a session after a reset hears what its flows wait for. */
const LONG_WAIT_MS = 10_000;
/**
 * Each look is a query, and a flow that is queried while a local activity runs may get a history that does not replay
 * (docs/architecture.md#code-changes-never-break-running-flows). This table is not about that.
 */
const HELP_EVERY_MS = 500;
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
/** What is done, and whether the flow's history is gone then. */
const ACTIONS = {
  'activity reset': false,
  'activity reset, notes deleted': false,
  'terminated, started again, reset': false,
  'reset to every point': false,
  'history deleted, started again': true,
  'history deleted, keys rotated, started again': true,
} as const;
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
  /** What other flows of the same user have made since this one was prepared. */
  others: number;
}

interface Row {
  flow: string;
  action: keyof typeof ACTIONS;
  key: Key;
  refusal: Refusal;
  made: number;
  status: string | undefined;
  asked: string[];
  isExpected: boolean;
}

/** Flows of several kinds in one world, one at a time of each kind, whose requests the API refuses in one way. */
class Column {
  readonly rows: Row[] = [];

  constructor(
    /** A rotation replaces its stack. */
    private readonly current: { stack: Stack },
    readonly kinds: readonly FlowKind[],
    private readonly refusal: Refusal,
    readonly keys: readonly Key[],
  ) {}

  async tryEverything(): Promise<void> {
    const forgotten: { key: Key; run: Run }[] = [];
    for (const key of this.keys) {
      const ended = await Promise.all(this.kinds.map((kind) => this.tryKind(kind, key)));
      forgotten.push(...ended.map((run) => ({ key, run })));
    }
    await this.rotate();
    for (const key of this.keys) {
      const runs = forgotten.filter((each) => each.key === key).map(({ run }) => run);
      await Promise.all(
        runs.map(async (run) => {
          run.others += await this.madeByUser(run);
          await this.refuse(run.kind, key);
          await this.startAgain(run);
          await this.end(run, 'history deleted, keys rotated, started again', key);
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
      await this.end(run, notes === 'kept' ? 'activity reset' : 'activity reset, notes deleted', key);
    }

    const terminated = await this.beginHindered(kind);
    await this.client.workflow.getHandle(terminated.flow.workflowId).terminate('operator');
    await this.refuse(kind, key);
    await this.refuseToStart(terminated);
    await resetToLastTask(this.client, terminated.flow.workflowId);
    await this.end(terminated, 'terminated, started again, reset', key);

    const reset = await this.begin(kind);
    await this.drive(reset);
    const { workflowId } = reset.flow;
    // A run after a reset may have other points than the one before. It looks before it sends, so the columns share the points.
    const first = REFUSALS.indexOf(this.refusal);
    for (let point = first; point < (await resettablePoints(this.client, workflowId)); point += REFUSALS.length) {
      await this.refuse(kind, key);
      await resetToTask(this.client, workflowId, point);
      await this.drive(reset);
    }
    await this.end(reset, 'reset to every point', key);

    const deleted = await this.begin(kind);
    await this.drive(deleted);
    await this.forgetHistories(deleted);
    await this.refuse(kind, key);
    await this.startAgain(deleted);
    await this.end(deleted, 'history deleted, started again', key);

    const rotated = await this.begin(kind);
    await this.drive(rotated);
    rotated.others = -(await this.madeByUser(rotated));
    await this.forgetHistories(rotated);
    return rotated;
  }

  close(): Promise<void> {
    return this.stack.close();
  }

  private get stack() {
    return this.current.stack;
  }

  private get control() {
    return this.stack.world.control;
  }

  private get client() {
    return this.stack.flows.client;
  }

  /** Starts a flow, and waits until its request is executed. The API may first refuse a token that has expired meanwhile. */
  private async begin(kind: FlowKind): Promise<Run> {
    const executed = async () =>
      (await requestsOf(this.stack.world, kind.operation)).filter(({ committed }) => committed).length;
    const before = await executed();
    const prepared = await kind.prepare();
    const flow = await startKind(this.stack, this.stack.flows, kind, prepared.input);
    await until(async () => {
      // The transfer of a developer wallet asks for funds first.
      const progress = await this.progressOf(flow);
      if (progress?.attention && kind.waits(progress)) await kind.resolve(flow).catch(() => undefined);
      return (await executed()) > before;
    }, `the request of ${kind.name}`);
    return { kind, prepared, flow, asked: new Set<string>(), others: 0 };
  }

  /** Starts a flow. Its request is executed, and every reply is lost. */
  private async beginHindered(kind: FlowKind): Promise<Run> {
    await this.fault({ operation: kind.operation, action: { drop: 'after' } });
    return this.begin(kind);
  }

  /** From now on the API refuses the request once. An outage lasts for two. */
  private async refuse(kind: FlowKind, key: Key): Promise<void> {
    const { operation } = kind;
    const { refusal } = this;
    // Without this, a repetition could be executed while the API has forgotten its key and does not refuse it yet.
    await this.fault({ operation, action: { drop: 'before' } });
    if (key === 'forgotten') await this.control.call('DELETE', '/idempotencyKeys');
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
    if (!again.created) throw new Error(`${kind.name}: the second start found a history`);
    run.flow = again;
  }

  /** A second start of a terminated flow says that it has to be reset. */
  private async refuseToStart({ kind, prepared }: Run): Promise<void> {
    const again = startKind(this.stack, this.stack.flows, kind, prepared.input);
    const said = await again.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(said instanceof FlowInterruptedError)) throw new Error(`${kind.name}: the second start said ${String(said)}`);
  }

  /** How many things the flows of this user have made since the run was prepared. 0 if no other flow has the same user. */
  private async madeByUser({ kind, prepared, flow }: Run): Promise<number> {
    return kind.userId === undefined ? 0 : prepared.made(flow);
  }

  /** Rotates the key ring: the next processes encrypt with a new key. */
  private async rotate(): Promise<void> {
    const { stack } = this;
    const { identity, keys } = stack.keyRingFile;
    const added = { ...keys, next: randomBytes(32).toString('base64') };
    await stack.close();
    this.current.stack = await startStack({
      policies: POLICIES,
      after: { stack, keyRingFile: { identity, current: 'next', keys: added } },
    });
    await this.control.setSpeed(0.001);
  }

  /** A flow that goes on for long waits for its next poll, or looks again and again for what its request may have made. */
  private async shortenWaits(run: Run): Promise<void> {
    for (const id of [run.flow.workflowId, ...this.sessionsOf(run)]) await fastForward(this.client, { id }, 5 * MINUTE);
  }

  /** Plays the end user and a person who always sends again, until the flow has ended. */
  private drive(run: Run): Promise<void> {
    const shortenAt = Date.now() + LONG_WAIT_MS;
    return until(() => this.help(run, shortenAt), `the end of ${run.kind.name}, ${this.refusal}`, 10 * MINUTE);
  }

  /** @returns undefined if a busy worker has not answered in time */
  private async progressOf(flow: FlowHandle<unknown>): Promise<Progress | undefined> {
    const progress = await flow.progress().catch((error: unknown) => {
      if (!(error instanceof FlowNotReachableError)) throw error;
    });
    return progress?.input === undefined ? undefined : progress;
  }

  /** @returns whether the flow has ended */
  private async help(run: Run, shortenAt: number): Promise<boolean> {
    const { kind, flow, asked } = run;
    const progress = await this.progressOf(flow);
    if (!progress) return false;
    const { outcome, attention } = progress;
    if (outcome) return true;
    await this.control.advance(5 * MINUTE);
    if (Date.now() >= shortenAt) await this.shortenWaits(run);
    if (attention && attention.options.length > 0) {
      asked.add(attention.name);
      const choices = attention.options.map(({ choice }) => choice);
      const choice = ['retry', 'keepWaiting', 'lookAgain'].find((each) => choices.includes(each)) ?? 'giveUp';
      await flow.decide(choice, await this.stack.as('ops')).catch(() => undefined);
    } else if (kind.waits(progress)) {
      await kind.resolve(flow).catch(() => undefined);
    }
    await sleep(HELP_EVERY_MS);
    return false;
  }

  /** Drives the flow to its end and notes what has come of it. */
  private async end(run: Run, action: keyof typeof ACTIONS, key: Key): Promise<void> {
    await this.drive(run);
    const { kind, prepared, flow, asked, others } = run;
    await this.clear(kind);
    const { outcome } = await flow.progress();
    const made = (await prepared.made(flow)) - others;
    const { refusal } = this;
    // A second flow cannot see what the first one has made. If its own request is refused, it truly fails.
    const isAnonymous = kind.anonymous === true && ACTIONS[action];
    const isExpected =
      outcome?.status === 'failed'
        ? (kind.instant && made === 0) || (isAnonymous && made === 1)
        : outcome?.status === 'completed' && (made === 1 || (isAnonymous && made === 2));
    const status = outcome?.status;
    this.rows.push({ flow: kind.name, action, key, refusal, made, status, asked: [...asked], isExpected });
  }
}

/** The kinds that meet this refusal. */
function meeting(refusal: Refusal, kinds: readonly FlowKind[]): FlowKind[] {
  const first = REFUSALS.indexOf(refusal);
  return kinds.filter((_, index) => process.env.EVERY_REFUSAL || index % REFUSALS.length === first);
}

async function openColumn(
  refusal: Refusal,
  choose: (kinds: FlowKind[]) => FlowKind[],
  keys: readonly Key[],
): Promise<Column> {
  const stack = await startStack({ policies: POLICIES, settings: { challengeLifetimeMs: null, limits: false } });
  const current = { stack };
  const kinds = choose((await flowKinds(() => current.stack)).filter(({ name }) => !OTHER_KINDS.includes(name)));
  await stack.world.control.setSpeed(0.001);
  return new Column(current, kinds, refusal, keys);
}

const createUser = (kinds: readonly FlowKind[]) =>
  kinds.filter(({ name }) => name === 'onboardUser by PIN').map((kind) => ({ ...kind, ...CREATE_USER }));

// Flows look in many cells for more than a minute for what a request without a reference may have made.
jest.setTimeout(30 * MINUTE);

describe('one thing each, or a person is asked, whatever an operator does and the API responds', () => {
  const all: Row[] = [];
  afterAll(() => {
    if (process.env.PRINT_COUNTS) print(all);
  });

  test.each(REFUSALS)('%d', async (refusal) => {
    const half = (rest: number) => (kinds: FlowKind[]) =>
      meeting(refusal, kinds).filter((_, index) => index % 2 === rest);
    const choices = [half(0), half(1)];
    if (refusal === REFUSALS[0] || process.env.EVERY_REFUSAL) choices.push(createUser);
    const keysOf = (index: number) => (process.env.EVERY_REFUSAL ? KEYS : KEYS.slice(index % 2, (index % 2) + 1));
    const columns = await Promise.all(choices.map((choose, index) => openColumn(refusal, choose, keysOf(index))));
    const tried = await Promise.allSettled(columns.map((column) => column.tryEverything()));
    const rows = columns.flatMap((column) => column.rows);
    all.push(...rows);
    const failures = tried.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    // A column whose rotation has failed may be closed already. Its failure is the one to show.
    for (const column of columns) await column.close().catch((error: unknown) => failures.push(String(error)));
    expect(failures).toEqual([]);
    expect(rows.filter(({ isExpected }) => !isExpected)).toEqual([]);
    const cells = columns.map(({ kinds, keys }) => kinds.length * Object.keys(ACTIONS).length * keys.length);
    expect(rows).toHaveLength(cells.reduce((sum, count) => sum + count, 0));
  });
});

/** The counts over all refusals. */
function print(rows: Row[]): void {
  const counts: Record<string, Record<string, number | string>> = {};
  const nameOf = ({ flow, action, key }: Row) => `${flow}: ${action}, key ${key}`;
  for (const name of new Set(rows.map(nameOf))) {
    const cells = rows.filter((row) => nameOf(row) === name);
    const count = (matches: (row: Row) => boolean) => cells.filter(matches).length;
    counts[name] = {
      runs: cells.length,
      none: count(({ made }) => made === 0),
      once: count(({ made }) => made === 1),
      twice: count(({ made }) => made > 1),
      completed: count(({ status }) => status === 'completed'),
      asked: count(({ asked }) => asked.length > 0),
      questions: [...new Set(cells.flatMap(({ asked }) => asked))].join(' '),
    };
  }
  new Console(process.stdout).table(counts);
}
