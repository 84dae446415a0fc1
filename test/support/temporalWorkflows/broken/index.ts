import { readFileSync } from 'node:fs';

/** Must not get into a bundle: on replay it could return another value. */
export async function readsFile(): Promise<string> {
  return readFileSync('/etc/hostname', 'utf8');
}
