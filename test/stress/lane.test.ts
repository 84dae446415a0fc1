import { randomUUID } from 'node:crypto';
import type { ApiError } from '../../src/api';
import type { FlowHandle } from '../../src/client/flowHandle';
import { flowQueue } from '../../src/domain/activityTable';
import { CODES } from '../../src/domain/codes';
import { workflowId } from '../../src/domain/flowId';
import { WALLET_LANE } from '../../src/domain/walletLane';
import { sentBy } from '../support/journal';
import { makePayer } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { RECIPIENT, transferOf } from '../support/transfers';
import { until } from '../support/until';
import { sessionOf } from '../support/users';
import { approveNext, type Onboarding } from '../support/onboarding';
import { type FundedWallet, fundedWallet } from '../support/wallets';

/** The codes by which the API refuses a transaction because of another one of its wallet. */
const REFUSED_FOR_OTHERS: readonly number[] = [
  CODES.nonceMismatch,
  CODES.userOperationBeforeDeployment,
  CODES.senderQueueFull,
  CODES.scaFirstTransactionPending,
];
/** A block of Ethereum takes 60 ms, so the transactions of a wallet meet. */
const QUICK = 200;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ webhooks: true, settings: { challengeLifetimeMs: null, limits: false } });
});
beforeEach(async () => {
  await stack.world.control.setSpeed(QUICK);
  await stack.world.control.clearJournal();
});
afterAll(() => stack.close());

/** A transaction that another program sends from the wallet. */
async function sendForeign({ id, usdcId }: FundedWallet): Promise<string> {
  const body = { idempotencyKey: randomUUID(), walletId: id, tokenId: usdcId, destinationAddress: RECIPIENT };
  return (await stack.api.createTransfer({ body: { ...body, amounts: ['0.5'], feeLevel: 'MEDIUM' } })).data.id;
}

/** How many requests the API refused because of another transaction of the wallet. */
async function refusals(): Promise<number> {
  const entries = await stack.world.control.journal({ operation: 'createTransfer' });
  return entries.filter(({ code }) => REFUSED_FOR_OTHERS.includes(code ?? 0)).length;
}

function start(wallet: FundedWallet, count: number) {
  return Promise.all(Array.from({ length: count }, () => stack.flows.transfer.start(transferOf(wallet))));
}

async function statuses(flows: readonly FlowHandle<unknown>[]): Promise<string[]> {
  return (await Promise.all(flows.map((flow) => flow.result()))).map(({ status }) => status);
}

const completed = (count: number) => Array.from({ length: count }, () => 'completed');

async function waitsFor(flow: FlowHandle<unknown>, what: RegExp): Promise<void> {
  await until(async () => what.test((await flow.progress()).waitingFor ?? ''), String(what));
}

test('the API refuses transactions that a program sends at once from a new smart-contract wallet', async () => {
  const wallet = await fundedWallet(stack, { accountType: 'SCA' });
  await stack.world.control.setSpeed(1);
  const sent = await Promise.allSettled(Array.from({ length: 5 }, () => sendForeign(wallet)));
  const codes = sent.map((result) => (result.status === 'rejected' ? (result.reason as ApiError).code : undefined));
  expect(codes).toContain(CODES.scaFirstTransactionPending);
  const eoa = await fundedWallet(stack);
  await Promise.all(Array.from({ length: 5 }, () => sendForeign(eoa)));
});

test('ten transfers at once from a new smart-contract wallet that another program uses', async () => {
  const wallet = await fundedWallet(stack, { accountType: 'SCA' });
  await sendForeign(wallet);
  expect(await statuses(await start(wallet, 10))).toEqual(completed(10));
  expect(await refusals()).toBe(0);
  expect(await sentBy(stack.world, wallet.id)).toHaveLength(11);
});

test('with webhooks, the next transfer is sent while the one before is in a block but not final', async () => {
  const wallet = await fundedWallet(stack, { accountType: 'SCA' });
  // The world's time passes only here, so nothing but the webhook tells that the first one is in a block.
  await stack.world.control.setSpeed(0);
  const [first] = await start(wallet, 1);
  await until(async () => (await first!.progress()).pastPointOfNoReturn, 'the first transaction');
  const [second] = await start(wallet, 1);
  const states = async () => (await sentBy(stack.world, wallet.id)).map(({ state }) => state);
  await until(async () => {
    await stack.world.control.advance(1_000);
    return (await states())[0] === 'CONFIRMED';
  }, 'the block');
  // The API lists the newest first.
  await until(async () => (await states()).length === 2, 'the second transaction');
  expect((await states())[1]).toBe('CONFIRMED');
  expect((await first!.progress()).outcome).toBeUndefined();
  await stack.world.control.setSpeed(QUICK);
  expect(await statuses([first!, second!])).toEqual(completed(2));
  expect(await refusals()).toBe(0);
});

