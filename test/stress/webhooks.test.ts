import { randomUUID } from 'node:crypto';
import { refId } from '../../src/crypto/effectKeys';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { sessionRef } from '../../src/crypto/sessionRef';
import { workflowId } from '../../src/domain/flowId';
import { type HeldEvent, heldEventsId } from '../../src/domain/heldEvents';
import { USER_SESSION } from '../../src/domain/userSession';
import { deliverWebhook, type DeliveryDeps } from '../../src/gateway/deliverWebhook';
import { readWebhook } from '../../src/gateway/envelope';
import { RateLimiter } from '../../src/gateway/rateLimiter';
import { createLogger } from '../../src/logger';
import { lazyClient } from '../../src/temporal/connection';
import { listHeldEvents } from '../../src/temporal/heldEvents';
import { deliveriesOf, openGateway, subscribe, type TestGateway } from '../support/gateway';
import { comparableEvents } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { Receiver } from '../support/receiver';
import { repost } from '../support/repost';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const OUTBOUND = 'transactions.outbound';

let stack: Stack;
let wallet: FundedWallet;
/** The world's transaction from this wallet stays stuck. */
let blocked: FundedWallet;
let solana: FundedWallet;
let gateway: TestGateway;
let subscription: string;

beforeAll(async () => {
  stack = await startStack({ speed: FAST });
  // Before the subscription: the webhooks of deposits are parked.
  wallet = await fundedWallet(stack);
  blocked = await fundedWallet(stack);
  solana = await fundedWallet(stack, { blockchain: 'SOL-DEVNET' });
  gateway = await openGateway(stack);
  subscription = await subscribe(stack, gateway.endpoint);
});
afterAll(async () => {
  await gateway.close();
  await stack.close();
});
afterEach(async () => {
  await stack.world.control.clearFaults();
  await stack.world.control.call('DELETE', '/webhooks/faults');
  await stack.world.control.clearJournal();
  await stack.flows.client.workflow
    .getHandle(heldEventsId(stack.entity.name, 'parked'))
    .terminate()
    .catch(() => {});
});

/** Makes every poll fail from now on. */
const failPolls = () => stack.world.control.addFault({ operation: 'getTransaction', action: { status: 500 } });
const webhookFault = (fault: object) => stack.world.control.call('POST', '/webhooks/faults', fault);
const parked = async (): Promise<HeldEvent[]> =>
  (await listHeldEvents({ client: stack.flows.client, entity: stack.entity.name }, 'parked')).entries;
/** Waits for the event of one transaction, since the list of the previous test may still respond. */
const untilParked = (id: string) =>
  until(async () => (await parked()).some(({ payload }) => JSON.stringify(payload).includes(id)), 'parking');
const send = (notificationType: string, notification: object) =>
  stack.world.control.call('POST', '/webhooks', { notificationType, notification });

async function eventsOf(id: string): Promise<string[]> {
  return comparableEvents(await stack.flows.client.workflow.getHandle(id).fetchHistory());
}
const signalsIn = (events: string[]) =>
  events.filter((event) => event === 'WORKFLOW_EXECUTION_SIGNALED stateChanged').length;

/** Starts a transfer that waits for its transaction's end while polls fail and the world's webhooks are lost. */
async function waitingTransfer(): Promise<{ flow: Awaited<ReturnType<typeof start>>; refId: string; id: string }> {
  await failPolls();
  await webhookFault({ type: OUTBOUND, action: 'lose' });
  const flow = await start();
  await until(async () => (await flow.progress()).waitingFor !== undefined, 'following');
  const id = (await flow.progress()).resources.transactionId!;
  const sent = (await sentBy(stack.world, wallet.id)).find((each) => each.id === id);
  await stack.world.control.call('DELETE', '/webhooks/faults');
  return { flow, id, refId: sent!.refId! };
}

