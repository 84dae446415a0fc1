import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { opener } from '../../src/crypto/sealing';
import type { Sealed } from '../../src/domain/sealed';
import { dataConverter } from '../../src/temporal/dataConverter';
import { requestsOf } from '../support/journal';
import { canariesIn, openedHistory, rawHistory } from '../support/secrets';
import { FAST, startStack, TEMPORAL, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { fundedWallet } from '../support/wallets';

const NAME = 'Zoë Őrsi-Çelik';
const DOCUMENT = 'X-CANARY-77';

/** Rule 10, by the stored bytes. */
describe('secrets and personal data', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
  });
  afterAll(() => stack.close());

  test.each(['activity', 'workflow'] as const)(
    'a sealed value, and a failure of an %s that quotes it: nothing in clear',
    async (failure) => {
      const ref = randomUUID();
      const flow = stack.flows.transfer.get(ref).workflowId;
      const note = await stack.flows.transfer.seal(ref, 'note', `${NAME} ${DOCUMENT}`);
      const quoted: string[] = [];
      const connection = await NativeConnection.connect({ address: TEMPORAL.address });
      const taskQueue = `sealed-${ref}`;
      const worker = await Worker.create({
        connection,
        taskQueue,
        workflowBundle: { codePath: process.env.WALLETFLOW_TEST_BUNDLE ?? '' },
        dataConverter: dataConverter([new EncryptingCodec(stack.keyRing)]),
        activities: {
          async quote(sealed: Sealed) {
            const text = await opener(stack.sealingKeys).open(sealed, { flow, field: 'note' });
            quoted.push(text);
            throw ApplicationFailure.nonRetryable(`The API refused ${text}`, 'Quoted', { text });
          },
        },
      });
      const { workflow } = stack.flows.client;
      const running = worker.runUntil(() =>
        workflow.execute('sealedNote', {
          taskQueue,
          workflowId: flow,
          args: [note, `${NAME} ${DOCUMENT}`, failure],
          memo: { note: NAME },
        }),
      );
      const reason = await running.catch((error: Error) => (error.cause as Error).cause ?? error.cause);
      await connection.close();

      // Who has the keys reads the failure; the bytes and the log show nothing of it.
      expect((reason as Error).message).toContain(DOCUMENT);
      if (failure === 'activity') expect(quoted).toEqual([`${NAME} ${DOCUMENT}`]);
      const raw = await rawHistory(stack.flows.client, flow);
      expect(raw.length).toBeGreaterThan(500);
      expect(canariesIn(raw, [NAME, DOCUMENT])).toEqual([]);
      expect(canariesIn(stack.log.join(''), [NAME, DOCUMENT])).toEqual([]);
      const opened = await openedHistory(stack.flows.client, flow, stack.keyRing);
      expect(opened).toContain(DOCUMENT);
    },
  );

  test('a transfer leaves neither key nor secret nor ciphertext in history, log and metrics', async () => {
    const wallet = await fundedWallet(stack);
    await stack.world.control.addFault({
      operation: 'createTransfer',
      count: 2,
      action: { status: 500, when: 'after' },
    });
    const flow = await stack.flows.transfer.start(transferOf(wallet));
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const requests = await requestsOf(stack.world, 'createTransfer');
    const digests = new Set(requests.map(({ ciphertextDigest }) => ciphertextDigest!));
    const secret = stack.entity.apiKey.split(':')[2]!;
    const canaries = [stack.entity.apiKey, secret, stack.entity.entitySecret!];
    for (const text of [
      await rawHistory(stack.flows.client, flow.workflowId),
      await openedHistory(stack.flows.client, flow.workflowId, stack.keyRing),
      stack.log.join(''),
      await stack.metrics.text(),
    ]) {
      expect(canariesIn(text, canaries, digests)).toEqual([]);
    }
  });
});
