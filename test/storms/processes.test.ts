import { distinct, requestsOf, sentBy } from '../support/journal';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';
import { workerHome, type WorkerHome, type WorkerProcess } from '../support/workerProcess';

/** Field cases AC-01, AC-03 and AC-04: what deploys, crashes and pauses of worker processes do to one submission. */
describe('worker processes', () => {
  let stack: Stack;
  let home: WorkerHome;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, workers: false });
    home = await workerHome(stack);
  });
  afterAll(async () => {
    await home.remove();
    await stack.close();
  });
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  let running: WorkerProcess[] = [];
  const work = async () => {
    const worker = await home.start();
    running.push(worker);
    return worker;
  };
  afterEach(async () => {
    await Promise.all(running.map((worker) => worker.end('SIGKILL')));
    running = [];
  });

  const start = () => stack.flows.transfer.start(transferOf(wallet));
  const delayReply = (delayMs: number) =>
    stack.world.control.addFault({ operation: 'createTransfer', count: 1, action: { delayMs, when: 'after' } });
  const arrived = () =>
    until(
      async () => (await requestsOf(stack.world, 'createTransfer')).some(({ committed }) => committed),
      'the commit',
    );

  async function expectOnce({ requests }: { requests?: number } = {}): Promise<void> {
    const seen = await requestsOf(stack.world, 'createTransfer');
    if (requests !== undefined) expect(seen).toHaveLength(requests);
    expect(seen.filter(({ committed }) => committed)).toHaveLength(1);
    expect(distinct(seen, 'idempotencyKey')).toHaveLength(1);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  }

  test.each(['SIGTERM', 'SIGINT'] as const)('%s while a reply is awaited: it is heard, exit 0', async (signal) => {
    const worker = await work();
    await delayReply(3_000);
    const flow = await start();
    await arrived();
    expect(await worker.end(signal)).toBe(0);
    const next = await work();
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectOnce({ requests: 1 });
    await next.end('SIGTERM');
  });

  test('SIGKILL after the API has answered: the next worker sends with the same key, one transaction', async () => {
    const worker = await work();
    await delayReply(20_000);
    const flow = await start();
    await arrived();
    await worker.end('SIGKILL');
    const next = await work();
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectOnce({ requests: 2 });
    await next.end('SIGTERM');
  });

  test('SIGKILL after the commit, and a refusal that the lost attempt itself causes: adopted, not believed', async () => {
    const worker = await work();
    await delayReply(20_000);
    await stack.world.control.addFault({
      operation: 'createTransfer',
      skip: 1,
      action: { status: 400, code: 155201, when: 'before' },
    });
    const flow = await start();
    await arrived();
    await worker.end('SIGKILL');
    await work();
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectOnce({ requests: 2 });
  });

  test('paused past the heartbeat timeout: another takes over, the late answer does no harm', async () => {
    const first = await work();
    // Long enough for the pause to come before it.
    await delayReply(10_000);
    const flow = await start();
    await arrived();
    first.pause();
    const second = await work();
    await until(async () => (await requestsOf(stack.world, 'createTransfer')).length >= 2, 'the take-over');
    first.resume();
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    // What the server had handed to the paused process is sent when it wakes, with the same key: harmless.
    await expectOnce();
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
  });

  test('a key that the API does not know: the worker stays, one incident on its metrics', async () => {
    await stack.world.control.setKeyState('revoked');
    const worker = await work();
    const flow = await start();
    await until(async () => (await worker.metrics()).includes('walletflow_incident_open{entity='), 'the incident');
    await stack.world.control.setKeyState('active');
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await worker.end('SIGTERM');
  });
});
