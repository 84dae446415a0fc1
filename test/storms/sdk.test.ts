import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const MAIN = path.resolve(__dirname, '../../conformance/main.js');

/** The official SDK in a package of its own: `npm ci --prefix conformance` installs it. */
test('the official SDK, unmodified, does a transfer at the emulator, signs and sees its refusals', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN]).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`conformance/main.js failed:\n${error.stdout}${error.stderr}`);
    },
  );
  expect(stdout.split('\n')).toContainEqual(expect.stringMatching(/^✔ COMPLETE: 0x[0-9a-f]{64}$/));
  expect(stdout).toMatch(/^14 passed, 0 failed/m);
}, 120_000);
