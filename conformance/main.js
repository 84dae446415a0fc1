/**
 * The official SDKs, unmodified, against a fresh emulator: every method that has an endpoint, answered and refused.
 * `npm run conformance` runs it, with names of SDKs only those. Exit code 1 when something failed or was not reached, 2
 * when it can't be run.
 */

const { existsSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { CLI, startEmulator } = require('./emulator');
const { Report } = require('./report');

async function main() {
  const wanted = process.argv.slice(2);
  // One of the SDKs leaves a recovery file where it runs.
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const sdks = load().filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
  const { readDeclarations } = require('./declared');
  const { run } = require('./runner');
  // Both take seconds, in two processes.
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
  if (!existsSync(CLI)) giveUp('The project is not built. Run: npm run build');
  try {
    return require('./sdks');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return giveUp('The SDKs are not installed. Run: npm ci --prefix conformance');
  }
}

/** @returns {never} */
function giveUp(problem) {
  console.error(problem);
  process.exit(2);
}

void main();
