import { loadConfig } from '../config';
import { EncryptingCodec } from '../crypto/payloadCodec';
import { createLogger } from '../logger';
import { createMetrics } from '../metrics';
import { lazyClient } from '../temporal/connection';
import { startGatewayProcess } from './gatewayProcess';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';

export async function run({ out, env }: Terminal): Promise<void> {
  const { entities, keyRing, logLevel, gatewayAddress, healthAddress } = loadConfig(env, { role: 'gateway' });
  const logger = createLogger({ level: logLevel });
  const stopRequested = stopSignal();
  const client = lazyClient([new EncryptingCodec(keyRing)]);
  const gateway = await startGatewayProcess({
    entities,
    client,
    keyRing,
    logger,
    metrics: createMetrics(),
    address: gatewayAddress,
    healthAddress,
  });
  const names = entities.map(({ name }) => name).join(', ');
  out(`Gateway ready for ${names} at ${gateway.url}, health at ${gateway.health.url}`);
  try {
    const signal = await stopRequested;
    logger.info({ signal }, 'Stopping: finishing the requests in flight');
  } finally {
    await gateway.drain();
    await client.connection.close();
  }
  logger.info('Stopped');
}
