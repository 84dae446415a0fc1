import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type ApiError, createApi, type Entity } from '../api';
import { encryptEntitySecret } from '../crypto/entitySecret';
import { CODES } from '../domain/codes';
import { chooseEntity } from './chooseEntity';
import { RefusedError, UsageError } from './failure';
import type { Terminal } from './terminal';

interface RegisterSecretOptions {
  recoveryFile: string;
  /** File for a new secret. Without it, the configured secret is registered. */
  generate?: string;
}

/** Only the current user can read the file. */
const MODE = 0o600;

/**
 * Registers an entity's first secret. Both files exist before the request is sent, because neither the secret nor the
 * recovery file can be retrieved later.
 */
export async function run(terminal: Terminal, { recoveryFile, generate }: RegisterSecretOptions): Promise<void> {
  const entity = chooseEntity(terminal);
  const secret = secretOf(entity, generate);
  if (generate !== undefined) createFile('--generate', generate, `${secret}\n`);
  try {
    createFile('--recovery-file', recoveryFile, '');
    writeRecoveryFile(terminal, recoveryFile, await register(entity, secret, recoveryFile, generate));
  } catch (error) {
    // After an unknown outcome this may already be the entity's secret, so the file stays.
    if (generate !== undefined && !(error instanceof UnknownOutcomeError)) rmSync(generate);
    throw error;
  }
  terminal.out(`The entity secret of ${entity.name} is registered`);
  for (const line of nextSteps(entity, recoveryFile, generate)) terminal.err(line);
}

/** The secret may or may not be registered. */
class UnknownOutcomeError extends RefusedError {}

function secretOf({ name, entitySecret }: Entity, generate: string | undefined): string {
  if (generate === undefined && entitySecret === undefined) {
    throw new UsageError(
      `entitySecretFile: is not set for entity ${name}; set it to the file with the secret, or add --generate FILE`,
    );
  }
  if (generate !== undefined && entitySecret !== undefined) {
    throw new UsageError(
      `--generate: entity ${name} already has a configured secret; omit the option to register that secret`,
    );
  }
  return entitySecret ?? randomBytes(32).toString('hex');
}

/** Never overwrites a file: it may be the only copy of a different secret. */
function createFile(option: string, file: string, text: string): void {
  try {
    const descriptor = openSync(file, 'wx', MODE);
    writeFileSync(descriptor, text);
    closeSync(descriptor);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(`${option}: ${file} already exists and is not overwritten; choose another file`);
    throw new UsageError(`${option}: ${file} can't be written (${code}); choose a file that you can write`);
  }
}

/** @returns the content of the recovery file */
async function register(entity: Entity, secret: string, recoveryFile: string, generate?: string): Promise<string> {
  const api = createApi(entity);
  try {
    const { data: key } = await api.getEntityPublicKey();
    const entitySecretCiphertext = encryptEntitySecret(secret, key.publicKey);
    return (await api.registerEntitySecret({ body: { entitySecretCiphertext } })).data.recoveryFile;
  } catch (error) {
    rmSync(recoveryFile);
    const { endpoint, outcome, message } = error as Partial<ApiError>;
    if (endpoint !== 'registerEntitySecret' || outcome !== 'unknown') throw error;
    throw new UnknownOutcomeError(
      `${message}\nIt is unknown whether the secret of ${entity.name} was registered. ` +
        `${generate ? `The secret is in ${generate}: set entitySecretFile to it. ` : ''}Run the command again without ` +
        `--generate. If it fails with ${CODES.entitySecretAlreadySet}, the secret was registered and its recovery file is ` +
        'lost: rotate the secret in the console to get a new recovery file.',
    );
  }
}

/** Prints the content if the file can't be written (for example, the disk is full), because there is no other copy. */
function writeRecoveryFile({ out, err }: Terminal, file: string, content: string): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    err(`--recovery-file: ${file} can't be written (${(error as NodeJS.ErrnoException).code}); save this content:`);
    out(content);
  }
}

function nextSteps({ name }: Entity, recoveryFile: string, generate: string | undefined): string[] {
  return [
    ...(generate ? [`${generate}: the secret. Set it as entitySecretFile of ${name}, then restart the workers.`] : []),
    `${recoveryFile}: the recovery file, the only way to replace a lost secret. Store it separately from the secret and ` +
      'off this machine.',
    'The API never returns either of them again.',
  ];
}