/** What a gateway delivers with, for webhooks that no endpoint received. */
function deliveryDeps(): DeliveryDeps {
  const { entity, keyRing, api, flows } = stack;
  const logger = createLogger({ level: 'silent' });
  return { client: flows.client, entity: entity.name, keyRing, api, readLimiter: new RateLimiter(1), logger };
}

const start = (more = {}) => stack.flows.transfer.start(transferOf(wallet, more));

async function transactionsOf(ref: string): Promise<number> {
  return (await sentBy(stack.world, wallet.id)).filter((each) => each.refId?.startsWith(`transfer/${ref}~`)).length;
}

describe('a transfer learns of its end', () => {
  test('by webhook only and completes without a successful poll', async () => {
    await failPolls();
    const flow = await start();
    expect(await flow.result()).toMatchObject({
      status: 'completed',
      result: { state: 'COMPLETE', txHash: expect.any(String), amounts: ['1.25'] },
    });
    const reads = await requestsOf(stack.world, 'getTransaction');
    expect(reads.filter(({ status }) => status === 200)).toEqual([]);
    expect(await transactionsOf(flow.ref)).toBe(1);
  });

  test('by poll only if the webhooks are lost', async () => {
    await webhookFault({ type: OUTBOUND, action: 'lose' });
    const flow = await start();
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    expect(signalsIn(await eventsOf(flow.workflowId))).toBe(0);
  });

  test.each(['double', 'reorder', 'delay', 'forge', 'unknownKey'] as const)(
    'once if it gets poll and webhook, with webhook fault "%s"',
    async (action) => {
      await webhookFault({
        type: OUTBOUND,
        action,
        ...(action === 'delay' ? { delayMs: 30_000 } : action === 'double' || action === 'reorder' ? {} : { count: 1 }),
      });
      const flow = await start();
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
      expect(await transactionsOf(flow.ref)).toBe(1);
      // One for the block and one for the end.
      expect(signalsIn(await eventsOf(flow.workflowId))).toBeLessThanOrEqual(2);
      expect(await parked()).toEqual([]);
    },
  );

  test('by a webhook that arrives before the response to its submission', async () => {
    await stack.world.control.addFault({
      operation: 'createTransfer',
      count: 1,
      action: { delayMs: 3_000, when: 'after' },
    });
    await failPolls();
    const flow = await start();
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    expect(await requestsOf(stack.world, 'getTransaction')).toEqual([]);
    expect(signalsIn(await eventsOf(flow.workflowId))).toBe(2);
  });

  test('by a webhook that also ends the poll, with five events in the history', async () => {
    const { flow, refId: ref, id } = await waitingTransfer();
    const before = await eventsOf(flow.workflowId);
    await send(OUTBOUND, { id, refId: ref, state: 'COMPLETE' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
    const after = await eventsOf(flow.workflowId);
    expect(after.slice(before.length)).toEqual([
      'WORKFLOW_EXECUTION_SIGNALED stateChanged',
      'ACTIVITY_TASK_CANCEL_REQUESTED',
      // The flow releases the lane of its wallet.
      'MARKER_RECORDED core_local_activity',
      'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
      'WORKFLOW_EXECUTION_COMPLETED',
    ]);
  });
});

describe('a transaction that is in a block', () => {
  test('does not need a decision any more, although reads still show it as stuck', async () => {
    await stack.world.control.call('POST', '/transactions/next', { stuck: true });
    const flow = await stack.flows.transfer.start(transferOf(blocked));
    const attention = async () => (await flow.progress()).attention?.name;
    await until(async () => (await attention()) === 'TransactionStuck', 'the question');
    const id = (await flow.progress()).resources.transactionId!;
    const [sent] = await sentBy(stack.world, blocked.id);
    expect(sent).toMatchObject({ id, state: 'STUCK' });
    await stack.world.control.clearJournal();
    await send(OUTBOUND, { id, refId: sent!.refId, state: 'CONFIRMED' });
    await until(async () => (await attention()) === undefined, 'the end of the question');
    await until(async () => (await requestsOf(stack.world, 'getTransaction')).length > 0, 'a read');
    await send(OUTBOUND, { id, refId: sent!.refId, state: 'COMPLETE' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
    const polls = (await eventsOf(flow.workflowId)).filter((event) => event.endsWith('SCHEDULED followTransaction'));
    // The one that found it stuck, the one during the question, and the one after it.
    expect(polls).toHaveLength(3);
  });

  test('adds one signal to the history: at most 70 events with a lane, 55 without one', async () => {
    const withoutLane = transferOf(solana, { to: '4Nd1mYvUJjpUrhJ4oCN5N4mXcbtVJpBVdPVUuBDTsLbW' });
    for (const [input, most] of [[transferOf(wallet), 70] as const, [withoutLane, 55] as const]) {
      const flow = await stack.flows.transfer.start(input);
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      const { events } = await stack.flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
      expect(events!.length).toBeLessThanOrEqual(most);
    }
  });
});

describe('a webhook that does not show what the flow needs', () => {
  test.each([
    ['another amount', { amounts: ['7'] }],
    ['another destination', { destinationAddress: '0x1111111111111111111111111111111111111111' }],
  ])('does not end the flow with %s; the poll does', async (_, content) => {
    const { flow, id, refId: ref } = await waitingTransfer();
    await send(OUTBOUND, { id, refId: ref, ...content, state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    await until(async () => signalsIn(await eventsOf(flow.workflowId)) === 1, 'the webhook');
    expect((await flow.progress()).outcome).toBeUndefined();
    await stack.world.control.clearFaults();
    expect(await flow.result()).toMatchObject({
      status: 'completed',
      result: { transactionId: id, amounts: ['1.25'] },
    });
  });

  test('does not end the flow with a denial without an evaluation; one with it does', async () => {
    const denied = async (more: object) => {
      const { flow, id, refId: ref } = await waitingTransfer();
      await send(OUTBOUND, { id, refId: ref, state: 'DENIED', ...more });
      await until(async () => signalsIn(await eventsOf(flow.workflowId)) === 1, 'the webhook');
      return flow;
    };
    const evaluation = { screeningDate: new Date().toISOString(), ruleName: 'a rule', actions: ['DENY'] };
    const complete = await denied({ transactionScreeningEvaluation: evaluation });
    const screening = { ruleName: 'a rule', actions: ['DENY'] };
    expect(await complete.result()).toMatchObject({ status: 'denied', screening });
    const incomplete = await denied({});
    expect((await incomplete.progress()).outcome).toBeUndefined();
    await stack.world.control.clearFaults();
    expect(await incomplete.result()).toMatchObject({ status: 'completed' });
  });
});

describe('repeated deliveries', () => {
  test('ten deliveries of one webhook to two processes, five at once, are accepted and have one effect', async () => {
    const other = await openGateway(stack);
    const receiver = await Receiver.open();
    const copy = await subscribe(stack, receiver.url, [OUTBOUND]);
    await stack.api.updateSubscription({ params: { id: subscription }, body: { name: 'off', enabled: false } });
    try {
      await failPolls();
      const flow = await start();
      await until(async () => (await flow.progress()).waitingFor !== undefined, 'following');
      const final = () => receiver.received.find(({ body }) => body.notification.state === 'COMPLETE');
      await until(() => Promise.resolve(final() !== undefined), 'the webhook');
      const post = (to: TestGateway) => repost(to, final()!);
      const first = await Promise.all([gateway, other, gateway, other, gateway].map(post));
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
      const later: number[] = [];
      for (const to of [other, gateway, other, gateway, other]) later.push(await post(to));
      expect([...first, ...later]).toEqual(Array.from({ length: 10 }, () => 200));
      expect(signalsIn(await eventsOf(flow.workflowId))).toBe(1);
      expect(await transactionsOf(flow.ref)).toBe(1);
      expect(await parked()).toEqual([]);
    } finally {
      await stack.api.deleteSubscription({ params: { id: copy } });
      await stack.api.updateSubscription({ params: { id: subscription }, body: { name: 'on', enabled: true } });
      receiver.close();
      await other.close();
    }
  });
});

describe('late events', () => {
  test.each([
    ['COMPLETE', 'CONFIRMED', 'SENT'],
    ['SENT', 'COMPLETE'],
  ])('the states %s, %s … end with COMPLETE', async (...states) => {
    const { flow, refId: ref, id } = await waitingTransfer();
    for (const state of states) await send(OUTBOUND, { id, refId: ref, state });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    await until(
      async () => (await deliveriesOf(stack, OUTBOUND)).every(({ state }) => state !== 'pending'),
      'deliveries',
    );
    expect(await parked()).toEqual([]);
  });

  test('CONFIRMED after the end of its flow is known, whatever the end; without a flow it is ignored', async () => {
    const result = async (transaction: object) => {
      const notification = { ...transaction, state: 'CONFIRMED' };
      const event = { notificationId: randomUUID(), subscriptionId: randomUUID(), version: 2 };
      const body = { ...event, timestamp: new Date().toISOString(), notificationType: OUTBOUND, notification };
      const webhook = readWebhook(Buffer.from(JSON.stringify(body)));
      if (typeof webhook === 'string') throw new Error(webhook);
      return deliverWebhook(deliveryDeps(), webhook);
    };
    const effect = { flow: 'transfer', ref: 'never-started', step: 'submit', ordinal: 1 };
    const unknown = refId(stack.entity.name, effect, stack.keyRing);
    for (const state of ['COMPLETE', 'FAILED']) {
      const { flow, refId: ref, id } = await waitingTransfer();
      await send(OUTBOUND, { id, refId: ref, state });
      const outcome = await flow.result();
      expect(await result({ id, refId: ref })).toBe('alreadyKnown');
      expect(await result({ id: randomUUID(), refId: ref })).toBe('ignored');
      expect(await flow.result()).toEqual(outcome);
    }
    expect(await result({ id: randomUUID(), refId: unknown })).toBe('ignored');
    expect(await parked()).toEqual([]);
  });

  test('FAILED after COMPLETE leaves the flow complete, and the event is parked with an alert that quotes the API', async () => {
    const { flow, refId: ref, id } = await waitingTransfer();
    await send(OUTBOUND, { id, refId: ref, state: 'COMPLETE' });
    await flow.result();
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
    await send(OUTBOUND, { id, refId: ref, state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    await untilParked(id);
    expect(await parked()).toMatchObject([
      {
        type: OUTBOUND,
        reason: `transfer/${flow.ref} ended with COMPLETE; the event says FAILED, the API COMPLETE`,
      },
    ]);
    expect(JSON.parse((await parked())[0]!.payload as string)).toMatchObject({ notification: { id, state: 'FAILED' } });
    expect(await requestsOf(stack.world, 'getTransaction')).toHaveLength(1);
    expect(gateway.log()).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        flow: `transfer/${flow.ref}`,
        flowState: 'COMPLETE',
        webhookState: 'FAILED',
        apiState: 'COMPLETE',
        msg: 'A webhook conflicts with the end of a flow; the API confirms the flow',
      }),
    );
    expect(await stack.metrics.text()).toMatch(/walletflow_webhooks_total\{[^}]*result="conflicting"\} 1/);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
  });

  test('if the API agrees with the event, the alert says that the end of the flow is wrong', async () => {
    const { flow, refId: ref, id } = await waitingTransfer();
    // The transaction is complete in the world, but the first webhook says otherwise.
    await send(OUTBOUND, { id, refId: ref, state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: 'FAILED_ON_CHAIN' });
    await stack.world.control.clearFaults();
    await send(OUTBOUND, { id, refId: ref, state: 'COMPLETE' });
    await untilParked(id);
    expect(gateway.log()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        flow: `transfer/${flow.ref}`,
        flowState: 'FAILED',
        webhookState: 'COMPLETE',
        apiState: 'COMPLETE',
      }),
    );
  });
});

describe('a webhook is accepted only after Temporal has stored it', () => {
  test('the gateway responds with 503 while Temporal is down, and the next delivery counts', async () => {
    const down = lazyClient([new EncryptingCodec(stack.keyRing)], { address: '127.0.0.1:1', namespace: 'default' });
    const offline = await openGateway(stack, down);
    const receiver = await Receiver.open();
    const copy = await subscribe(stack, receiver.url, [OUTBOUND]);
    try {
      await stack.api.updateSubscription({ params: { id: subscription }, body: { name: 'off', enabled: false } });
      await failPolls();
      const flow = await start();
      const final = () => receiver.received.find(({ body }) => body.notification.state === 'COMPLETE');
      await until(() => Promise.resolve(final() !== undefined), 'the webhook');
      const before = performance.now();
      expect(await repost(offline, final()!)).toBe(503);
      expect(performance.now() - before).toBeLessThan(5_000);
      expect(await repost(gateway, final()!)).toBe(200);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
      expect(signalsIn(await eventsOf(flow.workflowId))).toBe(1);
    } finally {
      await stack.api.deleteSubscription({ params: { id: copy } });
      await stack.api.updateSubscription({ params: { id: subscription }, body: { name: 'on', enabled: true } });
      receiver.close();
      await offline.close();
      await down.connection.close();
    }
  });
});

describe('a webhook without a running flow', () => {
  test('gets a 2xx response and is parked once with the reason', async () => {
    const id = randomUUID();
    const unknownFlowRef = refId(
      stack.entity.name,
      { flow: 'transfer', ref: 'never-started', step: 'submit', ordinal: 1 },
      stack.keyRing,
    );
    await send('contracts.eventLog', { contractAddress: '0x0', txHash: '0x1' });
    await send('travelRule.approve', { id });
    await send(OUTBOUND, { id, state: 'COMPLETE' });
    await send(OUTBOUND, { id, state: 'COMPLETE', refId: 'transfer/inv-1~submit.1~aaaaaaaa' });
    await send(OUTBOUND, { id, state: 'COMPLETE', refId: unknownFlowRef });
    await send(OUTBOUND, { hello: 'world' });
    await send('unknown.type', { id });
    await until(async () => (await parked()).length === 7, 'parking');
    expect((await parked()).map(({ type, reason }) => `${type}: ${reason}`).sort()).toEqual(
      [
        'contracts.eventLog: no flow handles events of this type',
        'travelRule.approve: no flow handles events of this type',
        'unknown.type: no flow handles events of this type',
        `${OUTBOUND}: transaction ${id} has no refId that names a flow`,
        `${OUTBOUND}: transaction ${id} has no refId that names a flow`,
        `${OUTBOUND}: there is no flow transfer/never-started`,
        `${OUTBOUND}: it is not a transaction of a known shape`,
      ].sort(),
    );
    const [delivery] = await deliveriesOf(stack, 'contracts.eventLog');
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
    await stack.world.control.call('POST', `/webhooks/deliveries/${delivery!.notificationId}/redeliver`);
    expect(await parked()).toHaveLength(7);
  });

  test('is parked as the text that was received, with every digit and every space', async () => {
    const text =
      `{ "notificationId":"${randomUUID()}", "notificationType":"contracts.eventLog","version":2, ` +
      `"subscriptionId":"${randomUUID()}",  "notification":{"value":12345678901234567890,"fee":1.50}}\n`;
    const webhook = readWebhook(Buffer.from(text));
    if (typeof webhook === 'string') throw new Error(webhook);
    expect(await deliverWebhook(deliveryDeps(), webhook)).toBe('parked');
    await untilParked('12345678901234567890');
    expect((await parked()).map(({ payload }) => payload)).toEqual([text]);
  });

  test('starts the session of its user if it is about a challenge', async () => {
    const userId = randomUUID();
    await send('challenges.setPin', { id: randomUUID(), userId, type: 'SET_PIN', status: 'COMPLETE', errorCode: 0 });
    const ref = sessionRef(stack.entity.name, userId, stack.keyRing);
    const session = stack.flows.client.workflow.getHandle(
      workflowId({ entity: stack.entity.name, flow: USER_SESSION, ref }),
    );
    await until(
      () =>
        session.fetchHistory().then(
          (history) => signalsIn(comparableEvents(history)) === 1,
          () => false,
        ),
      'the signal',
    );
    expect(ref).not.toContain(userId);
    await session.terminate().catch(() => {});
  });
});

describe('requests to the API by the gateway', () => {
  test('200 webhooks with one unknown key id cost one fetch, malformed ids none, 200 valid webhooks one', async () => {
    const fresh = await openGateway(stack);
    const receiver = await Receiver.open();
    await stack.world.control.clearJournal();
    try {
      const postWithKeyId = (keyId: string) =>
        fetch(fresh.endpoint, {
          method: 'POST',
          body: '{}',
          headers: { 'x-circle-signature': 'AAAA', 'x-circle-key-id': keyId },
        }).then(({ status }) => status);
      for (const keyId of ['../../wallets', 'x?y=1', ''])
        expect(await postWithKeyId(keyId)).toBeGreaterThanOrEqual(400);
      expect(await requestsOf(stack.world, 'getNotificationKey')).toEqual([]);

      const unknown = randomUUID();
      const statuses = await Promise.all(Array.from({ length: 200 }, () => postWithKeyId(unknown)));
      expect(new Set(statuses)).toEqual(new Set([401]));
      expect(await requestsOf(stack.world, 'getNotificationKey')).toHaveLength(1);

      await stack.world.control.clearJournal();
      const otherSubscription = await subscribe(stack, receiver.url);
      await until(() => Promise.resolve(receiver.tests.length > 0), 'the test webhook');
      await stack.api.deleteSubscription({ params: { id: otherSubscription } });
      const valid: number[] = [];
      for (let batch = 0; batch < 10; batch++) {
        valid.push(...(await Promise.all(Array.from({ length: 20 }, () => repost(fresh, receiver.tests[0]!)))));
      }
      expect(new Set(valid)).toEqual(new Set([200]));
      expect(await requestsOf(stack.world, 'getNotificationKey')).toHaveLength(1);
    } finally {
      receiver.close();
      await fresh.close();
    }
  });

  test('a webhook of a foreign subscription is rejected, although the API signed it, and not parked', async () => {
    const fresh = await openGateway(stack);
    const receiver = await Receiver.open();
    try {
      const other = await subscribe(stack, receiver.url);
      const userId = randomUUID();
      await send('challenges.setPin', { id: randomUUID(), userId, type: 'SET_PIN', status: 'COMPLETE', errorCode: 0 });
      await send('contracts.eventLog', { txHash: '0x1' });
      await until(async () => receiver.received.length === 2 && (await parked()).length === 2, 'the webhooks');
      // Like a subscription of another account: signed by the API, but not visible with this entity's key.
      await stack.api.deleteSubscription({ params: { id: other } });
      await stack.world.control.clearJournal();
      for (const event of [...receiver.received, ...receiver.received]) expect(await repost(fresh, event)).toBe(403);
      expect(await requestsOf(stack.world, 'getSubscription')).toHaveLength(1);
      expect(await parked()).toHaveLength(2);
      expect(await stack.metrics.text()).toMatch(/walletflow_webhooks_total\{[^}]*result="foreignSubscription"\} 4\n/);
      // The copies of the entity's own subscription were delivered.
      const ref = sessionRef(stack.entity.name, userId, stack.keyRing);
      const id = workflowId({ entity: stack.entity.name, flow: USER_SESSION, ref });
      expect(signalsIn(await eventsOf(id))).toBe(1);
      await stack.flows.client.workflow
        .getHandle(id)
        .terminate()
        .catch(() => {});
    } finally {
      receiver.close();
      await fresh.close();
    }
  });

  test('HEAD gets status 200', async () => {
    expect((await fetch(gateway.endpoint, { method: 'HEAD' })).status).toBe(200);
  });
});
