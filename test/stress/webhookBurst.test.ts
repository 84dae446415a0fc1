import { randomUUID } from 'node:crypto';
import { refId } from '../../src/crypto/effectKeys';
import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/flowId';
import { openGateway, subscribe, type TestGateway } from '../support/gateway';
import { comparableEvents } from '../support/history';
import { Receiver } from '../support/receiver';
import { repost } from '../support/repost';
import { type Stack, startStack } from '../support/stack';
import { until } from '../support/until';

/**
 * A burst of final webhooks, one for each flow. No worker runs, so the flows are cheap enough to have a thousand: the
 * gateway and the server do the same work for them. The server limits visibility to its default of ten queries per second,
 * which no delivery may need. `npm run bench -- webhooks` measures the times, with a worker.
 */

const COUNT = 1_000;
/** How many calls prepare the burst at the same time. */
const AT_ONCE = 50;
/** Stands for the status of a delivery whose connection was cut. */
const CUT = 0;
const OUTBOUND = 'transactions.outbound';
const REFS = Array.from({ length: COUNT }, () => `burst-${randomUUID()}`);

let stack: Stack;
let gateway: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  stack = await startStack({ workers: false });
  gateway = await openGateway(stack);
  receiver = await Receiver.open();
  await subscribe(stack, receiver.url, [OUTBOUND]);
});
afterAll(async () => {
  await forEach(REFS, (ref) => handleOf(ref).terminate());
  receiver.close();
  await gateway.close();
  await stack.close();
});

const idOf = (ref: string) => workflowId({ entity: stack.entity.name, flow: 'transfer', ref });
const handleOf = (ref: string) => stack.flows.client.workflow.getHandle(idOf(ref));

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < items.length; index += AT_ONCE)
    await Promise.all(items.slice(index, index + AT_ONCE).map(work));
}

test(`${COUNT} final webhooks at once all get a 2xx response, and each flow gets its signal once`, async () => {
  await forEach(REFS, async (ref) => {
    const workflow = { workflowId: idOf(ref), taskQueue: flowQueue(stack.entity.name), args: [{}] };
    await stack.flows.client.workflow.start('transfer', workflow);
    const effect = { flow: 'transfer', ref, step: 'submit', ordinal: 1 };
    const notification = {
      id: randomUUID(),
      refId: refId(stack.entity.name, effect, stack.keyRing),
      state: 'COMPLETE',
    };
    await stack.world.control.call('POST', '/webhooks', { notificationType: OUTBOUND, notification });
  });
  await until(async () => receiver.received.length === COUNT, 'the webhooks');

  // On a busy machine the gateway may not reach Temporal in its time, or not read the request in its time and cut the
  // connection. Like the API, the test then delivers again.
  let open = receiver.received;
  for (let delivery = 1; open.length > 0 && delivery <= 5; delivery++) {
    const statuses = await Promise.all(open.map((webhook) => repost(gateway, webhook).catch(() => CUT)));
    expect(statuses.filter((status) => ![200, 503, CUT].includes(status))).toEqual([]);
    open = open.filter((_, index) => statuses[index] !== 200);
  }
  expect(open).toEqual([]);

  const signals: number[] = [];
  await forEach(REFS, async (ref) => {
    const events = comparableEvents(await handleOf(ref).fetchHistory());
    signals.push(events.filter((event) => event === 'WORKFLOW_EXECUTION_SIGNALED stateChanged').length);
  });
  expect(signals).toEqual(REFS.map(() => 1));
});
