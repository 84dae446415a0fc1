import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProfile, removeProfile } from '../../../src/cli/local/profile';

/** Above any process id of Linux. */
const NOBODY = 2 ** 30;

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

test('a second dev in the folder of one that runs is refused, and takes nothing away', () => {
  const file = profileOf(process.ppid);
  expect(() => checkProfile()).toThrow(new RegExp(`in this folder already \\(process ${process.ppid}\\)`));
  removeProfile();
  expect(readFileSync(file, 'utf8')).toContain(String(process.ppid));
});

test('what a dev left that was killed is in nobody’s way; its own is removed', () => {
  profileOf(NOBODY);
  expect(() => checkProfile()).not.toThrow();
  writeFileSync('.walletflow/pid', `${process.pid}\n`);
  removeProfile();
  expect(() => readFileSync('.walletflow/pid')).toThrow(/ENOENT/);
});
