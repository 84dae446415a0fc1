import { loadConfig } from '../config';
import { identityVerifier } from '../identity/verifier';
import { createLogger } from '../logger';
import { createMetrics } from '../metrics';
import { loadBundle } from '../temporal/bundle';
import { RefusedPolls } from '../temporal/refusedPolls';
import { freeLoopbackAddress } from '../temporal/sdkMetrics';
import { connectWorkers } from '../temporal/workerConnection';
import { BUNDLE_DIR, installRuntime } from '../worker';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';
import { requireSearchAttributes, startWorkerProcess } from './workerProcess';

export async function run({ out, env }: Terminal): Promise<void> {
  const config = loadConfig(env, { role: 'worker' });
  const logger = createLogger({ level: config.logLevel });
  const sdkAddress = await freeLoopbackAddress();
  const metrics = createMetrics({ sdkAddress });
  const refusedPolls = new RefusedPolls(logger, metrics);
  installRuntime(logger, { metricsAddress: sdkAddress, onRefusedPoll: refusedPolls.add });
  const stopRequested = stopSignal();

  const [bundle, connections] = await Promise.all([loadBundle(BUNDLE_DIR), connectWorkers()]);
  await requireSearchAttributes(connections.main, connections.namespace);
  const { entities, keyRing, sealingKeys, policies, issuers, apiShare, healthAddress, shutdownGraceMs } = config;
  const worker = await startWorkerProcess({
    entities,
    connections,
    bundlePath: bundle.codePath,
    keyRing,
    sealingKeys,
    policies,
    identities: identityVerifier(issuers),
    logger,
    metrics,
    refusedPolls,
    apiShare,
    shutdownGraceMs,
    healthAddress,
  });
  const names = entities.map(({ name }) => name).join(', ');
  out(`Worker ready for ${names}, health at ${worker.health.url}`);

  try {
    const signal = await Promise.race([stopRequested, worker.ended]);
    logger.info({ signal }, 'Stopping: waiting for running activities');
  } finally {
    await worker.drain();
    await connections.close();
  }
  logger.info('Stopped');
}