test('a hundred transfers at once from one EOA that another program uses', async () => {
  const wallet = await fundedWallet(stack);
  const foreign = (async () => {
    for (let count = 0; count < 20; count++) {
      await sendForeign(wallet);
      await until(async () => (await sentBy(stack.world, wallet.id)).some(({ state }) => state === 'COMPLETE'), 'one');
    }
  })();
  expect(await statuses(await start(wallet, 100))).toEqual(completed(100));
  await foreign;
  expect(await refusals()).toBe(0);
  expect(await sentBy(stack.world, wallet.id)).toHaveLength(120);
});

test('twenty transfers through two wallets, one of which has a stuck transaction of another program', async () => {
  const [blocked, free] = [await fundedWallet(stack), await fundedWallet(stack, { accountType: 'SCA' })];
  const stuck = await sendForeign(blocked);
  await stack.world.control.call('POST', `/transactions/${stuck}/stick`);
  await until(async () => (await sentBy(stack.world, blocked.id))[0]?.state === 'STUCK', 'the stuck transaction');
  const behind = await start(blocked, 10);
  expect(await statuses(await start(free, 10))).toEqual(completed(10));
  for (const flow of behind)
    await waitsFor(flow, new RegExp(`transaction ${stuck} of another program, which is stuck`));
  expect(await sentBy(stack.world, blocked.id)).toHaveLength(1);
  const body = { idempotencyKey: randomUUID() };
  await stack.api.accelerateTransaction({ params: { id: stuck }, body });
  expect(await statuses(behind)).toEqual(completed(10));
  expect(await refusals()).toBe(0);
});

test('a more urgent transfer has its turn first; others keep their order', async () => {
  const wallet = await fundedWallet(stack, { accountType: 'SCA' });
  await stack.world.control.setSpeed(0.001);
  const [first] = await start(wallet, 1);
  await until(async () => (await first!.progress()).pastPointOfNoReturn, 'the first transaction');
  const flows: FlowHandle<unknown>[] = [];
  for (const priority of ['bulk', 'normal', 'normal', 'urgent'] as const) {
    flows.push(await stack.flows.transfer.start(transferOf(wallet, { priority })));
    await until(
      async () => (await stack.flows.lane(wallet.id).progress())?.waiting === flows.length,
      'the place in the lane',
    );
  }
  const [bulk, normal, later, urgent] = flows.map(({ workflowId }) => workflowId);
  expect(await stack.flows.lane(wallet.id).progress()).toMatchObject({
    capacity: 1,
    holds: [{ flow: first!.workflowId, state: 'open' }],
    next: [urgent, normal, later, bulk],
  });
  await stack.world.control.setSpeed(QUICK);
  expect(await statuses([first!, ...flows])).toEqual(completed(5));
  const refs = (await sentBy(stack.world, wallet.id)).map(({ refId }) => refId!);
  const order = [urgent, normal, later, bulk].map((id) =>
    refs.findIndex((refId) => refId.includes(id!.split('/')[2]!)),
  );
  // The API lists the newest first.
  expect(order).toEqual([3, 2, 1, 0]);
});

test('nobody sends behind a stuck transaction; whoever waits learns which one it is', async () => {
  const wallet = await fundedWallet(stack);
  await stack.world.control.setSpeed(1);
  const [holder] = await start(wallet, 1);
  await until(async () => (await holder!.progress()).pastPointOfNoReturn, 'the transaction');
  const { transactionId } = (await holder!.progress()).resources;
  await stack.world.control.call('POST', `/transactions/${transactionId}/stick`);
  await stack.advance(60_000);
  expect((await holder!.progress()).attention?.name).toBe('TransactionStuck');
  const flows = await start(wallet, 3);
  for (const flow of flows) await waitsFor(flow, new RegExp(`transaction ${transactionId} of .*, which is stuck`));
  expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  expect((await stack.flows.lane(wallet.id).progress())?.blockedBy).toEqual({
    reason: 'stuck',
    flow: holder!.workflowId,
    transactionId,
  });
  await holder!.decide('accelerate', await stack.as('ops'));
  await until(async () => (await holder!.progress()).attention === undefined, 'the decision');
  await stack.advance(60 * 60_000);
  expect(await statuses([holder!, ...flows])).toEqual(completed(4));
});

