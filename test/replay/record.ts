import { mkdir, writeFile } from 'node:fs/promises';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { startStack, type Stack } from '../support/stack';
import { ENDINGS, POLICIES } from './endings';
import { portable } from './portable';
import { fileOf, FOLDER, recordingCodec } from './recordings';

/** `npm run record`: brings each flow to each of its endings, for real, and keeps the histories. */
describe('recording', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ policies: POLICIES });
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(() => stack.close());
  afterEach(() => stack.world.control.clearFaults());

  test.each(Object.entries(ENDINGS))('%s', async (name, bring) => {
    const { workflowId, runId } = await bring(stack);
    const workflow = stack.flows.client.workflow.getHandle(workflowId, runId);
    const codecs = { from: new EncryptingCodec(stack.keyRing), to: await recordingCodec() };
    await writeFile(fileOf(name), await portable(await workflow.fetchHistory(), codecs));
    // A flow that still waits would take part in the next one's time.
    if ((await workflow.describe()).status.name === 'RUNNING') await workflow.terminate();
  });
});
