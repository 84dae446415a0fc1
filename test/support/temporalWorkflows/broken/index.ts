import { readFileSync } from 'node:fs';

/** Must not get into a bundle: what it returns may differ when it is replayed. */
export async function readsFile(): Promise<string> {
  return readFileSync('/etc/hostname', 'utf8');
}
