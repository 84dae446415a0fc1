/**
 * Made-up requests, valid and broken, against a fresh emulator: whatever comes has to be answered as `/openapi.json` says,
 * never by a 5xx, and the ledger has to add up afterwards. `npm run fuzz` runs all areas, with names only those; FUZZ_REQUESTS
 * is how many an area gets at least, FUZZ_SEED another course. Exit code 1 when something failed, 2 when it can't be run.
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
/** World time in real time: transactions get on, and a user token (60 min) lasts for an area. */
const SPEED = 5;

async function main() {
  const emulator = await startEmulator();
  const receiver = http.createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await events.once(receiver, 'listening');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walletflow-fuzz-'));
  try {
    const { tags, paths } = await (await fetch(`${emulator.url}/openapi.json`)).json();
    const wanted = process.argv.slice(2);
    const areas = tags.map(({ name }) => name).filter((name) => wanted.length === 0 || wanted.includes(name));
    await emulator.control('POST', '/clock/speed', { speed: SPEED });
    const rows = [];
    for (const area of areas) {
      const file = path.join(folder, 'world.json');
      fs.writeFileSync(file, JSON.stringify(await fillWorld(emulator, `http://127.0.0.1:${receiver.address().port}/`)));
      rows.push(await fuzz(emulator, area, operationsOf(paths, area), { file, folder }));
    }
    console.table(rows);
    if (rows.some(({ failures, status5xx, ledger }) => failures + status5xx > 0 || ledger !== 'adds up'))
      process.exitCode = 1;
  } finally {
    await emulator.stop();
    receiver.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** How one area did: rounds of new seeds until there were enough requests. */
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
  const named = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const args = ['run', `${url}/openapi.json`, '--continue-on-failure', '--no-shrink', ...named];
  const sums = { requests: 0, done: 0, refused: 0, status5xx: 0, failures: 0 };
  for (let seed = Number(FUZZ_SEED); sums.requests < Number(FUZZ_REQUESTS); seed += 1) {
    await control('DELETE', '/journal');
    const env = { ...process.env, FUZZ_WORLD: file, SCHEMATHESIS_HOOKS: path.join(__dirname, 'hooks.py') };
    const child = spawn('schemathesis', [...args, '--seed', String(seed)], { stdio: 'inherit', cwd: folder, env });
    await events.once(child, 'close');
    const { counts } = await control('GET', '/journal/counts');
    add(sums, counts);
    const { failures, errors } = JSON.parse(fs.readFileSync(report, 'utf8'));
    for (const { count } of failures) sums.failures += count;
    sums.failures += errors.length;
  }
  await control('POST', '/clock/advance', { durationMs: 600_000 });
  const { ok, problems } = await control('GET', '/ledger/audit');
  return { area, operations, ...sums, ledger: ok ? 'adds up' : problems.join('; ') };
}

/** Adds what the journal has counted. */
function add(sums, counts) {
  for (const { requests, answers } of Object.values(counts)) {
    sums.requests += requests;
    for (const [status, times] of Object.entries(answers)) {
      sums[status < '300' ? 'done' : status < '500' ? 'refused' : 'status5xx'] += times;
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
