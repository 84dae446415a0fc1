import { ScheduleNotFoundError } from '@temporalio/client';
import { sweepScheduleId } from '../../src/temporal/sweepSchedule';
import type { FaultSpec } from '../../src/emulator';
import { comparableEvents } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { startSweep, untilShown } from '../support/sweeps';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { type FundedWallet, fundedWallet } from '../support/wallets';

/** Without webhooks, sweeps tell flows what happened to their transactions (docs/architecture.md#the-sweep). */

const MINUTE = 60_000;
const EVERY_MS = 10_000;
const BLOCKCHAIN = 'AVAX-FUJI';
/** No transaction moves unless the test advances the world. */
const SLOW = 0.001;
/** From the submission to the final state: less than the shortest time that a sweep looks back. */
const LONG = 30_000;

type Started = Awaited<ReturnType<typeof start>>;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ sweepEveryMs: EVERY_MS, settings: { limits: false } });
  // The tests start each sweep themselves: how many there would be depends on how busy the machine is.
  await schedule().pause();
});
beforeEach(async () => {
  await stack.world.control.clearFaults();
  await stack.world.control.setSpeed(SLOW);
  await stack.world.control.call('POST', `/chains/${BLOCKCHAIN}/pace`, { confirmAfterMs: 10_000 });
});
afterAll(() => stack.close());

const schedule = () => stack.flows.client.schedule.getHandle(sweepScheduleId(stack.entity.name));

/** Runs one sweep. @returns its workflow id */
async function sweep(): Promise<string> {
  const handle = await startSweep(stack);
  await handle.result();
  return handle.workflowId;
}

/** Sweeps until a condition holds: visibility shows only after a moment that a flow waits. */
function sweepUntil(condition: () => Promise<boolean>, what: string): Promise<void> {
  return until(async () => {
    await sweep();
    return condition();
  }, what);
}

const start = (wallet: FundedWallet) => stack.flows.transfer.start(transferOf(wallet));
const hasEnded = async (flow: Started) => (await flow.progress()).outcome !== undefined;

/** Reads of transactions since the journal was cleared. */
async function reads(operation: 'getTransaction' | 'listTransactions'): Promise<number> {
  return (await requestsOf(stack.world, operation)).length;
}

/** Starts transfers that a sweep finds. */
async function following(wallets: readonly FundedWallet[]): Promise<Started[]> {
  const flows = await Promise.all(wallets.map(start));
  await untilShown(
    stack,
    flows.map(({ workflowId }) => workflowId),
  );
  return flows;
}

test('sixty transfers cost four reads', async () => {
  const wallets = await Promise.all([1, 2, 3].map(() => fundedWallet(stack, { blockchain: BLOCKCHAIN })));
  const flows = await following(Array.from({ length: 60 }, (_, index) => wallets[index % 3]!));
  await stack.world.control.clearJournal();
  // Two pages show sixty transactions.
  await sweep();
  expect(await reads('listTransactions')).toBe(2);
  await stack.world.control.advance(LONG);
  await sweep();
  for (const flow of flows) expect(await flow.result()).toMatchObject({ status: 'completed' });
  expect(await reads('listTransactions')).toBe(4);
  expect(await reads('getTransaction')).toBe(0);
});

test('a sweep with nothing to look for is one short run without a request to the API', async () => {
  await stack.world.control.clearJournal();
  let lines: string[] = [];
  await until(async () => {
    const history = await stack.flows.client.workflow.getHandle(await sweep()).fetchHistory();
    lines = comparableEvents(history);
    return lines.length === 3;
  }, 'visibility to notice that all flows have ended');
  expect(lines).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    'MARKER_RECORDED core_local_activity',
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
  await stack.world.control.clearJournal();
  await sweep();
  expect(await reads('listTransactions')).toBe(0);
});

test('a flow learns each state once, however often a sweep sees it', async () => {
  const [flow] = await following([await fundedWallet(stack, { blockchain: BLOCKCHAIN })]);
  const state = async () => (await stack.api.listTransactions({ query: { pageSize: 1 } })).data.transactions![0]!.state;
  await until(async () => {
    await stack.world.control.advance(1_000);
    return (await state()) === 'CONFIRMED';
  }, 'a block');
  for (let count = 0; count < 5; count++) await sweep();
  await stack.world.control.advance(LONG);
  await sweep();
  expect(await flow!.result()).toMatchObject({ status: 'completed' });
  const history = await stack.flows.client.workflow.getHandle(flow!.workflowId).fetchHistory();
  const signals = comparableEvents(history).filter((line) => line === 'WORKFLOW_EXECUTION_SIGNALED stateChanged');
  expect(signals).toHaveLength(2);
});

