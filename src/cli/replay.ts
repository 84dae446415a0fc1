import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseKeyRing } from '../crypto/keyRing';
import { EncryptingCodec } from '../crypto/payloadCodec';
import { createLogger } from '../logger';
import { loadBundle } from '../temporal/bundle';
import { replay } from '../temporal/replay';
import { BUNDLE_DIR, installRuntime } from '../worker';
import { EXIT, type ExitCode } from './exitCodes';
import { UsageError } from './failure';
import { readJson, readText } from './json';
import { packageRoot } from './packageRoot';
import type { Terminal } from './terminal';

/** The recorded histories of the repository, and the key ring that encrypts them. */
const RECORDINGS_FOLDER = 'test/replay/histories';
const RECORDINGS_KEY_RING = 'test/replay/keyRing.json';

export async function run(
  terminal: Terminal,
  { keyRing }: { keyRing?: string },
  files: readonly string[],
): Promise<ExitCode> {
  const { out, env, debug } = terminal;
  const hasFiles = files.length > 0;
  const chosen = hasFiles ? files : recordedFiles();
  const keyRingFile = keyRing ?? (hasFiles ? env.WALLETFLOW_KEY_RING_FILE : join(packageRoot(), RECORDINGS_KEY_RING));
  if (!keyRingFile)
    throw new UsageError('--key-ring: is missing, and WALLETFLOW_KEY_RING_FILE is not set; set one of them');
  const codecs = [new EncryptingCodec(parseKeyRing(readText('--key-ring', keyRingFile), keyRingFile))];
  const flows = await Promise.all(
    chosen.map(async (file) => ({ name: basename(file, '.json'), history: await readJson(terminal, 'files', file) })),
  );
  installRuntime(createLogger({ level: debug ? 'debug' : 'silent' }));

  let failed = 0;
  for await (const { name, error } of replay(await loadBundle(BUNDLE_DIR), codecs, flows)) {
    if (error) failed++;
    out(error ? `✖ ${name}  ${error.message.split('\n')[0]}` : `✔ ${name}`);
  }
  out(`${flows.length} ${flows.length === 1 ? 'history' : 'histories'} replayed, ${failed} failed`);
  return failed > 0 ? EXIT.refused : EXIT.done;
}

function recordedFiles(): string[] {
  const folder = join(packageRoot(), RECORDINGS_FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  if (names.length === 0)
    throw new UsageError(`files: none given, and ${RECORDINGS_FOLDER} has none; name at least one file`);
  return names.sort().map((name) => relative('.', join(folder, name)));
}
