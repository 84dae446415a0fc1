import { distinct, requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';
import { createWorkerSetup, type WorkerProcess, type WorkerSetup } from '../support/workerProcess';

/** Deploys, crashes and pauses of worker processes must not lead to a second submission. */
describe('worker processes', () => {
  let stack: Stack;
  let setup: WorkerSetup;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, workers: false });
    setup = await createWorkerSetup(stack);
  });
  afterAll(async () => {
    await setup.remove();
    await stack.close();
  });
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  let running: WorkerProcess[] = [];
  const startWorker = async () => {
    const worker = await setup.start();
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

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s during a request waits for the response and exits with 0',
    async (signal) => {
      const worker = await startWorker();
      await delayReply(3_000);
      const flow = await start();
      await arrived();
      expect(await worker.end(signal)).toBe(0);
      const next = await startWorker();
      expect(await flow.result()).toMatchObject({ status: 'completed' });
      await expectOnce({ requests: 1 });
      await next.end('SIGTERM');
    },
  );

  test('after a SIGKILL the next worker resends with the same idempotency key, and there is one transaction', async () => {
    const worker = await startWorker();
    await delayReply(20_000);
    const flow = await start();
    await arrived();
    await worker.end('SIGKILL');
    const next = await startWorker();
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectOnce({ requests: 2 });
    await next.end('SIGTERM');
  });

  test('a rejection that the lost attempt before a SIGKILL causes is not trusted, and the transaction is adopted', async () => {
    const worker = await startWorker();
    await delayReply(20_000);
    await stack.world.control.addFault({
      operation: 'createTransfer',
      skip: 1,
      action: { status: 400, code: 155201, when: 'before' },
    });
    const flow = await start();
    await arrived();
    await worker.end('SIGKILL');
    await startWorker();
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await expectOnce({ requests: 2 });
  });

  test('another worker takes over from one paused past the heartbeat timeout, and the late response does no harm', async () => {
    const first = await startWorker();
    // Long enough for the pause to start before the response.
    await delayReply(10_000);
    const flow = await start();
    await arrived();
    first.pause();
    const second = await startWorker();
    await until(async () => (await requestsOf(stack.world, 'createTransfer')).length >= 2, 'the take-over');
    first.resume();
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    // When the paused process resumes, it may send its task's request again. The same key makes that harmless.
    await expectOnce();
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
  });

  test('a revoked key opens an incident in the metrics, and the worker keeps running', async () => {
    await stack.world.control.setKeyState('revoked');
    const worker = await startWorker();
    const flow = await start();
    await until(async () => (await worker.metrics()).includes('walletflow_incident_open{entity='), 'the incident');
    await stack.world.control.setKeyState('active');
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    await worker.end('SIGTERM');
  });
});
