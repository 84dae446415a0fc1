import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './processes';

/** Locks of this process: a number in a lock file may have been another process's before. */
const own = new Set<string>();

/**
 * Takes a file for this process alone, by `<file>.lock` with its process id beside it. A lock whose process is gone counts
 * for nothing. Returns what gives it back.
 * @throws Error when another process has it, or another emulator of this one
 */
export function lockFile(file: string): () => void {
  const lock = join(realpathSync(dirname(file)), `${basename(file)}.lock`);
  const holder = readHolder(lock);
  if (own.has(lock) || (holder !== undefined && holder !== process.pid && isAlive(holder))) {
    throw new Error(
      `state ${file}: another emulator uses it (process ${holder}); end that one, or name another file. ` +
        `If process ${holder} is no emulator, delete ${lock}`,
    );
  }
  if (holder !== undefined) rmSync(lock, { force: true });
  // Of two that come at the same time, one fails here.
  writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
  own.add(lock);
  return () => {
    own.delete(lock);
    rmSync(lock, { force: true });
  };
}

function readHolder(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