test('the next transaction of a smart-contract wallet is sent when the one before it is in a block', async () => {
  // Here a transaction is final only two minutes after its block.
  const wallet = await fundedWallet(stack, { blockchain: 'ETH-SEPOLIA', accountType: 'SCA' });
  const [first] = await following([wallet]);
  const next = await start(wallet);
  await stack.world.control.advance(LONG);
  expect((await sentBy(stack.world, wallet.id))[0]!.state).toBe('CONFIRMED');
  await sweepUntil(async () => (await sentBy(stack.world, wallet.id)).length === 2, 'the second transaction');
  expect((await sentBy(stack.world, wallet.id))[1]!.state).toBe('CONFIRMED');
  await stack.world.control.advance(3 * MINUTE);
  for (const flow of [first!, next]) await sweepUntil(() => hasEnded(flow), 'the end');
});

test('a stuck transaction is noticed before the flow reads for itself', async () => {
  await stack.world.control.call('POST', '/transactions/next', { stuck: true });
  const wallet = await fundedWallet(stack, { blockchain: BLOCKCHAIN });
  const [flow] = await following([wallet]);
  await stack.world.control.clearJournal();
  await stack.world.control.advance(LONG);
  expect((await sentBy(stack.world, wallet.id))[0]!.state).toBe('STUCK');
  await sweep();
  // The flow reads a stuck transaction for half a minute: the API may still show a state from before an acceleration.
  expect((await attentionOf(flow!)).name).toBe('TransactionStuck');
  await flow!.decide('accelerate', await stack.as('ops'));
  await stack.world.control.setSpeed(FAST);
  expect(await flow!.result()).toMatchObject({ status: 'completed' });
});

test('a row that cannot be read, a list that fails and one that is cut off harm nobody else', async () => {
  const wallets = [1, 2].map(() => fundedWallet(stack, { blockchain: BLOCKCHAIN }));
  const [other] = await following([await wallets[0]!]);
  // The newest row is that of the flow that began last.
  const [odd] = await following([await wallets[1]!]);
  await stack.world.control.advance(LONG);
  const faults: FaultSpec[] = [
    { count: 1, action: { status: 503, when: 'before' } },
    { count: 1, action: { truncate: true } },
    { action: { field: 'data.transactions.0.state', change: 'wrongType' } },
  ];
  for (const fault of faults) await stack.world.control.addFault({ operation: 'listTransactions', ...fault });
  await sweepUntil(() => hasEnded(other!), 'the end of the other');
  expect(await hasEnded(odd!)).toBe(false);
  await stack.world.control.clearFaults();
  await sweepUntil(() => hasEnded(odd!), 'the end');
});

test('without its schedule, a flow reads for itself after ten minutes', async () => {
  const wallet = await fundedWallet(stack, { blockchain: BLOCKCHAIN });
  const [flow] = await following([wallet]);
  await stack.world.control.clearJournal();
  await stack.advance(9 * MINUTE);
  expect((await sentBy(stack.world, wallet.id))[0]!.state).toBe('COMPLETE');
  expect(await reads('getTransaction')).toBe(0);
  await stack.advance(2 * MINUTE);
  expect(await flow!.result()).toMatchObject({ status: 'completed' });
  expect(await reads('getTransaction')).toBe(1);
});

test('the schedule starts sweeps', async () => {
  await schedule().unpause();
  const swept = async () => {
    const { info } = await schedule().describe();
    const id = info.recentActions.at(-1)?.action.workflow.workflowId;
    return id !== undefined && (await stack.flows.client.workflow.getHandle(id).describe()).status.name === 'COMPLETED';
  };
  await until(swept, 'a sweep');
});

test('a worker changes the interval, and removes the schedule of an entity without sweeps', async () => {
  const interval = async () => (await schedule().describe()).spec.intervals?.[0]?.every;
  expect(await interval()).toBe(EVERY_MS);
  stack.entity.sweepEveryMs = 2 * EVERY_MS;
  await stack.whileStopped(async () => undefined);
  expect(await interval()).toBe(2 * EVERY_MS);
  delete stack.entity.sweepEveryMs;
  await stack.whileStopped(async () => undefined);
  await expect(schedule().describe()).rejects.toThrow(ScheduleNotFoundError);
});
