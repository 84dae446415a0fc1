import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './processes';

/** Locks that this process holds. The process id in a lock file is not enough: ids are reused after a process ends. */
const locksOfThisProcess = new Set<string>();

/**
 * Locks a file for this process by writing its process id to `<file>.lock`. Replaces a stale lock, whose process has
 * ended. Returns a function that releases the lock.
 * @throws Error if another process, or another emulator in this process, holds the lock
 */
export function lockFile(file: string): () => void {
  const lock = join(realpathSync(dirname(file)), `${basename(file)}.lock`);
  const holder = readHolder(lock);
  if (locksOfThisProcess.has(lock) || (holder !== undefined && holder !== process.pid && isAlive(holder))) {
    throw new Error(
      `state ${file}: another emulator (process ${holder}) uses this file; stop it, or choose another file. ` +
        `If process ${holder} is not an emulator, delete ${lock}`,
    );
  }
  if (holder !== undefined) rmSync(lock, { force: true });
  // If two processes get here at the same time, the second write fails because the file exists.
  writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
  locksOfThisProcess.add(lock);
  return () => {
    locksOfThisProcess.delete(lock);
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
