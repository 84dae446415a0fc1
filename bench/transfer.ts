import { Client, type Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { connectWorker } from '../src/temporal/workerConnection';
import { machineLoad } from './machineLoad';
import { type BenchStack, installBenchRuntime, startStack, transferInput } from './stack';
import { workerReadyMs } from './workerReady';
import type { BareActivities } from './workflows/bare';

/** 30 permits per second instead of the API's 5: permits do not limit the rate. */
const API_SHARE = 6;
const BARE_QUEUE = 'bare';
const READY_BUDGET_MS = 1_200;
const RATIO_BUDGET = 0.8;
const { EventType } = temporal.api.enums.v1;

export interface TransferOptions {
  /** Flows per round. */
  count: number;
  rounds: number;
  print: (line: string) => void;
}

/**
 * Compares transfers per second, without limits, with a bare workflow that has as many activities, and measures how fast a
 * worker is ready.
 * @returns whether the budgets were met
 */
export async function benchTransfer({ count, rounds, print }: TransferOptions): Promise<boolean> {
  installBenchRuntime();
  const stack = await startStack({ workflows: 'product', apiShare: API_SHARE, print });
  const bare = await startBareWorker(stack);
  try {
    await stack.world.changeSettings({ limits: false });
    const readyMs: number[] = [];
    for (let round = 0; round < rounds; round++) readyMs.push(await workerReadyMs(stack));
    const ready = median(readyMs);
    print(
      `${mark(ready <= READY_BUDGET_MS)} worker process ready after ${list(readyMs, 0)} ms · load ${machineLoad()}`,
    );

    const calls = await callsOf(stack, await transfer(stack, 'warm'));
    print(
      `A transfer has ${calls.local} local and ${calls.activities} other activities; ${count} concurrent flows per round`,
    );
    const rates: Record<'bare' | 'transfer', number[]> = { bare: [], transfer: [] };
    for (let round = 0; round < rounds; round++) {
      rates.bare.push(await rate(count, (index) => bare.run(`${round}-${index}`, calls)));
      rates.transfer.push(await rate(count, (index) => transfer(stack, `${round}-${index}`)));
    }
    const ratio = median(rates.transfer) / median(rates.bare);
    print(
      `${mark(ratio >= RATIO_BUDGET)} transfers ${list(rates.transfer, 1)}/s, bare ${list(rates.bare, 1)}/s, ` +
        `ratio ${ratio.toFixed(2)} · load ${machineLoad()}`,
    );
    print(`Budget: ready in ${READY_BUDGET_MS} ms, ratio ${RATIO_BUDGET}; both as medians`);
    return ready <= READY_BUDGET_MS && ratio >= RATIO_BUDGET;
  } finally {
    await bare.close();
    await stack.close();
  }
}

interface Calls {
  local: number;
  activities: number;
}

/** Runs a transfer to its end. @returns its workflow id */
async function transfer({ flows, body }: BenchStack, ref: string): Promise<string> {
  const flow = await flows.transfer.start({ ...transferInput(body), ref });
  const outcome = await flow.result();
  if (outcome.status !== 'completed') throw new Error(`A transfer ended ${outcome.status}: ${outcome.reason}`);
  return flow.workflowId;
}

async function callsOf({ flows }: BenchStack, workflowId: string): Promise<Calls> {
  const { events } = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  const countOf = (type: number) => (events ?? []).filter(({ eventType }) => eventType === type).length;
  return {
    local: countOf(EventType.EVENT_TYPE_MARKER_RECORDED),
    activities: countOf(EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED),
  };
}

/** Starts a worker with the SDK's defaults, without the project's converters, interceptors and permits. */
async function startBareWorker(stack: BenchStack) {
  // The project's own bundles hold its interceptors, which refuse what a plain client starts.
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: require.resolve('./workflows'),
    logger: new DefaultLogger('ERROR'),
  });
  const { connection, namespace } = await connectWorker(stack.temporal);
  const activities: BareActivities = { doNothing: async () => {} };
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: BARE_QUEUE,
    workflowBundle,
    activities,
  });
  const running = worker.run();
  const client = new Client({ connection: stack.flows.client.connection as Connection, namespace });
  return {
    run: (id: string, calls: Calls) =>
      client.workflow.execute('bare', { workflowId: `bare-${id}`, taskQueue: BARE_QUEUE, args: [calls] }),
    async close() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

/** Flows per second. */
async function rate(count: number, run: (index: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: count }, (_, index) => run(index)));
  return (count * 1_000) / (performance.now() - startedAt);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function list(values: readonly number[], digits: number): string {
  return values.map((value) => value.toFixed(digits)).join(' ');
}

function mark(met: boolean): string {
  return met ? '✔' : '✘';
}
