import { loadConfig } from '../config';
import { identityVerifier } from '../identity/verifier';
import { createLogger } from '../logger';
import { createMetrics, freeLoopbackAddress } from '../metrics';
import { loadBundle } from '../temporal/bundle';
import { connectWorker } from '../temporal/workerConnection';
import { BUNDLE_DIR, installRuntime } from '../worker';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';
import { requireSearchAttributes, startWorkerProcess } from './workerProcess';

export async function run({ out, env }: Terminal): Promise<void> {
  const config = loadConfig(env, { role: 'worker' });
  const logger = createLogger({ level: config.logLevel });
  const sdkAddress = await freeLoopbackAddress();
  installRuntime(logger, sdkAddress);
  const stopRequested = stopSignal();

  const [bundle, { connection, namespace }] = await Promise.all([loadBundle(BUNDLE_DIR), connectWorker()]);
  await requireSearchAttributes(connection, namespace);
  const { entities, keyRing, sealingKeys, policies, issuers, apiShare, healthAddress, shutdownGraceMs } = config;
  const worker = await startWorkerProcess({
    entities,
    connection,
    namespace,
    bundlePath: bundle.codePath,
    keyRing,
    sealingKeys,
    policies,
    identities: identityVerifier(issuers),
    logger,
    metrics: createMetrics({ sdkAddress }),
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
    await connection.close();
  }
  logger.info('Stopped');
}
