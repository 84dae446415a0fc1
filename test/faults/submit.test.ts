import type { FaultSpec } from '../../src/emulator';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** One world, in which a used key is answered in one of the two ways that the API may have. */
class Submissions {
  private constructor(
    readonly idempotency: 'reject' | 'replay',
    readonly stack: Stack,
    readonly wallet: FundedWallet,
  ) {}

  static async open(idempotency: 'reject' | 'replay'): Promise<Submissions> {
    const stack = await startStack({ speed: FAST, settings: { idempotency } });
    return new Submissions(idempotency, stack, await fundedWallet(stack));
  }

  /** The same world with another wallet, no faults and an empty journal. */
  async anew(): Promise<Submissions> {
    const { idempotency, stack } = this;
    await stack.world.control.clearFaults();
    const next = new Submissions(idempotency, stack, await fundedWallet(stack));
    await stack.world.control.clearJournal();
    return next;
  }

  fault(spec: Omit<FaultSpec, 'operation'>) {
    return this.stack.world.control.addFault({ operation: 'createTransfer', ...spec });
  }

  async completes(): Promise<void> {
    const { idempotency } = this;
    const outcome = await (await this.stack.flows.transfer.start(transferOf(this.wallet))).result();
    expect({ idempotency, ...outcome }).toMatchObject({
      idempotency,
      status: 'completed',
      result: { state: 'COMPLETE' },
    });
  }

  /** One transaction and one key; a ciphertext for each request. @returns how many requests there were */
  async sentOnce(): Promise<number> {
    const { idempotency, stack, wallet } = this;
    const requests = await requestsOf(stack.world, 'createTransfer');
    expect({
      idempotency,
      keys: distinct(requests, 'idempotencyKey').length,
      ciphertexts: distinct(requests, 'ciphertextDigest').length,
      transactions: (await sentBy(stack.world, wallet.id)).length,
    }).toEqual({ idempotency, keys: 1, ciphertexts: requests.length, transactions: 1 });
    return requests.length;
  }
}

/** Whatever happens to the submission, however a used key is answered: one transaction. Most of it is waiting. */
describe('a submission, in both modes of idempotency at the same time', () => {
  let both: Submissions[];

  beforeAll(async () => {
    both = await Promise.all([Submissions.open('reject'), Submissions.open('replay')]);
  });
  afterAll(() => Promise.all(both.map(({ stack }) => stack.close())));
  beforeEach(async () => {
    both = await Promise.all(both.map((world) => world.anew()));
  });

  const inBoth = <T>(what: (world: Submissions) => Promise<T>) => Promise.all(both.map(what));

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
  test.each(lost)('%s: one transaction, completed', async (_name, action) => {
    await inBoth((world) => world.fault({ count: 1, action }));
    await inBoth((world) => world.completes());
    expect(await inBoth((world) => world.sentOnce())).toEqual([2, 2]);
  });

  test.each([155201, 155202, 155264, 155505])(
    '%d after a first attempt whose reply was lost is not believed: adopted',
    async (code) => {
      await inBoth((world) => world.fault({ count: 1, action: { drop: 'after' } }));
      await inBoth((world) => world.fault({ skip: 1, count: 1, action: { status: 400, code, when: 'before' } }));
      await inBoth((world) => world.completes());
      await inBoth((world) => world.sentOnce());
    },
  );
});
