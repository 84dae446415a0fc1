import { createApi } from '../../api';
import { loadConfig } from '../../config';
import { EncryptingCodec } from '../../crypto/payloadCodec';
import type { DeliveryDeps } from '../../gateway/deliverWebhook';
import { RateLimiter } from '../../gateway/rateLimiter';
import { createLogger } from '../../logger';
import { connectClient } from '../../temporal/connection';
import { chooseEntity } from '../chooseEntity';
import type { Terminal } from '../terminal';

/** A command handles one event, which needs at most one read of the API. */
const READS_PER_MINUTE = 1;

/** Connects with a gateway's configuration for one entity, runs `body`, and disconnects. */
export async function withHeldEvents<T>(terminal: Terminal, body: (deps: DeliveryDeps) => Promise<T>): Promise<T> {
  const config = loadConfig(terminal.env, { role: 'gateway' });
  const entity = chooseEntity(terminal, config);
  const { keyRing, logLevel } = config;
  const client = await connectClient([new EncryptingCodec(keyRing)]);
  try {
    return await body({
      client,
      entity: entity.name,
      keyRing,
      api: createApi(entity),
      readLimiter: new RateLimiter(READS_PER_MINUTE),
      logger: createLogger({ level: logLevel }),
    });
  } finally {
    await client.connection.close();
  }
}
