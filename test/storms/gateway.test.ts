import { randomUUID } from 'node:crypto';
import { refId } from '../../src/crypto/effectKeys';
import { sessionRef } from '../../src/crypto/sessionRef';
import { boxId, type BoxEntry } from '../../src/domain/eventBox';
import { deliveryId } from '../../src/domain/flowEvent';
import { workflowId } from '../../src/domain/ref';
import { USER_SESSION } from '../../src/domain/userSession';
import { SUBSCRIBED_TYPES } from '../../src/gateway/routes';
import { listBox, putInBox } from '../../src/temporal/eventBox';
import { command, endCommands, type RunningCommand, startCommand } from '../support/commandLine';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { comparableEvents } from '../support/history';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';
import { type WorkerHome, workerHome } from '../support/workerProcess';

const TIMEOUT_MS = 120_000;

describe('walletflow gateway, setup and events', () => {
  let stack: Stack;
  let wallet: FundedWallet;
  let home: WorkerHome;
  let env: Record<string, string>;
  let gateway: RunningCommand;
  let url: string;
  let health: string;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    wallet = await fundedWallet(stack);
    home = await workerHome(stack);
    gateway = startCommand(['gateway'], { env: { ...home.env, WALLETFLOW_GATEWAY_ADDRESS: '127.0.0.1:0' } });
    const line = await gateway.line(/^Gateway ready/);
    [, url = '', health = ''] = /at (\S+), health at (\S+)$/.exec(line) ?? [];
    env = { ...home.env, WALLETFLOW_GATEWAY_URL: url };
  }, TIMEOUT_MS);
  afterAll(async () => {
    endCommands();
    await stack.flows.client.workflow
      .getHandle(boxId(stack.entity.name, 'parked'))
      .terminate()
      .catch(() => {});
    await home.remove();
    await stack.close();
  });

  const endpoint = () => `${url}/webhooks/${stack.entity.name}`;
  const subscriptions = async () => (await stack.api.listSubscriptions()).data;

  test('is ready when Temporal answers, and shows its metrics', async () => {
    const answer = await fetch(`${health}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([200, { ready: true, checks: { temporal: true } }]);
    expect((await fetch(endpoint(), { method: 'HEAD' })).status).toBe(200);
  });

  test('setup subscribes once, switches on what is off, and replaces what has other types', async () => {
    const setup = async () => (await command(['setup'], { env })).out;
    expect(await setup()).toContain(`Webhooks of ${stack.entity.name} to ${endpoint()}: subscribed\n`);
    expect(await setup()).toContain('are subscribed already');
    const [own, ...others] = await subscriptions();
    expect(others).toEqual([]);
    expect(own).toMatchObject({ endpoint: endpoint(), enabled: true, notificationTypes: [...SUBSCRIBED_TYPES] });

    const params = { id: own!.id };
    await stack.api.updateSubscription({ params, body: { name: own!.name, enabled: false } });
    expect(await setup()).toContain('switched on again');
    await stack.api.deleteSubscription({ params });
    await stack.api.createSubscription({ body: { endpoint: endpoint(), notificationTypes: ['transactions.*'] } });
    expect(await setup()).toContain('subscribed anew');
    expect(await subscriptions()).toMatchObject([{ enabled: true, notificationTypes: [...SUBSCRIBED_TYPES] }]);
  });

  test('setup refuses an origin that others can read along, and says how flows go on without one', async () => {
    const refused = await command(['setup'], { env: { ...env, WALLETFLOW_GATEWAY_URL: 'http://hooks.example.com' } });
    expect(refused).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('WALLETFLOW_GATEWAY_URL: is not https'),
    });
    expect(await command(['setup'], { env: home.env })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('flows poll'),
    });
  });

  test('a transfer hears of its end through the process', async () => {
    await stack.world.control.addFault({ operation: 'getTransaction', action: { status: 500 } });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    const metrics = await (await fetch(`${health}/metrics`)).text();
    expect(metrics).toMatch(/walletflow_webhooks_total\{[^}]*result="signalled"\} 1\n/);
    await stack.world.control.clearFaults();
  });

  test(
    'events lists what is parked, and hands it over once its flow is there',
    async () => {
      const ref = `late-${randomUUID()}`;
      const effect = { flow: 'transfer', ref, step: 'submit', ordinal: 1, keyId: stack.keyRing.currentId };
      const notification = {
        id: randomUUID(),
        state: 'COMPLETE',
        refId: refId(stack.entity.name, effect, stack.keyRing),
      };
      expect(await command(['events', 'list'], { env })).toMatchObject({
        exitCode: 0,
        out: '',
        err: 'Nothing is parked\n',
      });
      await stack.world.control.call('POST', '/webhooks', { notificationType: 'transactions.outbound', notification });
      let listed: BoxEntry[] = [];
      await until(async () => {
        const { out } = await command(['events', 'list', '--json'], { env });
        listed = out
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as BoxEntry);
        return listed.length > 0;
      }, 'parking');
      expect(listed).toMatchObject([{ about: `there is no flow transfer/${ref}`, payload: { notification } }]);

      const { id } = listed[0]!;
      expect(await command(['events', 'redeliver', id], { env })).toMatchObject({
        exitCode: 1,
        out: expect.stringContaining('still belongs to nobody'),
      });
      const flow = await stack.flows.transfer.start(transferOf(wallet, { ref, amount: '5000' }));
      await until(async () => (await flow.progress()).attention !== undefined, 'attention');
      const again = await command(['events', 'redeliver', id, '--json'], { env });
      expect([again.exitCode, JSON.parse(again.out)]).toEqual([0, { id, result: 'signalled' }]);
      expect(await command(['events', 'redeliver', id], { env })).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('No parked event'),
      });
      await flow.cancel(await stack.as('ops'));
      await flow.result();
    },
    TIMEOUT_MS,
  );

  test('events hands what a session has parked over to it again', async () => {
    const notification = { id: randomUUID(), userId: randomUUID(), type: 'SET_PIN', status: 'COMPLETE', errorCode: 0 };
    await stack.world.control.call('POST', '/webhooks', { notificationType: 'challenges.setPin', notification });
    const deps = { client: stack.flows.client, entity: stack.entity.name };
    const ours = async () =>
      (await listBox(deps, 'parked')).entries.find(({ about }) => about.includes(notification.id));
    await until(async () => (await ours()) !== undefined, 'parking');
    const { id } = (await ours())!;
    const again = await command(['events', 'redeliver', id, '--json'], { env });
    expect(again).toMatchObject({ exitCode: 0, out: `${JSON.stringify({ id, result: 'signalled' })}\n` });
    const ref = sessionRef(stack.entity.name, notification.userId, stack.keyRing);
    const session = stack.flows.client.workflow.getHandle(
      workflowId({ entity: stack.entity.name, flow: USER_SESSION, ref }),
    );
    const events = comparableEvents(await session.fetchHistory());
    expect(events.filter((event) => event === 'WORKFLOW_EXECUTION_SIGNALED news')).toHaveLength(2);
    await session.terminate();
  });

  test('events lists what the own endpoint did not take, and sends it again', async () => {
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
    await putInBox(deps, 'dead', { id, at, kind: 'reminder', about: 'answered 500', payload: event });
    expect(await command(['events', 'list', '--box', 'dead'], { env })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(`${id}  reminder  answered 500`),
    });
    expect(await command(['events', 'resend', id, '--json'], { env })).toMatchObject({
      exitCode: 0,
      out: `${JSON.stringify({ id, result: 'sent' })}\n`,
    });
    const delivery = stack.flows.client.workflow.getHandle(
      deliveryId({ entity: stack.entity.name, flow: 'transfer', ref }),
    );
    expect(comparableEvents(await delivery.fetchHistory())).toContain('WORKFLOW_EXECUTION_SIGNALED again');
    expect(await command(['events', 'resend', id], { env })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('No dead event'),
    });
  });

  test('ends gracefully when it is told to', async () => {
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ exitCode: 0 });
  });
});
