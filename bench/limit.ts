import { setTimeout as sleep } from 'node:timers/promises';
import { tsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { LIMITS } from '../src/api/contract/endpoint';
import { flowQueue } from '../src/domain/activityTable';
import type { JournalEntry } from '../src/emulator';
import { PRIORITIES, type Priority } from '../src/flows/starter';
import { machineLoad } from './machineLoad';
import { shareUsed } from './share';
import { type BenchStack, prepare, startStack } from './stack';
import type { Submissions } from './workflows/submit';

const { EventType } = temporal.api.enums.v1;

const PER_SECOND = LIMITS.post;
/** The share counts while at least so many tasks wait. */
const WAITING = 10;
const URGENT = 5;
/** The urgent ones are started when so much of the bulk has been sent. */
const URGENT_AFTER = 0.25;

export interface LimitOptions {
  /** Submissions in bulk. */
  count: number;
  /** What a request takes on its way to the counter, evenly spread over `meanMs` ± `jitterMs`. */
  latencies: readonly { meanMs: number; jitterMs: number }[];
  say: (line: string) => void;
}

interface Measured {
  /** 0 to 1. */
  share: number;
  refused: number;
  requests: number;
  /** From the start of the urgent flows to the end of each, in order. */
  urgentMs: number[];
}

/** How well the permits use a strict limit (DESIGN rule 4 and section 9). @returns whether the budget was kept */
export async function benchLimit({ count, latencies, say }: LimitOptions): Promise<boolean> {
  prepare();
  let kept = true;
  for (const latency of latencies) {
    // A worker of its own for each: what it knows of latencies is part of what is measured.
    const stack = await startStack({ workflows: 'bench', apiShare: 1, say });
    try {
      await stack.world.changeSettings({ latency });
      say(`${count} submissions at ${latency.meanMs} ± ${latency.jitterMs} ms, limit ${PER_SECOND}/s …`);
      const measured = await measure(stack, count);
      const good = withinBudget(measured);
      kept &&= good;
      say(`${good ? '✔' : '✘'} ${report(measured)} · load ${machineLoad()}`);
    } finally {
      await stack.close();
    }
  }
  say('Budget: 95 % with at most 0.5 % refused, or 92 % with none');
  return kept;
}

async function measure(stack: BenchStack, count: number): Promise<Measured> {
  const bulk = await start(stack, 'bulk', count, 'bulk');
  await sent(stack, count * URGENT_AFTER);

  const begun = performance.now();
  const urgent = await Promise.all(
    Array.from({ length: URGENT }, async (_, index) => {
      const flow = await start(stack, `urgent-${index}`, 1, 'urgent');
      await flow.result();
      return { flow, ms: performance.now() - begun };
    }),
  );
  await bulk.result();

  const entries = await stack.world.journal({ operation: 'createTransfer' });
  const through = entries.filter(({ committed }) => committed).map(({ realAt }) => realAt);
  const flows = [bulk, ...urgent.map(({ flow }) => flow)];
  const scheduled = await Promise.all(flows.map((flow) => scheduledAt(stack, flow.workflowId)));
  return {
    share: shareUsed({ scheduled: inOrder(scheduled.flat()), through: inOrder(through) }, PER_SECOND, WAITING),
    refused: entries.filter(({ status }) => status === 429).length,
    requests: entries.length,
    urgentMs: inOrder(urgent.map(({ ms }) => ms)),
  };
}

function start({ flows, entity, keyRing, body }: BenchStack, ref: string, count: number, priority: Priority) {
  const submissions: Submissions = { entity: entity.name, ref, keyId: keyRing.current, body, count };
  return flows.client.workflow.start('submit', {
    workflowId: `${entity.name}/submit/${ref}`,
    taskQueue: flowQueue(entity.name),
    args: [submissions],
    priority: { priorityKey: PRIORITIES[priority] },
  });
}

/** When its submissions began to wait, by the server, which runs on this machine. */
async function scheduledAt({ flows }: BenchStack, workflowId: string): Promise<number[]> {
  const { events } = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? [])
    .filter(({ eventType }) => eventType === EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
    .map(({ eventTime }) => tsToMs(eventTime));
}

function inOrder(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** Resolves when so many submissions have been let through. */
async function sent({ world }: BenchStack, count: number): Promise<void> {
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
    `${URGENT} urgent ones done after ${seconds} s`
  );
}
