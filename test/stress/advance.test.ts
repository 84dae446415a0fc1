import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { DefaultLogger, type NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createAdvance, type SteppedWorld } from '../../src/dev/advance';
import { type DevServer, startDevServer } from '../../src/dev/devServer';
import { flowQueue } from '../../src/domain/activityTable';
import { ActivityEnvelopes } from '../../src/temporal/activityEnvelopes';
import { buildBundle, type LoadedBundle } from '../../src/temporal/bundle';
import { connectClient } from '../../src/temporal/connection';
import { connectWorker } from '../../src/temporal/workerConnection';
import { comparableEvents } from '../support/history';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Virtual time between due time and attempt: the real time that a step takes, plus steps of up to a second. */
const TOLERANCE = 30 * SECOND;

const MAX_DELAY = 12 * HOUR;
const nextDelay = (attempt: number) => Math.min(MINUTE * 2 ** (attempt - 1), MAX_DELAY);

/** A clock that moves only on request, with events scheduled on it. */
class FakeWorld implements SteppedWorld {
  #now = Date.parse('2030-01-01T00:00:00Z');
  #events: { at: number; run: () => Promise<void> | void }[] = [];

  async now(): Promise<Date> {
    return new Date(this.#now);
  }

  async nextDue(until: Date): Promise<Date | undefined> {
    const [next] = this.#events;
    return next && next.at <= until.getTime() ? new Date(next.at) : undefined;
  }

  async advanceTo(time: Date): Promise<void> {
    this.#now = Math.max(this.#now, time.getTime());
    while (this.#events[0] && this.#events[0].at <= this.#now) await this.#events.shift()!.run();
  }

  in(delay: number, run: () => Promise<void> | void): void {
    this.#events.push({ at: this.#now + delay, run });
    this.#events.sort((a, b) => a.at - b.at);
  }
}

interface Attempt {
  /** Epoch milliseconds on the world's clock and on the flow's. */
  world: number;
  flow: number;
}

let server: DevServer;
let client: Client;
let connection: NativeConnection;
let bundle: LoadedBundle;
let folder: string;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-advance-'));
  server = await startDevServer();
  [client, { connection }, bundle] = await Promise.all([
    connectClient([], server),
    connectWorker(server),
    buildBundle(folder, { workflowsPath: require.resolve('../support/temporalWorkflows') }),
  ]);
});

