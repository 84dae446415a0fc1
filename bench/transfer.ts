import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { buildBundle } from '../src/temporal/bundle';
import { connectWorker } from '../src/temporal/workerConnection';
import { machineLoad } from './machineLoad';
import { type BenchStack, prepare, startStack } from './stack';
import { workerReadyMs } from './workerReady';
import type { Nothing } from './workflows/bare';

/** 30 permits a second where the API has 5: they hold nothing back, and the server takes the polls of so many. */
const API_SHARE = 6;
const BARE_QUEUE = 'bare';
const READY_BUDGET_MS = 1_200;
const RATIO_BUDGET = 0.8;
const { EventType } = temporal.api.enums.v1;

export interface TransferOptions {
  /** Flows in a round. */
  count: number;
  rounds: number;
  say: (line: string) => void;
}

/**
 * Transfers a second with limits off against a bare workflow with as many activities, in turns, and how soon a worker is
 * ready (DESIGN section 9). @returns whether the budgets were kept
 */
export async function benchTransfer({ count, rounds, say }: TransferOptions): Promise<boolean> {
  prepare();
  const stack = await startStack({ workflows: 'product', apiShare: API_SHARE, say });
  const bare = await startBareWorker(stack);
  try {
    await stack.world.changeSettings({ limits: false });
    const readyMs: number[] = [];
    for (let round = 0; round < rounds; round++) readyMs.push(await workerReadyMs(stack));
    const ready = median(readyMs);
    say(`${mark(ready <= READY_BUDGET_MS)} worker process ready after ${list(readyMs, 0)} ms · load ${machineLoad()}`);

    const calls = await callsOf(stack, await transfer(stack, 'warm'));
    say(
      `A transfer is ${calls.local} local and ${calls.activities} other activities; ${count} flows at once, in turns`,
    );
    const rates: Record<'bare' | 'transfer', number[]> = { bare: [], transfer: [] };
    for (let round = 0; round < rounds; round++) {
      rates.bare.push(await rate(count, (index) => bare.run(`${round}-${index}`, calls)));
      rates.transfer.push(await rate(count, (index) => transfer(stack, `${round}-${index}`)));
    }
    const ratio = median(rates.transfer) / median(rates.bare);
    say(
      `${mark(ratio >= RATIO_BUDGET)} transfers ${list(rates.transfer, 1)}/s, bare ${list(rates.bare, 1)}/s, ` +
        `ratio ${ratio.toFixed(2)} · load ${machineLoad()}`,
    );
    say(`Budget: ready in ${READY_BUDGET_MS} ms, ratio ${RATIO_BUDGET}; medians count`);
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
  const { walletId, tokenId, destinationAddress: to, amounts } = body;
  const flow = await flows.transfer.start({ ref, from: { walletId }, to, tokenId, amount: amounts[0] });
  const outcome = await flow.result();
  if (outcome.status !== 'completed') throw new Error(`A transfer ended ${outcome.status}: ${outcome.reason}`);
  return flow.workflowId;
}

async function callsOf({ flows }: BenchStack, workflowId: string): Promise<Calls> {
  const { events } = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  const of = (type: number) => (events ?? []).filter(({ eventType }) => eventType === type).length;
  return {
    local: of(EventType.EVENT_TYPE_MARKER_RECORDED),
    activities: of(EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED),
  };
}

/** A worker with everything at the SDK's defaults, without our converters, interceptors and permits. */
async function startBareWorker(stack: BenchStack) {
  const folder = await mkdtemp(path.join(tmpdir(), 'walletflow-bench-bare-'));
  const { codePath } = await buildBundle(folder, { workflowsPath: require.resolve('./workflows') });
  const { connection, namespace } = await connectWorker(stack.temporal);
  const activities: Nothing = { doNothing: async () => {} };
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: BARE_QUEUE,
    workflowBundle: { codePath },
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
      await rm(folder, { recursive: true });
    },
  };
}

/** Flows a second. */
async function rate(count: number, run: (index: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await Promise.all(Array.from({ length: count }, (_, index) => run(index)));
  return (count * 1_000) / (performance.now() - begun);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function list(values: readonly number[], digits: number): string {
  return values.map((value) => value.toFixed(digits)).join(' ');
}

function mark(good: boolean): string {
  return good ? '✔' : '✘';
}
