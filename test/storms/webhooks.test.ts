import { randomUUID } from 'node:crypto';
import { refId } from '../../src/crypto/effectKeys';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { sessionRef } from '../../src/crypto/sessionRef';
import { boxId, type BoxEntry } from '../../src/domain/eventBox';
import { workflowId } from '../../src/domain/ref';
import { USER_SESSION } from '../../src/domain/userSession';
import { lazyClient } from '../../src/temporal/connection';
import { listBox } from '../../src/temporal/eventBox';
import { deliveriesOf, openGateway, subscribe, type TestGateway } from '../support/gateway';
import { comparableEvents } from '../support/history';
import { requestsOf, sentBy } from '../support/journal';
import { Receiver, type Received } from '../support/receiver';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const OUTBOUND = 'transactions.outbound';

let stack: Stack;
let wallet: FundedWallet;
let gateway: TestGateway;
let subscription: string;

beforeAll(async () => {
  stack = await startStack({ speed: FAST });
  wallet = await fundedWallet(stack);
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
    .getHandle(boxId(stack.entity.name, 'parked'))
    .terminate()
    .catch(() => {});
});

/** Polls get no answer from now on. */
const blind = () => stack.world.control.addFault({ operation: 'getTransaction', action: { status: 500 } });
const webhookFault = (fault: object) => stack.world.control.call('POST', '/webhooks/faults', fault);
const parked = async (): Promise<BoxEntry[]> =>
  (await listBox({ client: stack.flows.client, entity: stack.entity.name }, 'parked')).entries;
/** Until the event of a transaction is parked: the box of the test before may still answer. */
const parking = (id: string) =>
  until(async () => (await parked()).some(({ payload }) => JSON.stringify(payload).includes(id)), 'parking');
const send = (notificationType: string, notification: object) =>
  stack.world.control.call('POST', '/webhooks', { notificationType, notification });

async function eventsOf(id: string): Promise<string[]> {
  return comparableEvents(await stack.flows.client.workflow.getHandle(id).fetchHistory());
}
const signalsIn = (events: string[]) => events.filter((event) => event === 'WORKFLOW_EXECUTION_SIGNALED news').length;

/** A transfer that waits for its transaction's end, which neither polls nor webhooks of the world tell it. */
async function waitingTransfer(): Promise<{ flow: Awaited<ReturnType<typeof start>>; refId: string; id: string }> {
  await blind();
  await webhookFault({ type: OUTBOUND, action: 'lose' });
  const flow = await start();
  await until(async () => (await flow.progress()).waitingFor !== undefined, 'following');
  const id = (await flow.progress()).resources.transactionId!;
  const sent = (await sentBy(stack.world, wallet.id)).find((each) => each.id === id);
  await stack.world.control.call('DELETE', '/webhooks/faults');
  return { flow, id, refId: sent!.refId! };
}

const start = (more = {}) => stack.flows.transfer.start(transferOf(wallet, more));

async function transactionsOf(ref: string): Promise<number> {
  return (await sentBy(stack.world, wallet.id)).filter((each) => each.refId?.startsWith(`transfer/${ref}~`)).length;
}

describe('a transfer hears of its end', () => {
  test('by webhook only: it completes without an answered poll', async () => {
    await blind();
    const flow = await start();
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    const reads = await requestsOf(stack.world, 'getTransaction');
    expect(reads.filter(({ status }) => status === 200)).toEqual([]);
    const { result } = await flow.result();
    expect(result).toMatchObject({ txHash: expect.any(String) });
    expect(await transactionsOf(flow.ref)).toBe(1);
  });

  test('by poll only', async () => {
    await webhookFault({ type: OUTBOUND, action: 'lose' });
    const flow = await start();
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    expect(signalsIn(await eventsOf(flow.workflowId))).toBe(0);
  });

  test.each(['double', 'reorder', 'delay', 'forge', 'unknownKey'] as const)(
    'by both, with webhooks that meet "%s": once',
    async (action) => {
      await webhookFault({
        type: OUTBOUND,
        action,
        ...(action === 'delay' ? { delayMs: 30_000 } : action === 'double' || action === 'reorder' ? {} : { count: 1 }),
      });
      const flow = await start();
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
      expect(await transactionsOf(flow.ref)).toBe(1);
      const events = await eventsOf(flow.workflowId);
      expect(signalsIn(events)).toBeLessThanOrEqual(1);
      expect(await parked()).toEqual([]);
    },
  );

  test('WF-01: the webhook comes while the request that makes the transaction still waits for its reply', async () => {
    await stack.world.control.addFault({
      operation: 'createTransfer',
      count: 1,
      action: { delayMs: 3_000, when: 'after' },
    });
    await blind();
    const flow = await start();
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    expect(await requestsOf(stack.world, 'getTransaction')).toEqual([]);
    expect(signalsIn(await eventsOf(flow.workflowId))).toBe(1);
  });

  test('a webhook that ends it ends its poll too, in a few events', async () => {
    const { flow, refId: ref, id } = await waitingTransfer();
    const before = await eventsOf(flow.workflowId);
    await send(OUTBOUND, { id, refId: ref, state: 'COMPLETE' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { transactionId: id } });
    const after = await eventsOf(flow.workflowId);
    expect(after.slice(before.length)).toEqual([
      'WORKFLOW_EXECUTION_SIGNALED news',
      'ACTIVITY_TASK_CANCEL_REQUESTED',
      'WORKFLOW_EXECUTION_COMPLETED',
    ]);
  });
});

