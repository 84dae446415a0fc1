import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const MAIN = path.resolve(__dirname, '../../conformance/main.js');

/** The official SDKs are a separate package. `npm ci --prefix conformance` installs them. */
test('the unmodified official SDKs get the declared responses from the emulator', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN]).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`conformance/main.js failed:\n${error.stdout}${error.stderr}`);
    },
  );
  const [, methods, checks, passed] = /^(\d+) methods · (\d+) checks · (\d+) passed$/m.exec(stdout)!;
  expect(Number(methods)).toBe(115);
  expect(passed).toBe(checks);
});