test('the lane of a user shows which approval it waits for', async () => {
  const { wallets } = await makePayer(stack, { accountType: 'SCA' });
  const wallet = wallets[0]!;
  const [first] = await start(wallet, 1);
  await until(async () => (await first!.progress()).approval !== undefined, 'the challenge');
  const [second] = await start(wallet, 1);
  await waitsFor(second!, /blocked until the user approves/);
  expect((await stack.flows.lane(wallet.id).progress())?.blockedBy).toEqual({
    reason: 'approval',
    flow: first!.workflowId,
  });
  await approveNext(stack, first as unknown as Onboarding);
  await approveNext(stack, second as unknown as Onboarding);
  expect(await statuses([first!, second!])).toEqual(completed(2));
});

test('a lane and a session that hear nothing for a month continue as new, with what they hold', async () => {
  await stack.world.control.setSpeed(1);
  const { userId, wallets } = await makePayer(stack, { accountType: 'SCA' });
  const wallet = wallets[0]!;
  const [flow] = await start(wallet, 1);
  await until(async () => (await flow!.progress()).approval !== undefined, 'the challenge');
  const ids = [`${stack.entity.name}/walletLane/${wallet.id}`, sessionOf(stack, userId)];
  const runs = () =>
    Promise.all(ids.map(async (id) => (await stack.flows.client.workflow.getHandle(id).describe()).runId));
  const before = await runs();
  // The flow would only poll whether they run.
  stack.advancedWorkflows.clear();
  await stack.advance(31 * 24 * 60 * 60_000);
  const after = await runs();
  expect(after.filter((runId) => before.includes(runId))).toEqual([]);
  expect((await stack.flows.lane(wallet.id).progress())?.holds).toEqual([
    { flow: flow!.workflowId, state: 'approval' },
  ]);
  stack.advancedWorkflows.add(flow!.workflowId);
  await approveNext(stack, flow as unknown as Onboarding);
  await stack.advance(60 * 60_000);
  expect(await flow!.result()).toMatchObject({ status: 'completed' });
});

test('a flow that was terminated, or is cancelled while it waits, gives way', async () => {
  const wallet = await fundedWallet(stack, { accountType: 'SCA' });
  await stack.world.control.setSpeed(0.001);
  const [dead] = await start(wallet, 1);
  await until(async () => (await dead!.progress()).pastPointOfNoReturn, 'the transaction');
  const [cancelled, next] = [...(await start(wallet, 1)), ...(await start(wallet, 1))];
  await waitsFor(next!, /its turn/);
  expect(await cancelled!.cancel(await stack.as('ops'))).toBe('accepted');
  expect(await cancelled!.result()).toMatchObject({ status: 'cancelled' });
  await stack.flows.client.workflow.getHandle(dead!.workflowId).terminate();
  await stack.world.control.setSpeed(QUICK);
  expect(await next!.result()).toMatchObject({ status: 'completed' });
  expect(await sentBy(stack.world, wallet.id)).toHaveLength(2);
});

test('a flow that waits for a decision of a person holds up nobody', async () => {
  const wallet = await fundedWallet(stack, { accountType: 'SCA', usdc: '2' });
  const poor = await stack.flows.transfer.start(transferOf(wallet, { amount: '5' }));
  await until(async () => (await poor.progress()).attention !== undefined, 'the question');
  expect(await statuses(await start(wallet, 1))).toEqual(completed(1));
  await poor.decide('giveUp', await stack.as('ops'));
  expect(await poor.result()).toMatchObject({ status: 'failed' });
});

test('an operator terminates the lane: the flows that wait go on', async () => {
  const wallet = await fundedWallet(stack, { accountType: 'SCA' });
  await stack.world.control.setSpeed(1);
  const flows = await start(wallet, 3);
  await until(async () => (await stack.flows.lane(wallet.id).progress())?.waiting === 2, 'two that wait');
  await stack.flows.client.workflow.getHandle(`${stack.entity.name}/walletLane/${wallet.id}`).terminate();
  await stack.advance(60 * 60_000);
  expect(await statuses(flows)).toEqual(completed(3));
  expect(await refusals()).toBe(0);
});

test('a lane that cannot read the state of the run before ends, and the next flow starts another one', async () => {
  const wallet = await fundedWallet(stack);
  const { name: entity } = stack.entity;
  const lane = await stack.flows.client.workflow.start(WALLET_LANE, {
    workflowId: workflowId({ entity, flow: WALLET_LANE, ref: wallet.id }),
    taskQueue: flowQueue(entity),
    args: [{ entity, ref: wallet.id, carried: { holds: 'of another version' } }],
  });
  await lane.result();
  expect(await statuses(await start(wallet, 1))).toEqual(completed(1));
});
