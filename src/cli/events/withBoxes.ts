import { createApi } from '../../api';
import { loadConfig } from '../../config';
import { EncryptingCodec } from '../../crypto/payloadCodec';
import { Allowance } from '../../gateway/allowance';
import type { HandOverDeps } from '../../gateway/handOver';
import { createLogger } from '../../logger';
import { connectClient } from '../../temporal/connection';
import { chooseEntity } from '../chooseEntity';
import type { Terminal } from '../terminal';

/** One command has one event to ask about. */
const READS_PER_MINUTE = 1;

/** Connects with what a gateway is configured by, for one entity, does one thing, and disconnects. */
export async function withBoxes<T>(terminal: Terminal, body: (deps: HandOverDeps) => Promise<T>): Promise<T> {
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
      reads: new Allowance(READS_PER_MINUTE),
      logger: createLogger({ level: logLevel }),
    });
  } finally {
    await client.connection.close();
  }
}
