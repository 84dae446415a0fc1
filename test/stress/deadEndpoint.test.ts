import { verifyFlowEvent } from '../../src';
import { resendEvent } from '../../src/client/resendEvent';
import { eventDeliveryId, type FlowEvent } from '../../src/domain/flowEvent';
import { signalDelivery } from '../../src/temporal/eventDelivery';
import { listHeldEvents } from '../../src/temporal/heldEvents';
import { readRecordings } from '../replay/recordings';
import { comparableEvents } from '../support/history';
import { Receiver } from '../support/receiver';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet } from '../support/wallets';
import { createWorkerSetup } from '../support/workerProcess';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** More than the wallet's balance. */
const TOO_MUCH = '5000';

/** Slow cases: an endpoint that stays down, a killed worker, hundreds of events. */
describe('outgoing events', () => {
  let receiver: Receiver;
  let stack: Stack;

  beforeAll(async () => {
    receiver = await Receiver.open();
  });
  afterAll(() => receiver.close());
  beforeEach(() => receiver.clear());
  afterEach(() => stack.close());

  const arrived = (count: number) =>
    until(async () => receiver.received.length >= count, `the arrival of ${count} events`);
  const events = () => receiver.received.map(({ raw, headers }) => verifyFlowEvent(raw, headers, SECRET));
  const deliveryOf = (ref: string) =>
    stack.flows.client.workflow.getHandle(eventDeliveryId({ entity: stack.entity.name, flow: 'transfer', ref }));
  const deps = () => ({ client: stack.flows.client, entity: stack.entity.name });

  test('an endpoint that rejects everything does not stop the flow, and its events are listed and can be resent', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET } });
    receiver.defaultResponse = 500;
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack), { amount: TOO_MUCH }));
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops-7'));
    expect(await flow.result()).toMatchObject({ status: 'failed' });
    await stack.advance(3.5 * DAY);
    await deliveryOf(flow.ref).result();
    const { entries } = await listHeldEvents(deps(), 'dead');
    expect(entries).toMatchObject([
      { id: `transfer/${flow.ref}/1`, type: 'attention', reason: expect.stringContaining('responded 500') },
      { id: `transfer/${flow.ref}/2`, type: 'attention' },
      { id: `transfer/${flow.ref}/3`, type: 'ended' },
    ]);

    receiver.clear();
    for (const { id } of entries) expect(await resendEvent(deps(), id)).toBe(true);
    await arrived(3);
    expect(events()).toEqual(entries.map(({ payload }) => payload));
    expect((await listHeldEvents(deps(), 'dead')).entries).toEqual([]);
  });

  test('an event whose delivery is interrupted by a killed worker is delivered again with the same id, before the others', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET }, speed: FAST, workers: false });
    const setup = await createWorkerSetup(stack);
    // The endpoint gets the event, but the worker never gets the response.
    receiver.responses = ['hang'];
    const first = await setup.start();
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack), { amount: TOO_MUCH }));
    await arrived(1);
    await first.end('SIGKILL');
    const second = await setup.start();
    await attentionOf(flow);
    await stack.flows.client.workflow.getHandle(flow.workflowId).cancel();
    await flow.result();
    await deliveryOf(flow.ref).result();
    expect(events().map(({ id }) => id)).toEqual([1, 1, 2, 3].map((sequence) => `transfer/${flow.ref}/${sequence}`));
    expect(await second.end('SIGTERM')).toBe(0);
    await setup.remove();
  });

  test('hundreds of events, some enqueued twice, are delivered once each and in order over several runs', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET } });
    const { client } = stack.flows;
    const flowEvents = Array.from({ length: 210 }, (_, index): FlowEvent => ({
      id: `transfer/flowEvents/${index + 1}`,
      type: 'step',
      timestamp: '2026-11-28T00:00:00.000Z',
      entity: stack.entity.name,
      flow: 'transfer',
      ref: 'many',
      sequence: index + 1,
      data: { name: 'validate', state: 'active' },
    }));
    for (const part of [flowEvents.slice(0, 150), flowEvents.slice(0, 150), flowEvents.slice(150)])
      await signalDelivery(deps(), 'enqueue', part);
    const delivery = client.workflow.getHandle(eventDeliveryId(flowEvents[0]!));
    const { runId } = await delivery.describe();
    await delivery.result();
    expect(events()).toEqual(flowEvents);
    expect((await delivery.describe()).runId).not.toBe(runId);
  });

  test('an endpoint adds only one marker for each signal of events to the history', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET } });
    const withoutEvents = await startStack();
    const start = async (target: Stack) =>
      target.flows.transfer.start(transferOf(await fundedWallet(target), { amount: '10.50' }));
    const flow = await start(withoutEvents);
    const observed = await start(stack);
    await withoutEvents.advance(HOUR);
    await stack.advance(HOUR);
    await flow.result();
    await observed.result();
    const recording = (await readRecordings()).find(({ name }) => name === 'transfer.completed')!;
    const own = comparableEvents(await withoutEvents.flows.client.workflow.getHandle(flow.workflowId).fetchHistory());
    expect(own).toEqual(comparableEvents(recording.history));
    const more = comparableEvents(await stack.flows.client.workflow.getHandle(observed.workflowId).fetchHistory());
    expect(more.filter((event) => event.startsWith('MARKER_RECORDED'))).toHaveLength(
      own.filter((event) => event.startsWith('MARKER_RECORDED')).length + 1,
    );
    expect(more.length).toBe(own.length + 1);
    await arrived(1);
    expect(receiver.received).toHaveLength(1);
    await withoutEvents.close();
  });
});
