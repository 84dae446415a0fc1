import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isAlive } from '../../emulator/state/processes';
import { toIssuer } from '../../identity/localIssuer';
import { UsageError } from '../failure';
import type { LocalStack } from './stack';

/** In the working folder. Contains secrets; do not commit it. */
const FOLDER = '.walletflow';
const ENV_FILE = 'dev.env';
/** The secret with which the backend verifies events. */
export const EVENTS_SECRET_FILE = join(FOLDER, 'events.secret');
/** Holds the id of the process that owns the profile. */
const PID_FILE = 'pid';

/**
 * Writes the configuration of a running stack for other processes. `.walletflow/dev.env` sets the variables; load it with
 * `. .walletflow/dev.env` or `node --env-file`. The files that the variables name are in the same folder. Only the current
 * user can read the files.
 * @returns relative path of `dev.env`
 * @throws UsageError if the folder can't be written
 */
export function writeProfile({ entity, keyRing, sealingKeys, issuer, temporal }: LocalStack): string {
  const { name, kind, hosts, apiKey, entitySecret, events } = entity;
  const eventsFile = basename(EVENTS_SECRET_FILE);
  const entities = {
    [name]: {
      kind,
      apiKeyFile: 'api.key',
      entitySecretFile: 'entity.secret',
      hosts,
      ...(events && { events: { url: events.url, secretFile: eventsFile } }),
    },
  };
  const file = (fileName: string) => resolve(FOLDER, fileName);
  const variables = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    WALLETFLOW_ENTITIES_FILE: file('entities.json'),
    WALLETFLOW_ENTITY: name,
    WALLETFLOW_KEY_RING_FILE: file('key-ring.json'),
    WALLETFLOW_SEALING_KEYS_FILE: file('sealing-keys.json'),
    WALLETFLOW_IDENTITY_FILE: file('identity.json'),
    WALLETFLOW_LOCAL_ISSUER_FILE: file('local-issuer.json'),
  };
  const contents: Record<string, string> = {
    'api.key': apiKey,
    'entity.secret': entitySecret,
    ...(events && { [eventsFile]: events.secret }),
    'entities.json': JSON.stringify(entities, null, 2),
    'key-ring.json': JSON.stringify(keyRing, null, 2),
    'sealing-keys.json': JSON.stringify(sealingKeys, null, 2),
    'identity.json': JSON.stringify({ issuers: [toIssuer(issuer)] }, null, 2),
    'local-issuer.json': JSON.stringify(issuer, null, 2),
    [PID_FILE]: String(process.pid),
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
      `${FOLDER}: can't be written here (${(error as NodeJS.ErrnoException).code}); start dev in a folder that you can write to`,
    );
  }
  return join(FOLDER, ENV_FILE);
}

/**
 * Checks that no other dev runs in this folder. A second one would overwrite and remove its profile.
 * @throws UsageError
 */
export function checkProfile(): void {
  const pid = ownerOf();
  if (pid !== undefined && pid !== process.pid && isAlive(pid)) {
    throw new UsageError(
      `walletflow dev is already running in this folder (process ${pid}); stop it, or start this one in another folder`,
    );
  }
}

/** Removes the profile, unless another process owns it. */
export function removeProfile(): void {
  if (ownerOf() === process.pid) rmSync(FOLDER, { recursive: true, force: true });
}

function ownerOf(): number | undefined {
  try {
    return Number(readFileSync(join(FOLDER, PID_FILE), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
