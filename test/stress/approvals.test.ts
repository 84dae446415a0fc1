import { distinct, requestsOf, sentBy } from '../support/journal';
import { makePayer } from '../support/payers';
import { type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { approve, challengeOf, challengesOf } from '../support/users';
import { createWorkerSetup, type WorkerProcess, type WorkerSetup } from '../support/workerProcess';

/** Clock speed at which a user token, valid for an hour, outlives a crash and a transaction becomes final soon. */
const SPEED = 200;

/** Killed workers must not lead to a second challenge or transaction. */
describe('approvals and killed workers', () => {
  let stack: Stack;
  let setup: WorkerSetup;
  let worker: WorkerProcess;

  beforeAll(async () => {
    stack = await startStack({ speed: SPEED, workers: false, settings: { challengeLifetimeMs: null } });
    setup = await createWorkerSetup(stack);
  });
  afterAll(async () => {
    await setup.remove();
    await stack.close();
  });
  afterEach(() => worker.end('SIGKILL'));

  const killAndRestart = async () => {
    await worker.end('SIGKILL');
    worker = await setup.start();
  };

  test('one challenge and one transaction, although the worker is killed while opening, waiting and following', async () => {
    worker = await setup.start();
    const { userId, wallets } = await makePayer(stack);
    const wallet = wallets[0]!;
    const before = (await challengesOf(stack, userId)).length;
    const { control } = stack.world;
    await control.clearJournal();
    await control.addFault({ operation: 'createUserTransfer', count: 1, action: { delayMs: 20_000, when: 'after' } });
    await control.call('POST', '/transactions/next', { confirmAfterMs: 30 * 60_000 });

    const flow = await stack.flows.transfer.start(transferOf(wallet));
    const opened = async () => (await requestsOf(stack.world, 'createUserTransfer')).some(({ committed }) => committed);
    await until(opened, 'the challenge');
    await killAndRestart();
    const challengeId = await challengeOf(flow);
    await killAndRestart();
    await approve(stack, challengeId);
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the approval');
    await killAndRestart();

    expect(await flow.result()).toMatchObject({ status: 'completed', result: { challengeId } });
    expect(await challengesOf(stack, userId)).toHaveLength(before + 1);
    expect(distinct(await requestsOf(stack.world, 'createUserTransfer'), 'idempotencyKey')).toHaveLength(1);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });
});
