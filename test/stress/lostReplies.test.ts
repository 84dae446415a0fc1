import { distinct, requestsOf, sentBy } from '../support/journal';
import { reportedBy } from '../support/outcomes';
import { canariesIn, decryptedHistory, rawHistory } from '../support/secrets';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';
import { createWorkerSetup, type WorkerProcess, type WorkerSetup } from '../support/workerProcess';

const TRANSFERS = 200;
const WALLETS = 4;
const KILLS = 5;

/** Each transfer happens once although replies are lost and workers are killed: docs/architecture.md#effects-happen-once. */
describe.each(['reject', 'replay'] as const)(
  '200 transfers with faults and killed workers, idempotency mode %s',
  (idempotency) => {
    let stack: Stack;
    let setup: WorkerSetup;
    let worker: WorkerProcess;

    beforeAll(async () => {
      stack = await startStack({ speed: FAST, settings: { idempotency }, workers: false });
      setup = await createWorkerSetup(stack);
      worker = await setup.start();
    });
    afterAll(async () => {
      await worker.end('SIGTERM');
      await setup.remove();
      await stack.close();
    });

    test('lost replies, status 500 and five killed workers still lead to 200 transactions and 200 correct outcomes', async () => {
      const { control } = stack.world;
      const wallets = await Promise.all(Array.from({ length: WALLETS }, () => fundedWallet(stack)));
      await control.clearJournal();
      const operation = 'createTransfer';
      await control.addFault({ operation, rate: 0.1, action: { drop: 'after' } });
      await control.addFault({ operation, rate: 0.05, action: { drop: 'before' } });
      await control.addFault({ operation, rate: 0.05, action: { status: 500, when: 'before' } });

      const flows = await Promise.all(
        Array.from({ length: TRANSFERS }, (_, index) =>
          stack.flows.transfer.start(
            transferOf(wallets[index % WALLETS]!, { amount: `0.${String(index + 1).padStart(6, '0')}` }),
          ),
        ),
      );
      const ended = Promise.all(flows.map((flow) => flow.result()));

      ended.catch(() => {});

      let metrics = '';
      for (let kill = 1; kill <= KILLS; kill++) {
        const share = (kill * TRANSFERS) / (KILLS + 1);
        await until(async () => (await submissions()) >= share, `submission ${share}`);
        metrics += await worker.metrics();
        await worker.end('SIGKILL');
        worker = await setup.start();
      }
      const outcomes = await ended;
      metrics += await worker.metrics();

      expect(outcomes.filter(({ status }) => status === 'completed')).toHaveLength(TRANSFERS);
      expect(distinct(outcomes.map(reportedBy), 'transactionId')).toHaveLength(TRANSFERS);

      const requests = await requestsOf(stack.world, operation);
      const committed = requests.filter((request) => request.committed);
      expect(committed).toHaveLength(TRANSFERS);
      expect(distinct(committed, 'idempotencyKey')).toHaveLength(TRANSFERS);
      expect(distinct(requests, 'idempotencyKey')).toHaveLength(TRANSFERS);
      expect(distinct(requests, 'refId')).toHaveLength(TRANSFERS);
      expect(distinct(requests, 'ciphertextDigest')).toHaveLength(requests.length);
      const transactions = (await Promise.all(wallets.map(({ id }) => sentBy(stack.world, id)))).flat();
      expect(transactions).toHaveLength(TRANSFERS);
      // Ensures that faults were injected. Otherwise this test would prove nothing.
      expect(requests.length).toBeGreaterThan(TRANSFERS + 20);
      expect(await control.call('GET', '/ledger/audit')).toMatchObject({ problems: [] });

      const digests = new Set(requests.map(({ ciphertextDigest }) => ciphertextDigest!));
      const canaries = [stack.entity.apiKey, stack.entity.apiKey.split(':')[2]!, stack.entity.entitySecret!];
      const histories = await Promise.all(
        flows.flatMap(({ workflowId }) => [
          rawHistory(stack.flows.client, workflowId),
          decryptedHistory(stack.flows.client, workflowId, stack.keyRing),
        ]),
      );
      for (const text of [...histories, worker.output(), metrics]) {
        expect(canariesIn(text, canaries, digests)).toEqual([]);
      }
    });

    async function submissions(): Promise<number> {
      return distinct(await requestsOf(stack.world, 'createTransfer'), 'idempotencyKey').length;
    }
  },
);
