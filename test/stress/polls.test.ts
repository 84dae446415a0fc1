import { randomBytes } from 'node:crypto';
import type { Entity } from '../../src/api';
import { createApi } from '../../src/api';
import { type Flows, openFlows } from '../../src/client/openFlows';
import { type DevServer, startDevServer } from '../../src/dev/devServer';
import { openWorld, type TestWorld } from '../support/emulator';
import { type Stack, startStack, FAST } from '../support/stack';
import { startStreamProxy, type StreamProxy } from '../support/streamProxy';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';
import { createWorkerSetup, type WorkerProcess, type WorkerSetup } from '../support/workerProcess';

/**
 * Workers open few polls while nothing waits, so that a server with its default limits and a proxy that allows a hundred
 * open requests on a connection serve them all. A worker whose polls are refused says so (docs/operations.md#polls).
 */

/** What each entity may open in a process at rest. */
const MAX_POLLS = 120;
const STREAMS = 100;
/** Enough for all Workers that a transfer uses to open more polls. */
const BURST = 30;

/** An entity with its own world, which processes run beside the entity of the stack. */
interface Member {
  entity: Entity;
  world: TestWorld;
  flows: Flows;
}

let stack: Stack;
let server: DevServer;
let setup: WorkerSetup;
let processes: WorkerProcess[] = [];
let members: Member[] = [];
let proxy: StreamProxy | undefined;

beforeAll(async () => {
  stack = await startStack({ speed: FAST, workers: false });
});
afterEach(async () => {
  await Promise.all(processes.map((each) => each.end('SIGKILL')));
  await Promise.all(members.map(({ flows }) => flows.close()));
  await setup.remove();
  proxy?.close();
  await server.stop();
  processes = [];
  members = [];
  proxy = undefined;
});
afterAll(() => stack.close());

/** Starts processes for so many entities on their own server. */
async function start(
  count: { entities: number; processes: number },
  { dynamicConfig, streams }: { dynamicConfig?: Record<string, string>; streams?: number } = {},
): Promise<void> {
  server = await startDevServer(dynamicConfig ? { dynamicConfig } : {});
  if (streams !== undefined) proxy = await startStreamProxy(server.address, streams);
  members = await Promise.all(Array.from({ length: count.entities }, () => addMember()));
  const [{ entity }, ...others] = members as [Member, ...Member[]];
  setup = await createWorkerSetup({
    ...stack,
    entity,
    others: others.map((other) => other.entity),
    temporalAddress: proxy?.address ?? server.address,
  });
  processes = await Promise.all(Array.from({ length: count.processes }, () => setup.start()));
}

async function addMember(): Promise<Member> {
  const world = await openWorld();
  await world.control.setSpeed(FAST);
  const { apiKey, entitySecret, url } = world;
  const name = `p-${randomBytes(4).toString('hex')}`;
  const entity = { name, kind: 'test' as const, apiKey, entitySecret, hosts: { api: url } };
  const { keyRing, sealingKeys } = stack;
  return { entity, world, flows: await openFlows({ entity: name, keyRing, sealingKeys, temporal: server }) };
}

/** Transfers of each entity, all at once. @returns the outcomes */
async function transfers(each = 1): Promise<string[]> {
  const statuses = members.map(async ({ entity, world, flows }) => {
    const wallet = await fundedWallet({ api: createApi(entity), world });
    const started = Array.from({ length: each }, async () =>
      flows.transfer.start(transferOf(wallet), await stack.as('backend')),
    );
    return Promise.all(started.map(async (flow) => (await (await flow).result()).status));
  });
  return (await Promise.all(statuses)).flat();
}

/** Polls that the server has refused, by what each process says in its metrics. */
async function refused(): Promise<number> {
  const pages = await Promise.all(processes.map((each) => each.metrics()));
  return pages.reduce((sum, page) => sum + Number(/^walletflow_polls_refused_total (\d+)/m.exec(page)?.[1]), 0);
}

/** Polls that are open now, by the SDK's count. */
async function openPolls(): Promise<number> {
  const pages = await Promise.all(processes.map((each) => each.metrics()));
  const counts = pages.flatMap((page) => [...page.matchAll(/^temporal_num_pollers\{.*\} (\d+)/gm)]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

test('one entity works behind a proxy that allows a hundred open requests on a connection', async () => {
  await start({ entities: 1, processes: 1 }, { streams: STREAMS });
  expect(await transfers(BURST)).toEqual(Array.from({ length: BURST }, () => 'completed'));
  expect(proxy!.most()).toBeLessThan(STREAMS);
  expect(await openPolls()).toBeLessThanOrEqual(MAX_POLLS);
});

test.each([
  { entities: 8, processes: 1 },
  { entities: 1, processes: 3 },
])('a server with its default limits refuses no poll of $entities entities in $processes processes', async (count) => {
  await start(count);
  expect(await transfers()).toEqual(Array.from({ length: count.entities }, () => 'completed'));
  expect(await openPolls()).toBeLessThanOrEqual(MAX_POLLS * count.entities * count.processes);
  expect(await refused()).toBe(0);
});

test('eight entities in one process work behind the same proxy', async () => {
  await start({ entities: 8, processes: 1 }, { streams: STREAMS });
  expect(await transfers()).toEqual(Array.from({ length: 8 }, () => 'completed'));
  expect(proxy!.most()).toBeLessThan(STREAMS);
});

test('a worker whose polls are refused is not ready, counts them, and says so in one line', async () => {
  await start({ entities: 1, processes: 1 }, { dynamicConfig: { 'frontend.namespaceCount': '10' } });
  const [worker] = processes as [WorkerProcess];
  await until(async () => (await worker.readiness()).checks.polls === false, 'the failed check');
  expect(await worker.readiness()).toMatchObject({ status: 503, checks: { temporal: true, polls: false } });
  expect(await refused()).toBeGreaterThan(0);
  const lines = worker.output().match(/^.*Temporal refuses polls.*$/gm);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines![0]!)).toMatchObject({ level: 'error', remedy: expect.stringContaining('operations.md') });
});
