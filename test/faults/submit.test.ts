import type { FaultSpec } from '../../src/emulator';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** One world in one of the two idempotency modes: it rejects a used key or replays the response. */
class Submissions {
  private constructor(
    readonly stack: Stack,
    readonly wallet: FundedWallet,
  ) {}

  static async open(idempotency: 'reject' | 'replay'): Promise<Submissions> {
    const stack = await startStack({ speed: FAST, settings: { idempotency } });
    return new Submissions(stack, await fundedWallet(stack));
  }

  /** The same world with a new wallet, without faults and with an empty journal. */
  async reset(): Promise<Submissions> {
    const { stack } = this;
    await stack.world.control.clearFaults();
    const next = new Submissions(stack, await fundedWallet(stack));
    await stack.world.control.clearJournal();
    return next;
  }

  fault(spec: Omit<FaultSpec, 'operation'>) {
    return this.stack.world.control.addFault({ operation: 'createTransfer', ...spec });
  }

  async transfer() {
    return (await this.stack.flows.transfer.start(transferOf(this.wallet))).result();
  }

  /** Counts of the requests and transactions that reached the world. */
  async sent() {
    const { stack, wallet } = this;
    const requests = await requestsOf(stack.world, 'createTransfer');
    return {
      requests: requests.length,
      keys: distinct(requests, 'idempotencyKey').length,
      eachWithItsCiphertext: distinct(requests, 'ciphertextDigest').length === requests.length,
      transactions: (await sentBy(stack.world, wallet.id)).length,
    };
  }
}

const COMPLETED = { status: 'completed', result: { state: 'COMPLETE' } };
const ONCE = { keys: 1, eachWithItsCiphertext: true, transactions: 1 };

/** Each fault must lead to one transaction in both modes. Both run at once because most of the time is spent waiting. */
describe('a submission in both idempotency modes', () => {
  let both: Submissions[];

  beforeAll(async () => {
    both = await Promise.all([Submissions.open('reject'), Submissions.open('replay')]);
  });
  afterAll(() => Promise.all(both.map(({ stack }) => stack.close())));
  beforeEach(async () => {
    both = await Promise.all(both.map((world) => world.reset()));
  });

  const inBoth = <T>(run: (world: Submissions) => Promise<T>) => Promise.all(both.map(run));

  const lost: [string, FaultSpec['action']][] = [
    ['the reply is lost', { drop: 'after' }],
    ['the request is lost', { drop: 'before' }],
    ['500 before it was carried out', { status: 500, when: 'before' }],
    ['500 after it was carried out', { status: 500, when: 'after' }],
    ['503 after it was carried out', { status: 503, when: 'after' }],
    ['code -1 after it was carried out', { status: 400, code: -1, when: 'after' }],
    ['the reply is cut off', { truncate: true }],
    ['the reply is HTML', { html: true, when: 'after' }],
    ['a proxy answers 408 in JSON after it was carried out', { status: 408, body: { message: 'slow' }, when: 'after' }],
    ['the reply is a redirect', { redirect: 'http://127.0.0.1:9/', when: 'after' }],
    ['the reply has the wrong types', { wrongType: true }],
    ['the ciphertext is refused as used, after it was carried out', { status: 400, code: 156004, when: 'after' }],
    ['429', { status: 429, headers: { 'retry-after': '1' }, when: 'before' }],
  ];
  test.each(lost)('%s: the flow completes with one transaction', async (_name, action) => {
    await inBoth((world) => world.fault({ count: 1, action }));
    expect(await inBoth((world) => world.transfer())).toMatchObject([COMPLETED, COMPLETED]);
    expect(await inBoth((world) => world.sent())).toEqual([
      { ...ONCE, requests: 2 },
      { ...ONCE, requests: 2 },
    ]);
  });

  test.each([155201, 155202, 155264, 155505])(
    '%d after an attempt with a lost reply is not trusted, and the flow adopts the transaction',
    async (code) => {
      await inBoth((world) => world.fault({ count: 1, action: { drop: 'after' } }));
      await inBoth((world) => world.fault({ skip: 1, count: 1, action: { status: 400, code, when: 'before' } }));
      expect(await inBoth((world) => world.transfer())).toMatchObject([COMPLETED, COMPLETED]);
      expect(await inBoth((world) => world.sent())).toMatchObject([ONCE, ONCE]);
    },
  );

  test('a lost reply between two delays leads to a question, because the lists do not show the transaction yet', async () => {
    const [world] = both as [Submissions];
    const { stack } = world;
    const delay = { status: 400, code: 155264, when: 'before' } as const;
    await world.fault({ count: 1, action: delay });
    await world.fault({ count: 1, action: { drop: 'after' } });
    await world.fault({ skip: 2, count: 1, action: delay });
    const body = { data: { transactions: [] } };
    await stack.world.control.addFault({ operation: 'listTransactions', action: { status: 200, body } });
    const flow = await stack.flows.transfer.start(transferOf(world.wallet));
    let reason: string | undefined;
    await until(async () => {
      await stack.advance(30_000);
      reason = (await flow.progress()).attention?.reason;
      return reason !== undefined;
    }, 'the question');
    expect(reason).toMatch(/it is unknown whether submit was carried out/);
    await stack.world.control.clearFaults();
    await flow.decide('lookAgain', await stack.as('ops'));
    expect(await flow.result()).toMatchObject(COMPLETED);
    expect(await world.sent()).toMatchObject({ ...ONCE, requests: 4 });
  });
});
