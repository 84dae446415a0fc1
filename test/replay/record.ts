import { mkdir, writeFile } from 'node:fs/promises';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { toIssuer } from '../../src/identity/localIssuer';
import { Receiver } from '../support/receiver';
import { type Stack, startStack } from '../support/stack';
import { SCENARIOS } from './allScenarios';
import { EVENT_SCENARIOS } from './eventScenarios';
import { portable } from './portable';
import { fileOf, FOLDER, recordingCodec } from './recordings';
import { POLICIES, type RecordedWorkflow, UNREACHABLE_ISSUER } from './runScenario';

/** `npm run record`: runs every scenario of every flow and saves the histories. */
describe('recording', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ policies: POLICIES, issuers: (own) => [toIssuer(own), UNREACHABLE_ISSUER] });
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(() => stack.close());
  afterEach(() => stack.world.control.clearFaults());

  test.each(Object.entries(SCENARIOS))('%s', async (name, run) => {
    await record(stack, name, await run(stack));
  });
});

describe('recording with an event endpoint', () => {
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

  test.each(Object.entries(EVENT_SCENARIOS))('%s', async (name, run) => {
    await record(stack, name, await run(stack, endpoint));
  });
});

async function record(stack: Stack, name: string, { workflowId, runId }: RecordedWorkflow): Promise<void> {
  const workflow = stack.flows.client.workflow.getHandle(workflowId, runId);
  const codecs = { from: new EncryptingCodec(stack.keyRing), to: await recordingCodec() };
  await writeFile(fileOf(name), await portable(await workflow.fetchHistory(), codecs));
  // A workflow that still waits would take part in the next scenario's time.
  if ((await workflow.describe()).status.name === 'RUNNING') await workflow.terminate();
}
