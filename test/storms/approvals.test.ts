import { distinct, requestsOf, sentBy } from '../support/journal';
import { makePayer } from '../support/payers';
import { startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { approve, challengeOf, challengesOf } from '../support/users';
import { workerHome, type WorkerHome, type WorkerProcess } from '../support/workerProcess';

/** World time against real time: a user token of an hour outlives a crash, and a transaction is soon final. */
const SPEED = 200;

/** What crashes of worker processes do to a flow that waits for its user: one challenge, one transaction. */
describe('approvals and killed workers', () => {
  let stack: Stack;
  let home: WorkerHome;
  let worker: WorkerProcess;

  beforeAll(async () => {
    stack = await startStack({ speed: SPEED, workers: false, settings: { challengeLifetimeMs: null } });
    home = await workerHome(stack);
  });
  afterAll(async () => {
    await home.remove();
    await stack.close();
  });
  afterEach(() => worker.end('SIGKILL'));

  const killed = async () => {
    await worker.end('SIGKILL');
    worker = await home.start();
  };

  test('killed while the challenge is opened, while the user is waited for, and while the transaction is followed', async () => {
    worker = await home.start();
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
    await killed();
    const challengeId = await challengeOf(flow);
    await killed();
    await approve(stack, challengeId);
    await until(async () => (await flow.progress()).pastPointOfNoReturn, 'the approval');
    await killed();

    expect(await flow.result()).toMatchObject({ status: 'completed', result: { challengeId } });
    expect(await challengesOf(stack, userId)).toHaveLength(before + 1);
    expect(distinct(await requestsOf(stack.world, 'createUserTransfer'), 'idempotencyKey')).toHaveLength(1);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  });
});
