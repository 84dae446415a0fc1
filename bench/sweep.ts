import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '../src/api';
import { refId } from '../src/crypto/effectKeys';
import { KeyRing } from '../src/crypto/keyRing';
import { flowQueue } from '../src/domain/activityTable';
import { workflowId } from '../src/domain/flowId';
import { SWEEP, SWEEP_ENTRIES } from '../src/domain/sweep';
import { generateLocalIssuer, mintToken, toIssuer } from '../src/identity/localIssuer';
import { searchAttributeKeys } from '../src/temporal/searchAttributes';
import { removeSweepSchedule } from '../src/temporal/sweepSchedule';
import { forEach } from './forEach';
import { machineLoad } from './machineLoad';
import { signalsOf } from './signals';
import { type BenchStack, installBenchRuntime, startStack, transferInput } from './stack';

/** Its wallets have no lane, so nothing but the limit holds transfers up. */
const BLOCKCHAIN = 'SOL-DEVNET';
const EVERY_MS = 10_000;
/** Reads of each transfer. */
const BUDGET = 1.5;
/** So slow that no transaction moves and none becomes old. */
const FROZEN = 0.0001;
/** After it each transaction is in a block. */
const MINED_AFTER_MS = 60_000;
const CHECK_MS = 500;
/** Permits do not limit the sweep. */
const UNLIMITED_SHARE = 6;
/** No worker polls it. */
const IDLE_QUEUE = 'bench-idle';

const ISSUER = generateLocalIssuer();

export interface SweepOptions {
  /** Transfers that are read. */
  count: number;
  /** Transactions that a single sweep looks through. */
  outstanding: number;
  print: (line: string) => void;
}

/**
 * Counts the reads of transactions while transfers are sent at the rate of the limit, once with polls and once with sweeps.
 * Then measures single sweeps: with nothing outstanding, with many transactions that have not changed, and with news of each.
 * @returns whether a transfer costs at most 1.5 reads with sweeps
 */
export async function benchSweep({ count, outstanding, print }: SweepOptions): Promise<boolean> {
  installBenchRuntime();
  const polls = await readsPerTransfer(count, undefined, print);
  const sweeps = await readsPerTransfer(count, EVERY_MS, print);
  const met = sweeps <= BUDGET;
  print(`polls: ${polls.toFixed(2)} reads of each of ${count} transfers · load ${machineLoad()}`);
  print(
    `${met ? '✔' : '✘'} sweeps: ${sweeps.toFixed(2)} reads, ratio ${(sweeps / polls).toFixed(2)}; budget ${BUDGET}`,
  );
  await measureSweeps(outstanding, print);
  return met;
}

async function readsPerTransfer(
  count: number,
  sweepEveryMs: number | undefined,
  print: SweepOptions['print'],
): Promise<number> {
  const stack = await start(1, print, sweepEveryMs);
  try {
    await stack.world.setSpeed(1);
    await stack.world.call('DELETE', '/journal');
    await startTransfers(stack, count);
    const ended = `FlowKind = 'transfer' AND ExecutionStatus = 'Completed'`;
    await untilCount(stack, ended, count);
    const completed = await countOf(stack, `${ended} AND FlowOutcome = 'completed'`);
    if (completed < count) throw new Error(`${count - completed} of ${count} transfers did not complete`);
    return (await readsOf(stack)).length / count;
  } finally {
    await stack.close();
  }
}

async function measureSweeps(outstanding: number, print: SweepOptions['print']): Promise<void> {
  const stack = await start(UNLIMITED_SHARE, print, EVERY_MS);
  try {
    // With sweeps, flows do not poll. Only the measured ones run.
    await removeSweepSchedule(stack.flows.client, stack.entity.name);
    await stack.world.changeSettings({ limits: false });
    await stack.world.setSpeed(FROZEN);
    await measureSweep(stack, 'nothing outstanding', print);
    const refs = await startFollowing(stack, outstanding);
    await measureSweep(stack, `${outstanding} outstanding`, print);
    await stack.world.advance(MINED_AFTER_MS);
    await measureSweep(stack, `news of ${outstanding}`, print);
    print(`signals in the histories of ${outstanding} flows: ${await signalsOf(stack, refs)}`);
  } finally {
    await stack.close();
  }
}

async function measureSweep(stack: BenchStack, what: string, print: SweepOptions['print']): Promise<void> {
  const before = (await listsOf(stack)).length;
  const startedAt = performance.now();
  const handle = await stack.flows.client.workflow.start(SWEEP, {
    workflowId: workflowId({ entity: stack.entity.name, flow: SWEEP, ref: randomUUID() }),
    taskQueue: flowQueue(stack.entity.name),
  });
  await handle.result();
  const seconds = (performance.now() - startedAt) / 1_000;
  const requests = (await listsOf(stack)).length - before;
  const { events } = await handle.fetchHistory();
  print(
    `a sweep with ${what}: ${seconds.toFixed(2)} s without limits, ${requests} requests, ` +
      `${events!.length} events · load ${machineLoad()}`,
  );
}

function start(apiShare: number, print: SweepOptions['print'], sweepEveryMs?: number): Promise<BenchStack> {
  return startStack({
    workflows: 'product',
    apiShare,
    blockchain: BLOCKCHAIN,
    issuers: [toIssuer(ISSUER)],
    print,
    ...(sweepEveryMs !== undefined && { sweepEveryMs }),
  });
}

async function startTransfers({ flows, body }: BenchStack, count: number): Promise<void> {
  const token = await mintToken(ISSUER, 'bench');
  const inputs = Array.from({ length: count }, () => transferInput(body));
  await forEach(inputs, (input) => flows.transfer.start(input, { token }));
}

/**
 * Sends transactions, and starts a flow for each that waits for it. No worker runs these flows, so a machine can hold
 * thousands. The sweep does the same work for them.
 */
async function startFollowing(stack: BenchStack, count: number): Promise<string[]> {
  const { flows, entity, keyRing, body } = stack;
  const api = createApi(entity);
  const ring = new KeyRing(keyRing);
  const { step } = SWEEP_ENTRIES.transactions;
  const refs = Array.from({ length: count }, () => randomUUID());
  await forEach(refs, async (ref) => {
    const effect = { flow: 'transfer', ref, step: 'submit', ordinal: 1 };
    await api.createTransfer({
      body: { ...body, idempotencyKey: randomUUID(), refId: refId(entity.name, effect, ring) },
    });
    await flows.client.workflow.start('transfer', {
      workflowId: workflowId({ entity: entity.name, flow: 'transfer', ref }),
      taskQueue: IDLE_QUEUE,
      typedSearchAttributes: [
        { key: searchAttributeKeys.entity, value: entity.name },
        { key: searchAttributeKeys.step, value: step },
      ],
    });
  });
  await untilCount(stack, `ExecutionStatus = 'Running' AND FlowStep = '${step}'`, count);
  return refs;
}

/** Waits until visibility counts so many flows of the entity. */
async function untilCount(stack: BenchStack, condition: string, count: number): Promise<void> {
  while ((await countOf(stack, condition)) < count) await sleep(CHECK_MS);
}

async function countOf({ flows, entity }: BenchStack, condition: string): Promise<number> {
  return (await flows.client.workflow.count(`Entity = '${entity.name}' AND ${condition}`)).count;
}

const listsOf = ({ world }: BenchStack) => world.journal({ operation: 'listTransactions' });
const readsOf = async (stack: BenchStack) => [
  ...(await listsOf(stack)),
  ...(await stack.world.journal({ operation: 'getTransaction' })),
];
