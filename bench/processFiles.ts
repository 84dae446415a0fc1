import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateSealingKeys } from '../src/crypto/sealingKeys';
import { freeLoopbackAddress } from '../src/temporal/sdkMetrics';
import type { BenchStack } from './stack';

/** What a process of the product reads, for one entity. */
export interface ProcessFiles {
  env: Record<string, string | undefined>;
  /** Where it serves its health, as `host:port`. */
  health: string;
  remove(): Promise<void>;
}

/** @param name of the entity in the process */
export async function processFiles({ temporal, entity, keyRing }: BenchStack, name: string): Promise<ProcessFiles> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walletflow-bench-process-'));
  const file = async (fileName: string, content: unknown) => {
    const filePath = path.join(folder, fileName);
    await writeFile(filePath, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return filePath;
  };
  const { kind, hosts, apiKey, entitySecret } = entity;
  const apiKeyFile = await file('api.key', apiKey);
  const entitySecretFile = await file('entity.secret', entitySecret);
  const health = await freeLoopbackAddress();
  return {
    env: {
      PATH: process.env.PATH,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      WALLETFLOW_ENTITIES_FILE: await file('entities.json', { [name]: { kind, apiKeyFile, entitySecretFile, hosts } }),
      WALLETFLOW_KEY_RING_FILE: await file('key-ring.json', keyRing),
      WALLETFLOW_SEALING_KEYS_FILE: await file('sealing-keys.json', generateSealingKeys(new Date())),
      WALLETFLOW_HEALTH_ADDRESS: health,
      WALLETFLOW_LOG_LEVEL: 'error',
    },
    health,
    remove: () => rm(folder, { recursive: true }),
  };
}
