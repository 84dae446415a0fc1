import type { Payload } from '@temporalio/common';
import { randomBytes, randomUUID } from 'node:crypto';
import { API_ACTIVITIES, flowQueue } from '../../src/domain/activityTable';
import { DELIVERY_SIGNALS } from '../../src/domain/flowEvent';
import { isFlowName } from '../../src/domain/flowNames';
import { HELD_EVENTS_MESSAGES } from '../../src/domain/heldEvents';
import { QUERIES, SIGNALS, UPDATES } from '../../src/domain/messages';
import { holdEvent, listHeldEvents } from '../../src/temporal/heldEvents';
import * as workflows from '../../workflows';
import { SCENARIOS } from '../replay/allScenarios';
import { EVENT_SCENARIOS } from '../replay/eventScenarios';
import { POLICIES } from '../replay/runScenario';
import { Receiver } from '../support/receiver';
import { type Stack, startStack } from '../support/stack';
import { forgeries, Stranger } from '../support/stranger';
import { RECIPIENT, transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';

const TYPES = Object.keys(workflows);
const ALL_SIGNALS = [
  ...Object.values(SIGNALS),
  ...Object.values(DELIVERY_SIGNALS),
  HELD_EVENTS_MESSAGES.put,
  'unknown',
];
const ALL_UPDATES = [...Object.values(UPDATES), HELD_EVENTS_MESSAGES.take, 'unknown'];
const ALL_QUERIES = [...Object.values(QUERIES), HELD_EVENTS_MESSAGES.list, 'unknown'];

/** They wait for the API or for an issuer, and not for a message; or they send a request when a lock is over. */
const UNUSED = /waitingForIssuer|waitingToBeFinal|waitingInPinLock|^sweep/;
/** The types whose scenarios fund a wallet. */
const FUNDING = ['signPayload', 'fundTestnet', 'executeContract', 'transfer'];

let stranger: Stranger;

beforeAll(async () => {
  stranger = await Stranger.connect();
});
afterAll(() => stranger.close());

const inputOf = async ({ flows }: Stack, workflowId: string): Promise<Payload> => {
  const { events } = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  return events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads![0]!;
};

/**
 * Why workflow tasks of a workflow failed, or timed out again and again, which would repeat for ever: the attributes of the
 * events. A task that timed out once, because the machine is busy, is followed by one that completed.
 */
async function failedTasks({ flows }: Stack, workflowId: string): Promise<object[]> {
  const { events } = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  const all = events ?? [];
  const lastDone = all.findLastIndex((event) => event.workflowTaskCompletedEventAttributes);
  const failed = all.flatMap((event) => event.workflowTaskFailedEventAttributes ?? []);
  return [...failed, ...all.slice(lastDone + 1).flatMap((event) => event.workflowTaskTimedOutEventAttributes ?? [])];
}

/** Somebody who can write to the Temporal namespace, and does not have the key ring (docs/security.md#write-access-to-the-namespace). */
describe('a stranger starts workflows', () => {
  let stack: Stack;
  let elsewhere: Payload;
  let starts: Record<string, unknown>;

  beforeAll(async () => {
    // Without issuers nothing but the encryption says who starts a flow.
    stack = await startStack({ issuers: () => [] });
    const wallet = await fundedWallet(stack);
    const { from, to, tokenId } = transferOf(wallet, { to: RECIPIENT });
    const start = { entity: stack.entity.name };
    starts = { transfer: { ...start, ref: 'stolen', input: { from, to, tokenId, amount: '900' } } };
    const genuine = await stack.flows.transfer.start(transferOf(wallet, { to: 'nowhere' }), {});
    await genuine.result();
    elsewhere = await inputOf(stack, genuine.workflowId);
    await stack.world.control.clearJournal();
  });
  afterAll(() => stack.close());

  test('of every type in every form: each ends at once with the reason, and nothing reaches the API', async () => {
    const queue = flowQueue(stack.entity.name);
    const tried: { type: string; form: string; workflowId: string }[] = [];
    for (const type of TYPES) {
      const value = starts[type] ?? {
        entity: stack.entity.name,
        ref: 'stolen',
        at: new Date().toISOString(),
        input: {},
      };
      for (const [form, payloads] of Object.entries(forgeries({ elsewhere, value }))) {
        const ids = ['start', 'signalled'].map(
          (how) => `${stack.entity.name}/${type}/${how}-${randomBytes(4).toString('hex')}`,
        );
        await stranger.start(ids[0]!, type, queue, payloads);
        const target = { workflowId: ids[1]!, type, queue };
        await stranger.signalWithStart(target, payloads, { name: SIGNALS.sessionRequest, payloads });
        tried.push(...ids.map((workflowId) => ({ type, form, workflowId })));
      }
    }
    for (const { type, form, workflowId } of tried) {
      const workflow = stack.flows.client.workflow.getHandle(workflowId);
      await until(async () => (await workflow.describe()).status.name !== 'RUNNING', `the end of ${type}, ${form}`);
      expect([type, form, await failedTasks(stack, workflowId)]).toEqual([type, form, []]);
      const ended = await workflow.result().catch((error: Error) => (error.cause as Error).message);
      const reason = isFlowName(type) ? (ended as { reason: string }).reason : (ended as string);
      expect([form, reason]).toEqual([
        form,
        expect.stringMatching(/^the start was not sent by this installation: it /),
      ]);
    }
    expect(await stack.world.control.journal()).toEqual([]);
    console.log(`${tried.length} starts of ${TYPES.length} workflow types: 0 requests at the API`);
  });

  test('a backend that uses the same ref learns why it cannot, and the handle explains the end', async () => {
    const workflowId = `${stack.entity.name}/transfer/squatted`;
    await stranger.start(workflowId, 'transfer', flowQueue(stack.entity.name), forgeries({ elsewhere }).plain!);
    const flow = stack.flows.transfer.get('squatted');
    expect(await flow.result()).toMatchObject({ status: 'failed', reason: expect.stringContaining('not encrypted') });
    expect((await flow.progress()).outcome).toMatchObject({ status: 'failed' });
    const input = transferOf(await fundedWallet(stack), { ref: 'squatted' });
    await expect(stack.flows.transfer.start(input, {})).rejects.toThrow(
      /squatted was not written by this installation/,
    );
  });
});

describe('a stranger sends messages', () => {
  let endpoint: Receiver;
  let stack: Stack;
  const running: Record<string, string> = {};

  beforeAll(async () => {
    endpoint = await Receiver.open();
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const settings = { challengeLifetimeMs: null };
    stack = await startStack({ policies: POLICIES, events: { url: endpoint.url, secret }, settings });
    const { 'eventDelivery.waitingForEndpoint': waitForEndpoint } = EVENT_SCENARIOS;
    running.eventDelivery = (await waitForEndpoint!(stack, endpoint)).workflowId;
    const waiting = Object.entries(SCENARIOS).filter(([name]) => name.includes('.waiting') && !UNUSED.test(name));
    const typeOf = (name: string) => name.split('.')[0]!;
    // Funding a wallet advances the world's time, and sessions then renew their challenges.
    const sorted = waiting.sort(([a], [b]) => FUNDING.indexOf(typeOf(b)) - FUNDING.indexOf(typeOf(a)));
    for (const [name, run] of sorted) running[typeOf(name)] ??= (await run(stack)).workflowId;
    await stack.world.control.clearJournal();
  });
  afterAll(async () => {
    await stack.close();
    endpoint.close();
  });

  test('to every workflow type, under every name, in every form: each is refused, and every workflow goes on', async () => {
    // A sweep handles no message and ends within seconds.
    expect([...Object.keys(running), 'sweep'].sort()).toEqual([...TYPES].sort());
    const counts = { signals: 0, updates: 0, queries: 0 };
    for (const [type, workflowId] of Object.entries(running)) {
      const other = Object.entries(running).find(([each]) => each !== type)![1];
      const ciphertexts = { elsewhere: await inputOf(stack, other), misplaced: await inputOf(stack, workflowId) };
      const value = { id: randomUUID(), notificationId: 'x', state: 'COMPLETE', restriction: null, choice: 'retry' };
      for (const [form, payloads] of Object.entries(forgeries({ ...ciphertexts, value }))) {
        for (const name of ALL_SIGNALS) {
          await stranger.signal(workflowId, name, payloads);
          counts.signals++;
        }
        for (const name of ALL_UPDATES) {
          expect([type, name, form, await stranger.updateIsRefused(workflowId, name, payloads)]).toEqual([
            type,
            name,
            form,
            true,
          ]);
          counts.updates++;
        }
        for (const name of ALL_QUERIES) {
          expect([type, name, form, await stranger.queryIsRefused(workflowId, name, payloads)]).toEqual([
            type,
            name,
            form,
            true,
          ]);
          counts.queries++;
        }
      }
    }
    // Flows that wait poll the API themselves.
    const polls = Object.values(API_ACTIVITIES).flatMap(({ mode, endpoint: name }) => (mode === 'poll' ? [name] : []));
    const requests = (await stack.world.control.journal()).map(({ operation }) => operation);
    expect(requests.filter((operation) => !(polls as string[]).includes(operation ?? ''))).toEqual([]);
    for (const workflowId of Object.values(running)) {
      expect([workflowId, await failedTasks(stack, workflowId)]).toEqual([workflowId, []]);
      expect((await stack.flows.client.workflow.getHandle(workflowId).describe()).status.name).toBe('RUNNING');
    }
    console.log(
      `${JSON.stringify(counts)} to ${Object.keys(running).length} workflow types: 0 requests at the API, 0 failed tasks`,
    );
  });

  test('afterwards each workflow answers and takes genuine messages', async () => {
    const { flows, entity } = stack;
    for (const [type, workflowId] of Object.entries(running)) {
      if (!isFlowName(type)) continue;
      const flow = flows[type].get(workflowId.split('/')[2]!);
      expect((await flow.progress()).outcome).toBeUndefined();
      expect(['accepted', 'undecided', 'tooLate']).toContain(await flow.cancel(await stack.as('ops')));
    }
    expect(await flows.client.workflow.getHandle(running.userSession!).query(QUERIES.progress)).toMatchObject({
      open: expect.anything(),
    });
    expect(await flows.client.workflow.getHandle(running.walletLane!).query(QUERIES.progress)).toMatchObject({
      blockedBy: { reason: 'approval' },
    });
    const deps = { client: flows.client, entity: entity.name };
    const before = (await listHeldEvents(deps, 'parked')).entries.length;
    await holdEvent(deps, 'parked', { id: 'genuine', at: new Date().toISOString(), type: 'x', reason: '', payload: 1 });
    expect((await listHeldEvents(deps, 'parked')).entries).toHaveLength(before + 1);
    // Only the delivery has to go on: each of the others would take part in the time that is skipped.
    const { eventDelivery, ...others } = running;
    for (const workflowId of Object.values(others)) {
      const workflow = flows.client.workflow.getHandle(workflowId);
      if ((await workflow.describe()).status.name === 'RUNNING') await workflow.terminate();
    }
    endpoint.defaultResponse = 200;
    await stack.advance(3_600_000);
    await until(
      async () => (await flows.client.workflow.getHandle(eventDelivery!).describe()).status.name === 'COMPLETED',
      'the delivery',
    );
  });
});
