import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../failure';
import type { LocalStack } from './stack';

/** Below the working folder; not to be committed. */
const FOLDER = '.walletflow';
const ENV_FILE = 'dev.env';

/**
 * Writes the configuration of a running stack, for other processes: `.walletflow/dev.env` sets the variables, for
 * `. .walletflow/dev.env` and `node --env-file`; the files that they name lie beside it. Readable by the user alone.
 * @returns path of the file, relative
 * @throws UsageError when the folder can't be written
 */
export function writeProfile({ entity, keyRing, sealingKeys, temporal }: LocalStack): string {
  const { name, kind, hosts, apiKey, entitySecret } = entity;
  const entities = { [name]: { kind, apiKeyFile: 'api.key', entitySecretFile: 'entity.secret', hosts } };
  const file = (fileName: string) => resolve(FOLDER, fileName);
  const variables = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    WALLETFLOW_ENTITIES_FILE: file('entities.json'),
    WALLETFLOW_ENTITY: name,
    WALLETFLOW_KEY_RING_FILE: file('key-ring.json'),
    WALLETFLOW_SEALING_KEYS_FILE: file('sealing-keys.json'),
  };
  const contents: Record<string, string> = {
    'api.key': apiKey,
    'entity.secret': entitySecret,
    'entities.json': JSON.stringify(entities, null, 2),
    'key-ring.json': JSON.stringify(keyRing, null, 2),
    'sealing-keys.json': JSON.stringify(sealingKeys, null, 2),
    [ENV_FILE]: Object.entries(variables)
      .map(([variable, value]) => `export ${variable}='${value}'`)
      .join('\n'),
  };
  try {
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    for (const [fileName, text] of Object.entries(contents)) {
      writeFileSync(join(FOLDER, fileName), `${text}\n`, { mode: 0o600 });
    }
  } catch (error) {
    throw new UsageError(
      `${FOLDER}: can't be written here (${(error as NodeJS.ErrnoException).code}); start dev in a folder of your own`,
    );
  }
  return join(FOLDER, ENV_FILE);
}

/** What it named is gone with the stack. */
export function removeProfile(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}
