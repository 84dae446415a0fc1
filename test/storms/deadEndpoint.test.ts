import { verifyFlowEvent } from '../../src';
import { deliveryId, type FlowEvent } from '../../src/domain/flowEvent';
import { resendEvent } from '../../src/flows/events';
import { listBox } from '../../src/temporal/eventBox';
import { tellDelivery } from '../../src/temporal/eventDelivery';
import { readRecordings } from '../replay/recordings';
import { comparableEvents } from '../support/history';
import { Receiver } from '../support/receiver';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet } from '../support/wallets';
import { workerHome } from '../support/workerProcess';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** More than the wallet has. */
const TOO_MUCH = '5000';

/** What takes long with outgoing events: an endpoint that stays dead, a worker that is killed at work, hundreds of them. */
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
    stack.flows.client.workflow.getHandle(deliveryId({ entity: stack.entity.name, flow: 'transfer', ref }));
  const boxDeps = () => ({ client: stack.flows.client, entity: stack.entity.name });

  test('an endpoint that never takes anything: the flow ends, its events are listed and can be sent again', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET } });
    receiver.usual = 500;
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack), { amount: TOO_MUCH }));
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops-7'));
    expect(await flow.result()).toMatchObject({ status: 'failed' });
    await stack.advance(3.5 * DAY);
    await deliveryOf(flow.ref).result();
    const { entries } = await listBox(boxDeps(), 'dead');
    expect(entries).toMatchObject([
      { id: `transfer/${flow.ref}/1`, kind: 'attention', about: expect.stringContaining('answered 500') },
      { id: `transfer/${flow.ref}/2`, kind: 'attention' },
      { id: `transfer/${flow.ref}/3`, kind: 'ended' },
    ]);

    receiver.clear();
    for (const { id } of entries) expect(await resendEvent(boxDeps(), id)).toBe(true);
    await arrived(3);
    expect(events()).toEqual(entries.map(({ payload }) => payload));
    expect((await listBox(boxDeps(), 'dead')).entries).toEqual([]);
  });

  test('a worker killed while the endpoint takes an event: delivered again with the same id, and the rest in order', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET }, speed: FAST, workers: false });
    const home = await workerHome(stack);
    // The endpoint has the event; the worker never hears so.
    receiver.answers = ['hang'];
    const first = await home.start();
    const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack), { amount: TOO_MUCH }));
    await arrived(1);
    await first.end('SIGKILL');
    const second = await home.start();
    await attentionOf(flow);
    await stack.flows.client.workflow.getHandle(flow.workflowId).cancel();
    await flow.result();
    await deliveryOf(flow.ref).result();
    expect(events().map(({ id }) => id)).toEqual([1, 1, 2, 3].map((sequence) => `transfer/${flow.ref}/${sequence}`));
    expect(await second.end('SIGTERM')).toBe(0);
    await home.remove();
  });

  test('hundreds of events, and hand-overs that come twice: each once, in order, over several runs', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET } });
    const { client } = stack.flows;
    const many = Array.from({ length: 210 }, (_, index): FlowEvent => ({
      id: `transfer/many/${index + 1}`,
      type: 'step',
      timestamp: '2026-11-28T00:00:00.000Z',
      entity: stack.entity.name,
      flow: 'transfer',
      ref: 'many',
      sequence: index + 1,
      data: { name: 'validate', state: 'active' },
    }));
    for (const part of [many.slice(0, 150), many.slice(0, 150), many.slice(150)])
      await tellDelivery(boxDeps(), 'put', part);
    const delivery = client.workflow.getHandle(deliveryId(many[0]!));
    const { runId } = await delivery.describe();
    await delivery.result();
    expect(events()).toEqual(many);
    expect((await delivery.describe()).runId).not.toBe(runId);
  });

  test('without an endpoint a history is what it always was; with one, it has a marker for each hand-over', async () => {
    stack = await startStack({ events: { url: receiver.url, secret: SECRET } });
    const quiet = await startStack();
    const start = async (own: Stack) =>
      own.flows.transfer.start(transferOf(await fundedWallet(own), { amount: '10.50' }));
    const flow = await start(quiet);
    const heard = await start(stack);
    await quiet.advance(HOUR);
    await stack.advance(HOUR);
    await flow.result();
    await heard.result();
    const before = (await readRecordings()).find(({ name }) => name === 'transfer.completed')!;
    const own = comparableEvents(await quiet.flows.client.workflow.getHandle(flow.workflowId).fetchHistory());
    expect(own).toEqual(comparableEvents(before.history));
    const more = comparableEvents(await stack.flows.client.workflow.getHandle(heard.workflowId).fetchHistory());
    expect(more.filter((event) => event.startsWith('MARKER_RECORDED'))).toHaveLength(
      own.filter((event) => event.startsWith('MARKER_RECORDED')).length + 1,
    );
    expect(more.length).toBe(own.length + 1);
    await arrived(1);
    expect(receiver.received).toHaveLength(1);
    await quiet.close();
  });
});
