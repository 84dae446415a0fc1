import { runCli } from '../../../src/cli/program';
import { testTerminal } from './terminal';

// Parsing a command line must not load these packages. Loading one of them fails.
jest.mock('@temporalio/client', () => heavy('@temporalio/client'));
jest.mock('@temporalio/worker', () => heavy('@temporalio/worker'));
jest.mock('zod', () => heavy('zod'));
jest.mock('listr2', () => heavy('listr2'));
jest.mock('fastify', () => heavy('fastify'));
jest.mock('undici', () => heavy('undici'));

function heavy(name: string): never {
  throw new Error(`${name} was loaded`);
}

const COMMANDS = [
  'demo',
  'dev',
  'worker',
  'emulator',
  'setup',
  'start',
  'status',
  'events',
  'gateway',
  'decide',
  'provide',
  'cancel',
  'token',
  'api',
  'entity',
  'replay',
  'watch',
  'list',
  'contract-check',
];

async function run(...args: string[]) {
  const terminal = testTerminal();
  const exitCode = await runCli(args, terminal);
  return { exitCode, out: terminal.outLines.join('\n'), err: terminal.errLines.join('\n') };
}

test('help lists every command and exit code, and loads no heavy package', async () => {
  const { exitCode, out, err } = await run('--help');
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  for (const code of [0, 1, 2, 3]) expect(out).toMatch(new RegExp(`^  ${code}  \\w`, 'm'));
});

test.each(COMMANDS)('%s has its own help', async (command) => {
  const { exitCode, out } = await run(command, '--help');
  expect(exitCode).toBe(0);
  expect(out).toContain(`walletflow ${command}`);
});

test('--version prints the version of the package', async () => {
  const { version } = require('../../../package.json') as { version: string };
  expect(await run('--version')).toEqual({ exitCode: 0, out: version, err: '' });
});

/** [command line, message on standard error] */
const INVALID: [args: string[], message: RegExp][] = [
  [['decid', 'transfer/a', 'retry'], /unknown command 'decid'[^]*decide/],
  [['status'], /flow\/ref/],
  [['watch'], /flow\/ref/],
  [['status', 'transfer/a', '--yaml'], /--yaml'\n\(see walletflow status --help\)/],
  [['start', 'transfer'], /--input/],
  [['events', 'list', '--lost'], /unknown option '--lost'[^]*\(see walletflow events list --help\)/],
  [['start', 'transfer', '--input', '-', '--priority', 'now'], /urgent, normal, bulk/],
  [['entity', 'register-secret'], /--recovery-file/],
  [['emulator', '--port', '70000'], /0 to 65535/],
  [['emulator', '--clock-speed', '-1'], /A speed is a number/],
  [['emulator', '--idempotency', 'never'], /reject, replay/],
];

test.each(INVALID)('%j is rejected as wrong usage', async (args, message) => {
  const { exitCode, out, err } = await run(...args);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(err).toMatch(message);
});

/** [command line, error in JSON] */
const INVALID_JSON: [args: string[], error: RegExp][] = [
  [['list', '--status', 'done', '--json'], /^option '--status <status>' argument 'done' is invalid/],
  [['start', 'transfer', '--ref', 'x', '--json'], /^required option '--input <file>' not specified/],
  [['status', '--json'], /^missing required argument 'flow\/ref'/],
];

test.each(INVALID_JSON)('%j is rejected in one line of JSON', async (args, error) => {
  const { exitCode, out, err } = await run(...args);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(JSON.parse(err)).toEqual({ error: expect.stringMatching(error), exitCode: 2 });
});
