import { DefaultLogger, Runtime } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKeyRing, KeyRing } from '../../../src/crypto/keyRing';
import { EncryptingCodec } from '../../../src/crypto/payloadCodec';
import { flowQueue } from '../../../src/domain/activityTable';
import { connectClient } from '../../../src/temporal/connection';
import { replayFailures } from '../../support/replayFailures';
import { TEMPORAL } from '../../support/stack';
import { startTestWorker } from '../../support/testWorker';
import type { OverlapActivities, OverlapTimes } from '../../support/workflows/overlap';

const TASK_TIMEOUT_MS = 2_000;
/** The activity ends while the first task with the local activity runs, and the local activity during the next task. */
const TIMES: OverlapTimes = { remote: 0.4 * TASK_TIMEOUT_MS, local: 1.25 * TASK_TIMEOUT_MS };

const wait = async (value: string, milliseconds: number) => {
  await sleep(milliseconds);
  return value;
};
const activities: OverlapActivities = {
  remote: wait,
  local: wait,
  afterRemote: async () => {},
  afterLocal: async () => {},
};

// A task ends before its local activity also if it answers a query, but a test cannot time that.
test('a workflow task that ends before its local activity delivers what came first, and a replay takes the same turns', async () => {
  const ring = new KeyRing(generateKeyRing(new Date()));
  const codec = new EncryptingCodec(ring);
  const entity = `overlap-${randomUUID()}`;
  const taskQueue = flowQueue(entity);
  Runtime.install({ logger: new DefaultLogger('ERROR', () => {}) });
  const client = await connectClient([codec], TEMPORAL);
  const stop = await startTestWorker({ entity, codec, activities });
  const workflowId = `${entity}/overlap/${randomUUID()}`;
  const args: [OverlapTimes] = [TIMES];
  const options = { workflowId, taskQueue, args, workflowTaskTimeout: TASK_TIMEOUT_MS };
  const order = await client.workflow.execute('overlap', options);
  expect(order).toEqual(['after the local activity', 'after the activity']);
  expect(await replayFailures(client, ring, [workflowId])).toEqual([]);
  await stop();
  await client.connection.close();
});
