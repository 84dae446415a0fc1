import { verifyFlowEvent } from '../../src';
import { deliveryId } from '../../src/domain/flowEvent';
import { resendEvent } from '../../src/flows/events';
import { listBox } from '../../src/temporal/eventBox';
import { Receiver } from '../support/receiver';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet } from '../support/wallets';
import { workerHome } from '../support/workerProcess';

const DAY = 24 * 3_600_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** More than the wallet has. */
const TOO_MUCH = '5000';

/** What can take long with outgoing events: an endpoint that stays dead, and a worker that is killed at work. */
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
    until(async () => receiver.received.length >= count, `the arrival of ${count} events`, 60_000);
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
});
