import { mkdir, writeFile } from 'node:fs/promises';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { Receiver } from '../support/receiver';
import { startStack, type Stack } from '../support/stack';
import { ENDINGS, POLICIES, type Recorded } from './endings';
import { portable } from './portable';
import { fileOf, FOLDER, recordingCodec } from './recordings';
import { ONBOARDING_ENDINGS } from './onboardingEndings';
import { SESSION_ENDINGS } from './sessionEndings';
import { TOLD_ENDINGS } from './toldEndings';

/** `npm run record`: brings each flow to each of its endings, for real, and keeps the histories. */
describe('recording', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ policies: POLICIES });
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(() => stack.close());
  afterEach(() => stack.world.control.clearFaults());

  test.each(Object.entries({ ...ENDINGS, ...ONBOARDING_ENDINGS, ...SESSION_ENDINGS }))('%s', async (name, bring) => {
    await keep(stack, name, await bring(stack));
  });
});

describe('recording with an endpoint for events', () => {
  let endpoint: Receiver;
  let stack: Stack;

  beforeAll(async () => {
    endpoint = await Receiver.open();
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    stack = await startStack({ policies: POLICIES, events: { url: endpoint.url, secret } });
  });
  afterAll(async () => {
    await stack.close();
    endpoint.close();
  });
  afterEach(() => endpoint.clear());

  test.each(Object.entries(TOLD_ENDINGS))('%s', async (name, bring) => {
    await keep(stack, name, await bring(stack, endpoint));
  });
});

async function keep(stack: Stack, name: string, { workflowId, runId }: Recorded): Promise<void> {
  const workflow = stack.flows.client.workflow.getHandle(workflowId, runId);
  const codecs = { from: new EncryptingCodec(stack.keyRing), to: await recordingCodec() };
  await writeFile(fileOf(name), await portable(await workflow.fetchHistory(), codecs));
  // What still waits would take part in the next one's time.
  if ((await workflow.describe()).status.name === 'RUNNING') await workflow.terminate();
}
