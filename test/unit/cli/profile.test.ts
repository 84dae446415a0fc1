import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProfile, removeProfile } from '../../../src/cli/local/profile';

/** Higher than any process id on Linux. */
const UNUSED_PID = 2 ** 30;

let folder: string;
const home = process.cwd();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'walletflow-profile-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function profileOf(pid: number): string {
  mkdirSync('.walletflow');
  writeFileSync('.walletflow/pid', `${pid}\n`);
  return join(folder, '.walletflow/pid');
}

test('a second dev in the same folder is refused and removes nothing', () => {
  const file = profileOf(process.ppid);
  expect(() => checkProfile()).toThrow(new RegExp(`already running in this folder \\(process ${process.ppid}\\)`));
  removeProfile();
  expect(readFileSync(file, 'utf8')).toContain(String(process.ppid));
});

test('the profile of a killed dev does not block a new one; a dev removes its own profile', () => {
  profileOf(UNUSED_PID);
  expect(() => checkProfile()).not.toThrow();
  writeFileSync('.walletflow/pid', `${process.pid}\n`);
  removeProfile();
  expect(() => readFileSync('.walletflow/pid')).toThrow(/ENOENT/);
});
