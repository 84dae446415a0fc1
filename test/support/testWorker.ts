import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { PayloadCodec } from '@temporalio/common';
import { flowQueue } from '../../src/domain/activityTable';
import { ActivityEnvelopes } from '../../src/temporal/activityEnvelopes';
import { dataConverter } from '../../src/temporal/dataConverter';
import { connectWorker } from '../../src/temporal/workerConnection';
import { TEMPORAL } from './stack';

export interface TestWorkerOptions extends Pick<WorkerOptions, 'activities' | 'maxCachedWorkflows'> {
  entity: string;
  codec: PayloadCodec;
}

/** Runs a Worker with the tests' workflows on the flow queue of an entity. @returns a function that stops it */
export async function startTestWorker({ entity, codec, ...options }: TestWorkerOptions): Promise<() => Promise<void>> {
  const { connection, namespace } = await connectWorker(TEMPORAL);
  const worker = await Worker.create({
    ...options,
    connection,
    namespace,
    taskQueue: flowQueue(entity),
    workflowBundle: { codePath: process.env.WALLETFLOW_TEST_BUNDLE ?? '' },
    dataConverter: dataConverter([codec]),
    interceptors: { activity: [(context) => ({ inbound: new ActivityEnvelopes(context, entity) })] },
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}
