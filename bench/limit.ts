import { tsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../src/api/contract/endpoint';
import { PRIORITIES, type Priority } from '../src/client/flowStarter';
import { flowQueue } from '../src/domain/activityTable';
import type { JournalEntry } from '../src/emulator';
import { machineLoad } from './machineLoad';
import { shareUsed } from './share';
import { type BenchStack, installBenchRuntime, startStack } from './stack';
import type { SubmitInput } from './workflows/submit';

const { EventType } = temporal.api.enums.v1;

const PER_SECOND = LIMITS.post;
/** The share is measured while at least this many tasks wait. */
const MIN_WAITING = 10;
const URGENT_COUNT = 5;
/** The urgent flows start once this share of the bulk has been sent. */
const URGENT_AFTER_SHARE = 0.25;

export interface LimitOptions {
  /** Number of bulk submissions. */
  count: number;
  /** Latencies before the limit counts a request, uniformly distributed over `meanMs` ± `jitterMs`. */
  latencies: readonly { meanMs: number; jitterMs: number }[];
  print: (line: string) => void;
}

interface Measured {
  /** 0 to 1. */
  share: number;
  /** Responses with status 429. */
  refused: number;
  requests: number;
  /** Time from the start of the urgent flows to the end of each, ascending. */
  urgentMs: number[];
}

/**
 * Measures how much of a strict limit the permits use (docs/architecture.md#a-slot-is-a-permit).
 * @returns whether the budget was met
 */
export async function benchLimit({ count, latencies, print }: LimitOptions): Promise<boolean> {
  installBenchRuntime();
  let passed = true;
  for (const latency of latencies) {
    // Each latency gets a new worker, because a worker adapts its permits to the latencies it has seen.
    const stack = await startStack({ workflows: 'bench', apiShare: 1, print });
    try {
      await stack.world.changeSettings({ latency });
      print(`${count} submissions at ${latency.meanMs} ± ${latency.jitterMs} ms, limit ${PER_SECOND}/s …`);
      const measured = await measure(stack, count);
      const met = withinBudget(measured);
      passed &&= met;
      print(`${met ? '✔' : '✘'} ${report(measured)} · load ${machineLoad()}`);
    } finally {
      await stack.close();
    }
  }
  print('Budget: 95 % with at most 0.5 % refused, or 92 % with none refused');
  return passed;
}

async function measure(stack: BenchStack, count: number): Promise<Measured> {
  const bulk = await start(stack, 'bulk', count, 'bulk');
  await waitForAdmitted(stack, count * URGENT_AFTER_SHARE);

  const startedAt = performance.now();
  const urgent = await Promise.all(
    Array.from({ length: URGENT_COUNT }, async (_, index) => {
      const flow = await start(stack, `urgent-${index}`, 1, 'urgent');
      await flow.result();
      return { flow, ms: performance.now() - startedAt };
    }),
  );
  await bulk.result();

  const entries = await stack.world.journal({ operation: 'createTransfer' });
  const admitted = entries.filter(({ committed }) => committed).map(({ realAt }) => realAt);
  const flows = [bulk, ...urgent.map(({ flow }) => flow)];
  const scheduled = await Promise.all(flows.map((flow) => scheduledAt(stack, flow.workflowId)));
  return {
    share: shareUsed({ scheduled: inOrder(scheduled.flat()), admitted: inOrder(admitted) }, PER_SECOND, MIN_WAITING),
    refused: entries.filter(({ status }) => status === 429).length,
    requests: entries.length,
    urgentMs: inOrder(urgent.map(({ ms }) => ms)),
  };
}

function start({ flows, entity, body }: BenchStack, ref: string, count: number, priority: Priority) {
  const submissions: SubmitInput = { entity: entity.name, ref, body, count };
  return flows.client.workflow.start('submit', {
    workflowId: `${entity.name}/submit/${ref}`,
    taskQueue: flowQueue(entity.name),
    args: [submissions],
    priority: { priorityKey: PRIORITIES[priority] },
  });
}

/** When the workflow's submissions were scheduled, by the clock of the server, which runs on this machine. */
async function scheduledAt({ flows }: BenchStack, workflowId: string): Promise<number[]> {
  const { events } = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? [])
    .filter(({ eventType }) => eventType === EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
    .map(({ eventTime }) => tsToMs(eventTime));
}

function inOrder(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** Resolves once `count` submissions have been accepted. */
async function waitForAdmitted({ world }: BenchStack, count: number): Promise<void> {
  const committed = (entries: JournalEntry[]) => entries.filter((entry) => entry.committed).length;
  while (committed(await world.journal({ operation: 'createTransfer' })) < count) await sleep(500);
}

function withinBudget({ share, refused, requests }: Measured): boolean {
  return (share >= 0.95 && refused / requests <= 0.005) || (share >= 0.92 && refused === 0);
}

function report({ share, refused, requests, urgentMs }: Measured): string {
  const percent = (part: number, digits: number) => `${(part * 100).toFixed(digits)} %`;
  const seconds = urgentMs.map((ms) => (ms / 1_000).toFixed(1)).join(' ');
  return (
    `${percent(share, 1)} of the limit used · ${refused} of ${requests} refused (${percent(refused / requests, 2)}) · ` +
    `${URGENT_COUNT} urgent flows done after ${seconds} s`
  );
}