afterAll(async () => {
  await connection.close();
  await client.connection.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Runs a worker during `test`. Its activity `poll` succeeds once `isThere` returns true and records its attempts. */
async function withWorker(
  world: FakeWorld,
  isReady: () => boolean,
  test: (entity: string, attempts: Attempt[]) => Promise<void>,
): Promise<void> {
  const entity = `advance-${crypto.randomUUID()}`;
  const attempts: Attempt[] = [];
  const poll = async (): Promise<string> => {
    const { attempt, currentAttemptScheduledTimestampMs } = Context.current().info;
    attempts.push({ world: (await world.now()).getTime(), flow: currentAttemptScheduledTimestampMs });
    if (isReady()) return 'done';
    throw ApplicationFailure.create({ type: 'NotYet', nextRetryDelay: nextDelay(attempt), category: 'BENIGN' });
  };
  const worker = await Worker.create({
    connection,
    taskQueue: flowQueue(entity),
    workflowBundle: bundle,
    activities: { poll },
    // As in the product's workers. A flow refuses a result without an envelope.
    interceptors: { activity: [(context) => ({ inbound: new ActivityEnvelopes(context, entity) })] },
  });
  await worker.runUntil(() => test(entity, attempts));
}

const gaps = (times: number[]) => times.slice(1).map((time, i) => time - times[i]!);

/** Starts a flow that polls and makes its poll succeed after `delay` milliseconds. @returns its attempts and its history */
async function pollFor(delay: number): Promise<{ attempts: Attempt[]; events: string[] }> {
  const world = new FakeWorld();
  let ready = false;
  let seen: Awaited<ReturnType<typeof pollFor>> | undefined;
  await withWorker(
    world,
    () => ready,
    async (entity, attempts) => {
      const handle = await client.workflow.start('awaitPoll', { workflowId: entity, taskQueue: flowQueue(entity) });
      world.in(delay, () => void (ready = true));
      const advance = createAdvance({ client, world, flows: () => [entity] });
      await advance(delay + MAX_DELAY);
      expect(await handle.result()).toBe('done');
      seen = { attempts, events: comparableEvents(await handle.fetchHistory()) };
    },
  );
  return seen!;
}

test('an activity that polls for 30 days is retried at the right times', async () => {
  const { attempts } = await pollFor(30 * DAY);

  const expected: number[] = [];
  for (let time = 0; time < 30 * DAY; time += nextDelay(expected.length)) expected.push(nextDelay(expected.length + 1));
  expect(attempts).toHaveLength(expected.length + 1);
  for (const times of [attempts.map(({ world }) => world), attempts.map(({ flow }) => flow)]) {
    gaps(times).forEach((gap, i) => {
      expect(gap).toBeGreaterThan(expected[i]! - TOLERANCE);
      expect(gap).toBeLessThan(expected[i]! + TOLERANCE);
    });
  }
});

test('a wait of one minute and a wait of 30 days leave the same history', async () => {
  const [minute, month] = [await pollFor(MINUTE), await pollFor(30 * DAY)];
  expect(month.attempts.length).toBeGreaterThan(minute.attempts.length);
  expect(month.events).toEqual(minute.events);
  expect(minute.events).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    'ACTIVITY_TASK_SCHEDULED poll',
    'ACTIVITY_TASK_STARTED',
    'ACTIVITY_TASK_COMPLETED',
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

test('timers fire on time and in order, even in a flow that starts later and in a parent that waits for its child', async () => {
  const world = new FakeWorld();
  const order: string[] = [];
  await withWorker(
    world,
    () => false,
    async (entity) => {
      const ids = new Set<string>();
      const start = async (name: string, type: string, args: unknown[]) => {
        const workflowId = `${entity}/${name}`;
        ids.add(workflowId);
        const handle = await client.workflow.start(type, { workflowId, taskQueue: flowQueue(entity), args });
        void handle.result().then(
          async () => order.push(`${name} ${Math.round(((await world.now()).getTime() - startedAt) / DAY)}`),
          (error: unknown) => order.push(String(error)),
        );
        return handle;
      };
      const startedAt = (await world.now()).getTime();
      await start('two days', 'sleepDays', [2]);
      await start('parent', 'sleepAfterChild', [3]);
      world.in(1 * DAY, async () => void (await start('from day one', 'sleepDays', [4])));
      world.in(2.5 * DAY, () => void order.push('world 2'));
      const advance = createAdvance({ client, world, flows: () => [...ids] });

      await advance(4 * DAY);
      expect(order).toEqual(['two days 2', 'world 2']);
      await advance(3 * DAY);
      expect(order).toEqual(['two days 2', 'world 2', 'from day one 5', 'parent 6']);
    },
  );
});

test('a flow that waits only for a signal advances with the world and gets the signal at the right time', async () => {
  const world = new FakeWorld();
  await withWorker(
    world,
    () => false,
    async (entity) => {
      const handle = await client.workflow.start('awaitSignal', { workflowId: entity, taskQueue: flowQueue(entity) });
      world.in(10 * DAY, () => handle.signal('wake'));
      await createAdvance({ client, world, flows: () => [entity] })(30 * DAY);
      expect(await handle.result()).toBeCloseTo(10, 1);
    },
  );
});

test('a signal wakes a flow between two attempts without causing another attempt', async () => {
  const world = new FakeWorld();
  await withWorker(
    world,
    () => false,
    async (entity, attempts) => {
      const handle = await client.workflow.start('pollUntilSignalled', {
        workflowId: entity,
        taskQueue: flowQueue(entity),
      });
      const startedAt = (await world.now()).getTime();
      let ended = NaN;
      const end = handle.result().then(async () => (ended = (await world.now()).getTime() - startedAt));
      world.in(10 * DAY, () => handle.signal('wake'));
      await createAdvance({ client, world, flows: () => [entity] })(20 * DAY);
      await end;
      expect(Math.abs(ended - 11 * DAY)).toBeLessThan(TOLERANCE);
      gaps(attempts.map((attempt) => attempt.world)).forEach((gap, i) => {
        expect(Math.abs(gap - nextDelay(i + 1))).toBeLessThan(TOLERANCE);
      });
    },
  );
});
