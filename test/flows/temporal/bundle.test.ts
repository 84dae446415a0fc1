import { type Client, WorkflowFailedError } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startDevServer } from '../../../src/dev/devServer';
import { flowQueue } from '../../../src/domain/activityTable';
import { buildBundle, BundleMismatchError, type BundleStamp, loadBundle } from '../../../src/temporal/bundle';
import { connectClient } from '../../../src/temporal/connection';
import { dataConverter } from '../../../src/temporal/dataConverter';
import { connectWorker } from '../../../src/temporal/workerConnection';

const workflowsPath = require.resolve('../../support/temporalWorkflows');
let folder: string;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => {}) });
  folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-bundle-'));
  await buildBundle(folder, { workflowsPath });
});

afterAll(() => rm(folder, { recursive: true }));

const stampFile = () => path.join(folder, 'workflow-bundle.json');
const readStamp = async () => JSON.parse(await readFile(stampFile(), 'utf8')) as BundleStamp;

/** Applies `change` to the stamp while `test` runs. */
async function withStamp(change: Partial<BundleStamp>, test: () => Promise<void>): Promise<void> {
  const stamp = await readStamp();
  await writeFile(stampFile(), JSON.stringify({ ...stamp, ...change }));
  try {
    await test();
  } finally {
    await writeFile(stampFile(), JSON.stringify(stamp));
  }
}

test('a matching bundle is loaded, and its stamp lists its modules', async () => {
  const { codePath, stamp } = await loadBundle(folder);
  expect(codePath).toBe(path.join(folder, 'workflow-bundle.js'));
  expect(stamp.modules).toContain('temporalWorkflows/index.ts');
  expect(stamp.modules).toContain('@temporalio/workflow/lib/workflow.js');
  expect(stamp.modules.filter((name) => name.includes('failureConverter'))).toHaveLength(1);
  expect(stamp.modules.filter((name) => path.isAbsolute(name))).toEqual([]);
});

test('the same sources give the same bundle, without absolute paths', async () => {
  const other = await mkdtemp(path.join(os.tmpdir(), 'walletflow-bundle-'));
  const { stamp, codePath } = await buildBundle(other, { workflowsPath });
  expect(stamp).toEqual(await readStamp());
  const sourceMap = /sourceMappingURL=data:application\/json;charset=utf-8;base64,(\S+)/.exec(
    await readFile(codePath, 'utf8'),
  )![1]!;
  const { sources } = JSON.parse(Buffer.from(sourceMap, 'base64').toString('utf8')) as { sources: string[] };
  expect(sources.filter((source) => path.isAbsolute(source))).toEqual([]);
  await rm(other, { recursive: true });
});

const mismatches: [problem: string, change: Partial<BundleStamp>, named: string[]][] = [
  ['another SDK', { sdk: '1.0.0' }, ['Temporal SDK', '"1.0.0"']],
  ['code that was changed', { sha256: 'beef' }, ['SHA-256', '"beef"']],
  ['other converters', { converter: 'none' }, ['failure converter', '"none"']],
];

test.each(mismatches)('a bundle with %s is rejected with the remedy', async (_, change, named) => {
  await withStamp(change, async () => {
    const error = await loadBundle(folder).catch((reason: unknown) => reason as Error);
    expect(error).toBeInstanceOf(BundleMismatchError);
    for (const words of [...named, 'npm run build']) expect((error as Error).message).toContain(words);
  });
});

test('the error for a missing bundle says how to build one', async () => {
  await expect(loadBundle(path.join(folder, 'none'))).rejects.toThrow(/There is no workflow bundle in .*npm run build/);
});

test('the build fails for workflow code that imports a Node module and names the module', async () => {
  const broken = require.resolve('../../support/temporalWorkflows/broken');
  await expect(buildBundle(path.join(folder, 'out'), { workflowsPath: broken })).rejects.toThrow(/node:fs/);
});

/** Masks instead of encrypting: the test checks only which values pass through a codec. */
class MaskingCodec implements PayloadCodec {
  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => ({
      metadata: { encoding: Buffer.from('binary/masked') },
      data: flip(temporal.api.common.v1.Payload.encode(payload).finish()),
    }));
  }
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map(({ data }) => temporal.api.common.v1.Payload.decode(flip(data!)));
  }
}

const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0xff);

test('a failure of workflow code is stored encoded, and the client can read it', async () => {
  const server = await startDevServer();
  const codecs = [new MaskingCodec()];
  const client: Client = await connectClient(codecs, server);
  const { connection } = await connectWorker(server);
  const workflowId = `bundle-${crypto.randomUUID()}`;
  const taskQueue = flowQueue(workflowId);
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await loadBundle(folder),
    dataConverter: dataConverter(codecs),
  });
  await worker.runUntil(async () => {
    const handle = await client.workflow.start('failWith', { workflowId, taskQueue, args: ['CANARY-4711'] });
    const error = await handle.result().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause?.message).toBe('CANARY-4711');
    const history = await handle.fetchHistory();
    const stored = Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1');
    expect(stored).toContain('Encoded failure');
    expect(stored).not.toContain('CANARY-4711');
    expect(stored).not.toContain('temporalWorkflows');
  });
  await connection.close();
  await client.connection.close();
  await server.stop();
});
