import type { FaultSpec } from '../../src/emulator';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { fundedWallet, type FundedWallet } from '../support/wallets';

/** Whatever happens to the submission: one transaction, one key, a ciphertext for each request. */
describe.each(['reject', 'replay'] as const)('a submission in idempotency mode %s', (idempotency) => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, settings: { idempotency } });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    await stack.world.control.clearFaults();
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });

  const start = () => stack.flows.transfer.start(transferOf(wallet));
  const fault = (spec: Omit<FaultSpec, 'operation'>) =>
    stack.world.control.addFault({ operation: 'createTransfer', ...spec });

  async function expectOnce(): Promise<void> {
    const requests = await requestsOf(stack.world, 'createTransfer');
    expect(distinct(requests, 'idempotencyKey')).toHaveLength(1);
    expect(distinct(requests, 'ciphertextDigest')).toHaveLength(requests.length);
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  }

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
    await fault({ count: 1, action });
    const outcome = await (await start()).result();
    expect(outcome).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
    await expectOnce();
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(2);
  });

  test.each([155201, 155202, 155264, 155505])(
    '%d after a first attempt whose reply was lost is not believed: adopted',
    async (code) => {
      await fault({ count: 1, action: { drop: 'after' } });
      await fault({ skip: 1, count: 1, action: { status: 400, code, when: 'before' } });
      const outcome = await (await start()).result();
      expect(outcome).toMatchObject({ status: 'completed', result: { state: 'COMPLETE' } });
      await expectOnce();
    },
  );
});
