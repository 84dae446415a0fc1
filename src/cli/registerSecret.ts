import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createApi, type ApiError, type Entity } from '../api';
import { encryptEntitySecret } from '../crypto/entitySecret';
import { CODES } from '../domain/codes';
import { chooseEntity } from './chooseEntity';
import { RefusedError, UsageError } from './failure';
import type { Terminal } from './terminal';

interface RegisterSecretOptions {
  recoveryFile: string;
  /** Where a new secret goes; without it the configured one is registered. */
  generate?: string;
}

/** Readable by the user alone. */
const MODE = 0o600;

/**
 * Gives an entity its first secret. Both files are there before anything is sent: neither the secret nor the recovery file
 * can be had again.
 */
export async function run(terminal: Terminal, { recoveryFile, generate }: RegisterSecretOptions): Promise<void> {
  const entity = chooseEntity(terminal);
  const secret = secretOf(entity, generate);
  if (generate !== undefined) createFile('--generate', generate, `${secret}\n`);
  try {
    createFile('--recovery-file', recoveryFile, '');
    keep(terminal, recoveryFile, await register(entity, secret, recoveryFile, generate));
  } catch (error) {
    // Kept where the request may have been carried out: it may be the entity's secret by now.
    if (generate !== undefined && !(error instanceof UnknownOutcomeError)) rmSync(generate);
    throw error;
  }
  terminal.out(`The entity secret of ${entity.name} is registered`);
  for (const line of advice(entity, recoveryFile, generate)) terminal.err(line);
}

/** Nobody knows whether the secret is the entity's now. */
class UnknownOutcomeError extends RefusedError {}

function secretOf({ name, entitySecret }: Entity, generate: string | undefined): string {
  if (generate === undefined && entitySecret === undefined) {
    throw new UsageError(
      `entitySecretFile: entity ${name} has none; name the file of its secret there, or make one with --generate FILE`,
    );
  }
  if (generate !== undefined && entitySecret !== undefined) {
    throw new UsageError(
      `--generate: entity ${name} has a secret in its configuration; leave the option out to register that one`,
    );
  }
  return entitySecret ?? randomBytes(32).toString('hex');
}

/** A file that is there is kept: it may be the only copy of another secret. */
function createFile(option: string, file: string, text: string): void {
  try {
    const descriptor = openSync(file, 'wx', MODE);
    writeFileSync(descriptor, text);
    closeSync(descriptor);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(`${option}: ${file} is there already and is not overwritten; name another`);
    throw new UsageError(`${option}: ${file} can't be written (${code}); name a file in a folder of yours`);
  }
}

/** @returns the recovery file's content */
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
      `${message}\nWhether the secret of ${entity.name} was registered is not known. ` +
        `${generate ? `It is kept in ${generate}: name that as entitySecretFile. ` : ''}Run the command again without ` +
        `--generate. If it says ${CODES.entitySecretAlreadySet}, the secret was registered and its recovery file is lost: ` +
        'rotate the secret in the console, which gives a new one.',
    );
  }
}

/** A recovery file that can't be written (the disk is full) is shown: there is no other copy. */
function keep({ out, err }: Terminal, file: string, content: string): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    err(`--recovery-file: ${file} can't be written (${(error as NodeJS.ErrnoException).code}); keep its content:`);
    out(content);
  }
}

function advice({ name }: Entity, recoveryFile: string, generate: string | undefined): string[] {
  return [
    ...(generate ? [`${generate}: the secret. Name it as entitySecretFile of ${name}, then restart the workers.`] : []),
    `${recoveryFile}: the recovery file, the only way to replace a secret that is lost. Keep it apart from the secret and ` +
      'off this machine.',
    'The API gives neither of them again.',
  ];
}