describe('WH-03: at least once means more than once', () => {
  test('ten times the same, five of them at once, at two processes: ten times 200, one effect', async () => {
    const other = await openGateway(stack);
    const receiver = await Receiver.open();
    const copy = await subscribe(stack, receiver.url, [OUTBOUND]);
    await stack.api.updateSubscription({ params: { id: subscription }, body: { name: 'off', enabled: false } });
    try {
      await blind();
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

describe('WH-04: late events move nothing backwards', () => {
  test.each([
    ['COMPLETE', 'CONFIRMED', 'SENT'],
    ['SENT', 'COMPLETE'],
  ])('%s, %s …', async (...states) => {
    const { flow, refId: ref, id } = await waitingTransfer();
    for (const state of states) await send(OUTBOUND, { id, refId: ref, state });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    await until(
      async () => (await deliveriesOf(stack, OUTBOUND)).every(({ state }) => state !== 'pending'),
      'deliveries',
    );
    expect(await parked()).toEqual([]);
  });

  test('COMPLETE, FAILED: the flow stays complete; the event is parked with an alert, which the API decides', async () => {
    const { flow, refId: ref, id } = await waitingTransfer();
    await send(OUTBOUND, { id, refId: ref, state: 'COMPLETE' });
    await flow.result();
    await stack.world.control.clearFaults();
    await stack.world.control.clearJournal();
    await send(OUTBOUND, { id, refId: ref, state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    await parking(id);
    expect(await parked()).toMatchObject([
      {
        kind: OUTBOUND,
        about: `transfer/${flow.ref} ended with COMPLETE; the event says FAILED, the API COMPLETE`,
        payload: { notification: { id, state: 'FAILED' } },
      },
    ]);
    expect(await requestsOf(stack.world, 'getTransaction')).toHaveLength(1);
    expect(gateway.log()).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        flow: `transfer/${flow.ref}`,
        told: 'FAILED',
        read: 'COMPLETE',
        msg: 'A webhook contradicts the end of a flow; the API says what the flow says',
      }),
    );
    expect(await stack.metrics.text()).toMatch(/walletflow_webhooks_total\{[^}]*result="contradicted"\} 1/);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
  });

  test('where the API agrees with the event, the alert says that the end of the flow does not hold', async () => {
    const { flow, refId: ref, id } = await waitingTransfer();
    // The world's own transaction is complete; the flow is told otherwise first.
    await send(OUTBOUND, { id, refId: ref, state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: 'FAILED_ON_CHAIN' });
    await stack.world.control.clearFaults();
    await send(OUTBOUND, { id, refId: ref, state: 'COMPLETE' });
    await parking(id);
    expect(gateway.log()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        flow: `transfer/${flow.ref}`,
        ended: 'FAILED',
        told: 'COMPLETE',
        read: 'COMPLETE',
      }),
    );
  });
});

describe('WH-05: nothing is taken before Temporal has it', () => {
  test('503 while Temporal is down; the next delivery counts', async () => {
    const down = lazyClient([new EncryptingCodec(stack.keyRing)], { address: '127.0.0.1:1', namespace: 'default' });
    const deaf = await openGateway(stack, down);
    const receiver = await Receiver.open();
    const copy = await subscribe(stack, receiver.url, [OUTBOUND]);
    try {
      await stack.api.updateSubscription({ params: { id: subscription }, body: { name: 'off', enabled: false } });
      await blind();
      const flow = await start();
      const final = () => receiver.received.find(({ body }) => body.notification.state === 'COMPLETE');
      await until(() => Promise.resolve(final() !== undefined), 'the webhook');
      const before = performance.now();
      expect(await repost(deaf, final()!)).toBe(503);
      expect(performance.now() - before).toBeLessThan(5_000);
      expect(await repost(gateway, final()!)).toBe(200);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
      expect(signalsIn(await eventsOf(flow.workflowId))).toBe(1);
    } finally {
      await stack.api.deleteSubscription({ params: { id: copy } });
      await stack.api.updateSubscription({ params: { id: subscription }, body: { name: 'on', enabled: true } });
      receiver.close();
      await deaf.close();
      await down.connection.close();
    }
  });
});

describe('WH-06: what belongs to nobody, or to nobody yet', () => {
  test('is answered 2xx and parked, once, with the reason', async () => {
    const id = randomUUID();
    const strange = refId(
      stack.entity.name,
      { flow: 'transfer', ref: 'never-started', step: 'submit', ordinal: 1, keyId: stack.keyRing.currentId },
      stack.keyRing,
    );
    await send('contracts.eventLog', { contractAddress: '0x0', txHash: '0x1' });
    await send('travelRule.approve', { id });
    await send(OUTBOUND, { id, state: 'COMPLETE' });
    await send(OUTBOUND, { id, state: 'COMPLETE', refId: 'transfer/inv-1~submit.1~aaaaaaaa' });
    await send(OUTBOUND, { id, state: 'COMPLETE', refId: strange });
    await send(OUTBOUND, { hello: 'world' });
    await send('unheard.of', { id });
    await until(async () => (await parked()).length === 7, 'parking');
    expect((await parked()).map(({ kind, about }) => `${kind}: ${about}`).sort()).toEqual(
      [
        'contracts.eventLog: no flow takes events of this type',
        'travelRule.approve: no flow takes events of this type',
        'unheard.of: no flow takes events of this type',
        `${OUTBOUND}: transaction ${id} has no refId of a flow`,
        `${OUTBOUND}: transaction ${id} has no refId of a flow`,
        `${OUTBOUND}: there is no flow transfer/never-started`,
        `${OUTBOUND}: it is no transaction of a known shape`,
      ].sort(),
    );
    const [delivery] = await deliveriesOf(stack, 'contracts.eventLog');
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
    await stack.world.control.call('POST', `/webhooks/deliveries/${delivery!.notificationId}/redeliver`);
    expect(await parked()).toHaveLength(7);
  });

  test('a challenge wakes the session of its user, which keeps it', async () => {
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

describe('WH-02: the door costs the API nothing', () => {
  test('200 requests with one unknown id: one fetch; ids of another form: none; 200 valid ones: one', async () => {
    const fresh = await openGateway(stack);
    const receiver = await Receiver.open();
    await stack.world.control.clearJournal();
    try {
      const ask = (keyId: string) =>
        fetch(fresh.endpoint, {
          method: 'POST',
          body: '{}',
          headers: { 'x-circle-signature': 'AAAA', 'x-circle-key-id': keyId },
        }).then(({ status }) => status);
      for (const keyId of ['../../wallets', 'x?y=1', '']) expect(await ask(keyId)).toBeGreaterThanOrEqual(400);
      expect(await requestsOf(stack.world, 'getNotificationKey')).toEqual([]);

      const unknown = randomUUID();
      const answers = await Promise.all(Array.from({ length: 200 }, () => ask(unknown)));
      expect(new Set(answers)).toEqual(new Set([401]));
      expect(await requestsOf(stack.world, 'getNotificationKey')).toHaveLength(1);

      await stack.world.control.clearJournal();
      const also = await subscribe(stack, receiver.url);
      await until(() => Promise.resolve(receiver.tests.length > 0), 'the test webhook');
      await stack.api.deleteSubscription({ params: { id: also } });
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

  test('what the API signs of a subscription that is none of ours is refused: neither parked nor told to anybody', async () => {
    const fresh = await openGateway(stack);
    const receiver = await Receiver.open();
    try {
      const other = await subscribe(stack, receiver.url);
      const userId = randomUUID();
      await send('challenges.setPin', { id: randomUUID(), userId, type: 'SET_PIN', status: 'COMPLETE', errorCode: 0 });
      await send('contracts.eventLog', { txHash: '0x1' });
      await until(async () => receiver.received.length === 2 && (await parked()).length === 2, 'the webhooks');
      // As with a subscription of another account: signed by the API, and not to be seen with our key.
      await stack.api.deleteSubscription({ params: { id: other } });
      await stack.world.control.clearJournal();
      for (const event of [...receiver.received, ...receiver.received]) expect(await repost(fresh, event)).toBe(403);
      expect(await requestsOf(stack.world, 'getSubscription')).toHaveLength(1);
      expect(await parked()).toHaveLength(2);
      expect(await stack.metrics.text()).toMatch(/walletflow_webhooks_total\{[^}]*result="foreign"\} 4\n/);
      // Our own subscription's copies went their way.
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

  test('HEAD is answered', async () => {
    expect((await fetch(gateway.endpoint, { method: 'HEAD' })).status).toBe(200);
  });
});

/** Posts a webhook's bytes to another receiver than the one that got them. */
async function repost(to: TestGateway, { raw, headers }: Received): Promise<number> {
  const kept = ['content-type', 'x-circle-signature', 'x-circle-key-id'];
  const { status } = await fetch(to.endpoint, {
    method: 'POST',
    body: new Uint8Array(raw),
    headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])),
  });
  return status;
}
