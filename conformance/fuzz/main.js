/**
 * Sends generated requests, valid and invalid, to a fresh emulator. Every response must conform to `/openapi.json` and must
 * not be a 5xx, and the ledger must balance afterwards. `npm run fuzz` runs all areas, or those given as arguments.
 * FUZZ_REQUESTS is the minimum number of requests per area; FUZZ_SEED is the first seed. Exit code 1: a check failed; 2: the
 * run could not start.
 */

const { spawn } = require('node:child_process');
const events = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { startEmulator } = require('../emulator');
const { fillWorld } = require('./world');

const { FUZZ_REQUESTS = '2000', FUZZ_SEED = '1' } = process.env;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Seconds of world time per second: transactions progress, and a user token (60 min) lasts for a whole area. */
const SPEED = 5;

async function main() {
  const emulator = await startEmulator();
  const receiver = http.createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await events.once(receiver, 'listening');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walletflow-fuzz-'));
  try {
    const { tags, paths } = await (await fetch(`${emulator.url}/openapi.json`)).json();
    const chosen = process.argv.slice(2);
    const areas = tags.map(({ name }) => name).filter((name) => chosen.length === 0 || chosen.includes(name));
    await emulator.control('POST', '/clock/speed', { speed: SPEED });
    const rows = [];
    for (const area of areas) {
      const file = path.join(folder, 'world.json');
      fs.writeFileSync(file, JSON.stringify(await fillWorld(emulator, `http://127.0.0.1:${receiver.address().port}/`)));
      rows.push(await fuzz(emulator, area, operationsOf(paths, area), { file, folder }));
    }
    console.table(rows);
    if (rows.some(({ failures, status5xx, ledger }) => failures + status5xx > 0 || ledger !== 'balanced'))
      process.exitCode = 1;
  } finally {
    await emulator.stop();
    receiver.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Fuzzes one area with successive seeds until enough requests have been sent. @returns the totals of the area */
async function fuzz({ url, apiKey, control }, area, operations, { file, folder }) {
  const report = path.join(folder, 'report.json');
  const options = {
    'include-tag': area,
    mode: 'all',
    phases: 'examples,coverage,fuzzing',
    'max-examples': Math.ceil(Number(FUZZ_REQUESTS) / operations),
    checks: CHECKS.join(','),
    warnings: 'off',
    'suppress-health-check': 'all',
    'generation-database': 'none',
    header: `Authorization: Bearer ${apiKey}`,
    report: 'json',
    'report-json-path': report,
  };
  const optionArgs = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const args = ['run', `${url}/openapi.json`, '--continue-on-failure', '--no-shrink', ...optionArgs];
  const totals = { requests: 0, succeeded: 0, rejected: 0, status5xx: 0, failures: 0 };
  for (let seed = Number(FUZZ_SEED); totals.requests < Number(FUZZ_REQUESTS); seed += 1) {
    await control('DELETE', '/journal');
    const env = { ...process.env, FUZZ_WORLD: file, SCHEMATHESIS_HOOKS: path.join(__dirname, 'hooks.py') };
    const child = spawn('schemathesis', [...args, '--seed', String(seed)], { stdio: 'inherit', cwd: folder, env });
    await events.once(child, 'close');
    const { counts } = await control('GET', '/journal/counts');
    addCounts(totals, counts);
    const { failures, errors } = JSON.parse(fs.readFileSync(report, 'utf8'));
    for (const { count } of failures) totals.failures += count;
    totals.failures += errors.length;
  }
  await control('POST', '/clock/advance', { durationMs: 600_000 });
  const { ok, problems } = await control('GET', '/ledger/audit');
  return { area, operations, ...totals, ledger: ok ? 'balanced' : problems.join('; ') };
}

/** Adds the counts of the emulator's journal. */
function addCounts(totals, counts) {
  for (const { requests, answers } of Object.values(counts)) {
    totals.requests += requests;
    for (const [status, times] of Object.entries(answers)) {
      totals[status < '300' ? 'succeeded' : status < '500' ? 'rejected' : 'status5xx'] += times;
    }
  }
}

function operationsOf(paths, area) {
  const all = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  return all.filter(({ tags }) => tags.includes(area)).length;
}

main().catch((error) => {
  console.error(error.code === 'ENOENT' ? 'schemathesis is not installed; see CONTRIBUTING.md' : error);
  process.exitCode = 2;
});
