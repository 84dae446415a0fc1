/**
 * Runs the unmodified official SDKs against a fresh emulator. Every method with an endpoint makes one successful call and
 * several calls that fail. `npm run conformance` runs all SDKs, or those whose names contain an argument. Exit code 1: a
 * check failed; 2: the run could not start.
 */

const { existsSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { CLI, startEmulator } = require('./emulator');
const { Report } = require('./report');

async function main() {
  const wanted = process.argv.slice(2);
  // One of the SDKs writes a recovery file to the working folder.
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const sdks = load().filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
  const { readDeclarations } = require('./declared');
  const { run } = require('./runner');
  // Both take seconds and run in two processes, so start them concurrently.
  const starting = startEmulator();
  const declared = readDeclarations();
  const emulator = await starting;
  const report = new Report();
  process.chdir(folder);
  try {
    for (const sdk of sdks) {
      report.heading(`${sdk.name} ${require(`${sdk.name}/package.json`).version}`);
      await run(sdk, await sdk.start(emulator), declared, report);
    }
  } finally {
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
  console.log();
  report.summary();
  process.exitCode = report.failed === 0 ? 0 : 1;
}

function load() {
  if (!existsSync(CLI)) abort('The project is not built. Run: npm run build');
  try {
    return require('./sdks');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return abort('The SDKs are not installed. Run: npm ci --prefix conformance');
  }
}

/** @returns {never} */
function abort(problem) {
  console.error(problem);
  process.exit(2);
}

void main();
