import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { opener, sealer } from '../../src/crypto/sealing';
import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/flowId';
import type { Sealed } from '../../src/domain/sealed';
import { requestsOf } from '../support/journal';
import { canariesIn, decryptedHistory, rawHistory } from '../support/secrets';
import { FAST, type Stack, startStack } from '../support/stack';
import { startTestWorker } from '../support/testWorker';
import { transferOf } from '../support/transfers';
import { fundedWallet } from '../support/wallets';

const PERSON_NAME = 'Zoë Őrsi-Çelik';
const DOCUMENT_NUMBER = 'X-CANARY-77';

/** Checks the stored bytes: docs/security.md#encrypted-payloads. */
describe('secrets and personal data', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
  });
  afterAll(() => stack.close());

  test.each(['activity', 'workflow'] as const)(
    'a failure of the %s that contains a sealed value is stored and logged without clear text',
    async (failure) => {
      const ref = randomUUID();
      const entity = `sealed-${ref}`;
      const flow = workflowId({ entity, flow: 'sealedNote', ref });
      const keys = sealer(stack.sealingKeys);
      const note = await keys.seal(`${PERSON_NAME} ${DOCUMENT_NUMBER}`, { flow, field: 'note' });
      const openedTexts: string[] = [];
      const stop = await startTestWorker({
        entity,
        codec: new EncryptingCodec(stack.keyRing),
        activities: {
          async quote(sealed: Sealed) {
            const text = await opener(stack.sealingKeys).open(sealed, { flow, field: 'note' });
            openedTexts.push(text);
            throw ApplicationFailure.nonRetryable(`The API refused ${text}`, 'Quoted', { text });
          },
        },
      });
      const running = stack.flows.client.workflow.execute('sealedNote', {
        taskQueue: flowQueue(entity),
        workflowId: flow,
        args: [note, `${PERSON_NAME} ${DOCUMENT_NUMBER}`, failure],
        memo: { note: PERSON_NAME },
      });
      const reason = await running.catch((error: Error) => (error.cause as Error).cause ?? error.cause);
      await stop();

      // The failure is readable with the keys. The stored bytes and the log do not show it.
      expect((reason as Error).message).toContain(DOCUMENT_NUMBER);
      if (failure === 'activity') expect(openedTexts).toEqual([`${PERSON_NAME} ${DOCUMENT_NUMBER}`]);
      const raw = await rawHistory(stack.flows.client, flow);
      expect(raw.length).toBeGreaterThan(500);
      expect(canariesIn(raw, [PERSON_NAME, DOCUMENT_NUMBER])).toEqual([]);
      expect(canariesIn(stack.log.join(''), [PERSON_NAME, DOCUMENT_NUMBER])).toEqual([]);
      const history = await decryptedHistory(stack.flows.client, flow, stack.keyRing);
      expect(history).toContain(DOCUMENT_NUMBER);
    },
  );

  test('a transfer leaves no API key, entity secret or ciphertext in history, log or metrics', async () => {
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
      await decryptedHistory(stack.flows.client, flow.workflowId, stack.keyRing),
      stack.log.join(''),
      await stack.metrics.text(),
    ]) {
      expect(canariesIn(text, canaries, digests)).toEqual([]);
    }
  });
});
