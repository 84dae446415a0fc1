import { Webhook } from 'standardwebhooks';
import { verifyFlowEvent } from '../../src';
import type { FlowHandle } from '../../src/client/flowHandle';
import { resendEvent } from '../../src/client/resendEvent';
import { eventDeliveryId } from '../../src/domain/flowEvent';
import { listHeldEvents } from '../../src/temporal/heldEvents';
import { reportedBy } from '../support/outcomes';
import { Receiver } from '../support/receiver';
import { canariesIn, decryptedHistory, rawHistory } from '../support/secrets';
import { INITIATOR, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const HOUR = 3_600_000;
const SECRET = `whsec_${Buffer.from('the secret of the endpoint for events').toString('base64')}`;
/** More than the wallet's balance. */
const TOO_MUCH = '5000';
/** Testnet addresses with this ending are denied, and the wallet is not frozen (docs/api-behavior.md#screening). */
const BLOCKED = '0x1111111111111111111111111111111111117777';

describe('outgoing events', () => {
  let receiver: Receiver;
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    receiver = await Receiver.open();
    stack = await startStack({ events: { url: receiver.url, secret: SECRET } });
    wallet = await fundedWallet(stack);
  });
  afterAll(async () => {
    await stack.close();
    receiver.close();
  });
  beforeEach(() => receiver.clear());

  const start = (more: Parameters<typeof transferOf>[1] = {}) => stack.flows.transfer.start(transferOf(wallet, more));
  const deliveryOf = (flow: FlowHandle<unknown>) =>
    stack.flows.client.workflow.getHandle(
      eventDeliveryId({ entity: stack.entity.name, flow: 'transfer', ref: flow.ref }),
    );
  const arrived = (count: number) =>
    until(async () => receiver.received.length >= count, `the arrival of ${count} events`);
  /** The events that arrived, verified as a backend does. */
  const events = () => receiver.received.map(({ raw, headers }) => verifyFlowEvent(raw, headers, SECRET));
  const dead = () => listHeldEvents({ client: stack.flows.client, entity: stack.entity.name }, 'dead');

  /** Runs a transfer until an operator gives it up. It sends three events. */
  async function giveUp(): Promise<FlowHandle<unknown>> {
    const flow = await start({ amount: TOO_MUCH });
    await attentionOf(flow);
    await flow.decide('giveUp', await stack.as('ops-7'));
    expect(await flow.result()).toMatchObject({ status: 'failed' });
    return flow;
  }

  test('the end of a transfer that screening denied has the evaluation', async () => {
    const flow = await start({ to: BLOCKED });
    await stack.advance(HOUR);
    const outcome = await flow.result();
    await arrived(1);
    const [ended] = events();
    expect(ended).toMatchObject({ type: 'ended', data: { status: 'denied', screening: expect.any(Object) } });
    expect(ended!.data).toMatchObject(outcome);
  });

  test('attention and end arrive once each, in order and complete', async () => {
    const flow = await start({ amount: TOO_MUCH });
    const attention = await attentionOf(flow);
    await arrived(1);
    await flow.decide('giveUp', await stack.as('ops-7'));
    const outcome = await flow.result();
    await arrived(3);
    await deliveryOf(flow).result();
    const common = { entity: stack.entity.name, flow: 'transfer', ref: flow.ref, timestamp: expect.any(String) };
    const decision = { choice: 'giveUp', by: { subject: 'ops-7', issuer: expect.any(String) } };
    expect(events()).toEqual([
      {
        ...common,
        id: `transfer/${flow.ref}/1`,
        sequence: 1,
        type: 'attention',
        data: { state: 'opened', ...attention },
      },
      {
        ...common,
        id: `transfer/${flow.ref}/2`,
        sequence: 2,
        type: 'attention',
        data: { state: 'closed', id: attention.id, name: attention.name, ...decision },
      },
      {
        ...common,
        id: `transfer/${flow.ref}/3`,
        sequence: 3,
        type: 'ended',
        data: {
          ...outcome,
          startedBy: { subject: INITIATOR, issuer: 'walletflow-local' },
          policy: 'default@1',
          resources: { walletId: wallet.id },
          decisions: [{ attention: attention.name, at: expect.any(String), ...decision }],
        },
      },
    ]);
    for (const { raw, headers, body } of receiver.received) {
      expect(new Webhook(SECRET).verify(raw, headers as Record<string, string>)).toEqual(body);
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': body.id });
    }
  });

  test('the event of a completed transfer has hash, fee, amounts, ids and policy', async () => {
    const flow = await start({ amount: '1.25' });
    await stack.advance(HOUR);
    const result = reportedBy(await flow.result());
    await arrived(1);
    expect(events()).toMatchObject([
      {
        type: 'ended',
        sequence: 1,
        data: {
          status: 'completed',
          result: {
            amounts: ['1.25'],
            state: 'COMPLETE',
            txHash: expect.stringMatching(/^0x/),
            networkFee: result!.networkFee,
          },
          resources: { walletId: wallet.id, transactionId: result!.transactionId, txHash: result!.txHash },
          policy: 'default@1',
          decisions: [],
        },
      },
    ]);
  });

  test('a flow that is cancelled during attention reports who cancelled it', async () => {
    const flow = await start({ amount: TOO_MUCH });
    await attentionOf(flow);
    expect(await flow.cancel(await stack.as('ops-8'))).toBe('accepted');
    await flow.result();
    await arrived(3);
    expect(events()[1]!.data).toEqual({
      state: 'closed',
      id: expect.any(String),
      name: expect.any(String),
      by: { subject: 'ops-8', issuer: expect.any(String) },
    });
    expect(events()[2]).toMatchObject({ type: 'ended', data: { status: 'cancelled', decisions: [] } });
  });

  test('a flow whose token is refused sends an event of its end, without an initiator', async () => {
    const flow = await stack.flows.transfer.start(transferOf(wallet), {});
    const outcome = await flow.result();
    await arrived(1);
    expect(events()).toMatchObject([{ type: 'ended', sequence: 1 }]);
    expect(events()[0]!.data).toEqual({ ...outcome, resources: {}, decisions: [] });
  });

  test('a flow with an unknown policy still sends an event of its end', async () => {
    await start({ policy: 'unknown-policy' });
    await arrived(1);
    expect(events()[0]).toMatchObject({ type: 'ended', sequence: 1, data: { status: 'failed', resources: {} } });
  });

  test('after hours without the endpoint every event of an ended flow arrives in order', async () => {
    receiver.defaultResponse = 'drop';
    const flow = await giveUp();
    await stack.advance(5 * HOUR);
    expect(new Set(receiver.received.map(({ body }) => body.sequence))).toEqual(new Set([1]));
    receiver.clear();
    receiver.responses = [500, 302, 429];
    await stack.advance(12 * HOUR);
    await deliveryOf(flow).result();
    expect(events().map(({ sequence }) => sequence)).toEqual([1, 1, 1, 1, 2, 3]);
    expect((await dead()).entries).toEqual([]);
  });

  test('a redirect is not followed, and Retry-After is respected', async () => {
    const elsewhere = await Receiver.open();
    receiver.responses = [{ status: 307, headers: { location: elsewhere.url, 'retry-after': '7200' } }];
    const flow = await start({ amount: TOO_MUCH });
    await attentionOf(flow);
    await arrived(1);
    await stack.advance(1.9 * HOUR);
    expect(receiver.received).toHaveLength(1);
    await stack.advance(0.2 * HOUR);
    expect(events().map(({ id }) => id)).toEqual([`transfer/${flow.ref}/1`, `transfer/${flow.ref}/1`]);
    expect(elsewhere.received).toEqual([]);
    elsewhere.close();
    await flow.cancel(await stack.as('ops'));
    await arrived(4);
  });

  test('an event that the endpoint rejects with 410 does not delay the next ones and can be resent', async () => {
    receiver.responses = [410];
    const flow = await giveUp();
    await arrived(3);
    await deliveryOf(flow).result();
    expect(events().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const [entry] = (await dead()).entries;
    expect(entry).toMatchObject({ id: `transfer/${flow.ref}/1`, reason: expect.stringContaining('responded 410') });

    const deps = { client: stack.flows.client, entity: stack.entity.name };
    expect(await resendEvent(deps, entry!.id)).toBe(true);
    await arrived(4);
    expect(events()[3]).toEqual(entry!.payload);
    expect(await resendEvent(deps, entry!.id)).toBe(false);
    expect((await dead()).entries).toEqual([]);
  });

  test('histories, log and events contain no secrets', async () => {
    const flow = await giveUp();
    await arrived(3);
    const { client } = stack.flows;
    const canaries = [SECRET, SECRET.slice(6), stack.entity.apiKey, stack.entity.entitySecret!];
    for (const id of [flow.workflowId, deliveryOf(flow).workflowId]) {
      const opened = await decryptedHistory(client, id, stack.keyRing);
      expect(opened).toContain('InsufficientTokenBalance');
      expect(canariesIn(opened, canaries)).toEqual([]);
      // The encrypted history shows nothing of the events either.
      expect(canariesIn(await rawHistory(client, id), [...canaries, 'giveUp', 'ops-7', wallet.address])).toEqual([]);
    }
    expect(canariesIn(stack.log.join(''), canaries)).toEqual([]);
    for (const { raw } of receiver.received) expect(canariesIn(raw.toString(), canaries)).toEqual([]);
  });

  test('step events are sent if they are configured', async () => {
    const stackWithSteps = await startStack({ events: { url: receiver.url, secret: SECRET, steps: true } });
    const stepWallet = await fundedWallet(stackWithSteps);
    const flow = await stackWithSteps.flows.transfer.start(transferOf(stepWallet));
    await stackWithSteps.advance(HOUR);
    await flow.result();
    await arrived(11);
    expect(events().map(({ type, data }) => (type === 'step' ? [data.name, data.state] : type))).toEqual([
      ...['validate', 'lane', 'gate', 'submit', 'follow'].flatMap((step) => [
        [step, 'active'],
        [step, 'done'],
      ]),
      'ended',
    ]);
    await stackWithSteps.close();
  });
});
