import { randomUUID } from 'node:crypto';
import { refId } from '../../src/crypto/effectKeys';
import { sessionRef } from '../../src/crypto/sessionRef';
import { eventDeliveryId } from '../../src/domain/flowEvent';
import { workflowId } from '../../src/domain/flowId';
import { type HeldEvent, heldEventsId } from '../../src/domain/heldEvents';
import { USER_SESSION } from '../../src/domain/userSession';
import { SUBSCRIBED_TYPES } from '../../src/gateway/routes';
import { holdEvent, listHeldEvents } from '../../src/temporal/heldEvents';
import { command, endCommands, type RunningCommand, startCommand } from '../support/commandLine';
import { comparableEvents } from '../support/history';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';
import { createWorkerSetup, type WorkerSetup } from '../support/workerProcess';

const TIMEOUT_MS = 120_000;

describe('walletflow gateway, setup and events', () => {
  let stack: Stack;
  let wallet: FundedWallet;
  let setup: WorkerSetup;
  let env: Record<string, string>;
  let gateway: RunningCommand;
  let url: string;
  let health: string;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    wallet = await fundedWallet(stack);
    setup = await createWorkerSetup(stack);
    gateway = startCommand(['gateway'], { env: { ...setup.env, WALLETFLOW_GATEWAY_ADDRESS: '127.0.0.1:0' } });
    const line = await gateway.waitForLine(/^Gateway ready/);
    [, url = '', health = ''] = /at (\S+), health at (\S+)$/.exec(line) ?? [];
    env = { ...setup.env, WALLETFLOW_GATEWAY_URL: url };
  }, TIMEOUT_MS);
  afterAll(async () => {
    endCommands();
    await stack.flows.client.workflow
      .getHandle(heldEventsId(stack.entity.name, 'parked'))
      .terminate()
      .catch(() => {});
    await setup.remove();
    await stack.close();
  });

  const endpoint = () => `${url}/webhooks/${stack.entity.name}`;
  const subscriptions = async () => (await stack.api.listSubscriptions()).data;

  test('the gateway is ready when Temporal responds', async () => {
    const response = await fetch(`${health}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, { ready: true, checks: { temporal: true } }]);
    expect((await fetch(endpoint(), { method: 'HEAD' })).status).toBe(200);
  });

  test('setup subscribes once, enables a disabled subscription and replaces one with other types', async () => {
    const setup = async () => (await command(['setup'], { env })).out;
    expect(await setup()).toContain(`Webhooks of ${stack.entity.name} to ${endpoint()}: subscribed\n`);
    expect(await setup()).toContain('already subscribed');
    const [own, ...others] = await subscriptions();
    expect(others).toEqual([]);
    expect(own).toMatchObject({ endpoint: endpoint(), enabled: true, notificationTypes: [...SUBSCRIBED_TYPES] });

    const params = { id: own!.id };
    await stack.api.updateSubscription({ params, body: { name: own!.name, enabled: false } });
    expect(await setup()).toContain('enabled again');
    await stack.api.deleteSubscription({ params });
    await stack.api.createSubscription({ body: { endpoint: endpoint(), notificationTypes: ['transactions.*'] } });
    expect(await setup()).toContain('subscribed again');
    expect(await subscriptions()).toMatchObject([{ enabled: true, notificationTypes: [...SUBSCRIBED_TYPES] }]);
  });

  test('setup rejects an origin without TLS, and says that flows poll without a gateway', async () => {
    const rejected = await command(['setup'], { env: { ...env, WALLETFLOW_GATEWAY_URL: 'http://hooks.example.com' } });
    expect(rejected).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('WALLETFLOW_GATEWAY_URL: is not https'),
    });
    expect(await command(['setup'], { env: setup.env })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('flows poll'),
    });
  });

  test('a transfer gets its end from a webhook through the gateway', async () => {
    await stack.world.control.addFault({ operation: 'getTransaction', action: { status: 500 } });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    const metrics = await (await fetch(`${health}/metrics`)).text();
    // The block and the end. They are sent at almost the same time, and the block may arrive second.
    expect(metrics).toMatch(/walletflow_webhooks_total\{[^}]*result="signalled"\} [12]\n/);
    await stack.world.control.clearFaults();
  });

  test(
    'a parked webhook is listed, and redelivered once its flow exists',
    async () => {
      const ref = `late-${randomUUID()}`;
      const effect = { flow: 'transfer', ref, step: 'submit', ordinal: 1 };
      const notification = {
        id: randomUUID(),
        state: 'COMPLETE',
        refId: refId(stack.entity.name, effect, stack.keyRing),
      };
      expect(await command(['events', 'list'], { env })).toMatchObject({
        exitCode: 0,
        out: '',
        err: 'No parked webhooks\n',
      });
      await stack.world.control.call('POST', '/webhooks', { notificationType: 'transactions.outbound', notification });
      let listed: HeldEvent[] = [];
      await until(async () => {
        const { out } = await command(['events', 'list', '--json'], { env });
        listed = out
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as HeldEvent);
        return listed.length > 0;
      }, 'parking');
      expect(listed).toMatchObject([{ reason: `there is no flow transfer/${ref}` }]);
      expect(JSON.parse(listed[0]!.payload as string)).toMatchObject({ notification });

      const { id } = listed[0]!;
      expect(await command(['events', 'redeliver', id], { env })).toMatchObject({
        exitCode: 1,
        out: expect.stringContaining('still matches no flow'),
      });
      const flow = await stack.flows.transfer.start(transferOf(wallet, { ref, amount: '5000' }));
      await until(async () => (await flow.progress()).attention !== undefined, 'attention');
      const again = await command(['events', 'redeliver', id, '--json'], { env });
      expect([again.exitCode, JSON.parse(again.out)]).toEqual([0, { id, result: 'signalled' }]);
      expect(await command(['events', 'redeliver', id], { env })).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('No parked webhook'),
      });
      await flow.cancel(await stack.as('ops'));
      await flow.result();
    },
    TIMEOUT_MS,
  );

  test('a webhook that a session parked is redelivered to the session', async () => {
    const notification = { id: randomUUID(), userId: randomUUID(), type: 'SET_PIN', status: 'COMPLETE', errorCode: 0 };
    await stack.world.control.call('POST', '/webhooks', { notificationType: 'challenges.setPin', notification });
    const deps = { client: stack.flows.client, entity: stack.entity.name };
    const ours = async () =>
      (await listHeldEvents(deps, 'parked')).entries.find(({ reason }) => reason.includes(notification.id));
    await until(async () => (await ours()) !== undefined, 'parking');
    const { id } = (await ours())!;
    const again = await command(['events', 'redeliver', id, '--json'], { env });
    expect(again).toMatchObject({ exitCode: 0, out: `${JSON.stringify({ id, result: 'signalled' })}\n` });
    const ref = sessionRef(stack.entity.name, notification.userId, stack.keyRing);
    const session = stack.flows.client.workflow.getHandle(
      workflowId({ entity: stack.entity.name, flow: USER_SESSION, ref }),
    );
    const events = comparableEvents(await session.fetchHistory());
    expect(events.filter((event) => event === 'WORKFLOW_EXECUTION_SIGNALED stateChanged')).toHaveLength(2);
    await session.terminate();
  });

  test('an event that the endpoint did not accept is listed and can be resent', async () => {
    const deps = { client: stack.flows.client, entity: stack.entity.name };
    const at = new Date().toISOString();
    const ref = `d-${randomUUID()}`;
    const id = `transfer/${ref}/1`;
    const event = {
      id,
      type: 'reminder',
      timestamp: at,
      entity: stack.entity.name,
      flow: 'transfer',
      ref,
      sequence: 1,
      data: {},
    };
    await holdEvent(deps, 'dead', { id, at, type: 'reminder', reason: 'responded 500', payload: event });
    expect(await command(['events', 'list', '--dead'], { env })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(`${id}  reminder  responded 500`),
    });
    expect(await command(['events', 'resend', id, '--json'], { env })).toMatchObject({
      exitCode: 0,
      out: `${JSON.stringify({ id, result: 'sent' })}\n`,
    });
    const delivery = stack.flows.client.workflow.getHandle(
      eventDeliveryId({ entity: stack.entity.name, flow: 'transfer', ref }),
    );
    expect(comparableEvents(await delivery.fetchHistory())).toContain('WORKFLOW_EXECUTION_SIGNALED redeliver');
    expect(await command(['events', 'resend', id], { env })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('No undelivered event'),
    });
  });

  test('the gateway exits with 0 after SIGTERM', async () => {
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ exitCode: 0 });
  });
});
