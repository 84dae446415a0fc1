import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporalBinary } from '../../src/dev/temporalBinary';
import { EmulatorControl } from '../../src/emulator';
import { freeLoopbackAddress } from '../../src/temporal/sdkMetrics';
import { endCommands, type RunningCommand, startShell } from '../support/commandLine';
import { codeBlocks, ROOT, WorkingFolder } from '../support/documents';
import { until } from '../support/until';

/**
 * Types the shell blocks of the documents into a terminal, in the folder of a project that has installed the package. A test
 * replaces only what a reader replaces: ports, ids and names.
 */

const folder = new WorkingFolder();
let port: string;

/** The shell blocks below a heading. */
const blocksBelow = (section: string) =>
  codeBlocks(section.split('#')[0]!)
    .filter((block) => block.section === section && block.language === 'sh')
    .map(({ code }) => code);

/** Starts lines in a shell. The example is in this clone, and its port is free. */
function shell(lines: string, env: Record<string, string> = {}): RunningCommand {
  const adapted = lines
    .replaceAll('examples/backend', path.join(ROOT, 'examples/backend'))
    .replaceAll('localhost:3000', `localhost:${port}`);
  return startShell(adapted, { cwd: folder.path, env: { PORT: port, ...env } });
}
/** The output of lines that succeed. */
async function outOf(lines: string, env?: Record<string, string>): Promise<string> {
  const { exitCode, out, err } = await shell(lines, env).ended;
  if (exitCode !== 0) throw new Error(`${lines}ended with ${exitCode}:\n${out}${err}`);
  return out;
}
const jsonOf = async (lines: string) => JSON.parse(await outOf(lines)) as Record<string, unknown>;

let dev: RunningCommand;
let url: string;
let control: EmulatorControl;
let example: { from: { walletId: string }; to: string; tokenId: string; amount: string };

beforeAll(async () => {
  [, port = ''] = (await freeLoopbackAddress()).split(':');
  const [startDev = '', startBackend = ''] = blocksBelow('docs/users.md#start-everything');
  dev = shell(startDev);
  [, url = ''] = /(http\S+)/.exec(await dev.waitForLine(/^API /)) ?? [];
  example = JSON.parse(/echo '([^']+)'/.exec(await dev.waitForLine(/start transfer/))![1]!) as typeof example;
  await dev.waitForLine(/^Press Ctrl-C/);
  await shell(startBackend).waitForLine(/Server listening/);
  const apiKey = readFileSync(path.join(folder.path, '.walletflow/api.key'), 'utf8').trim();
  control = new EmulatorControl({ url, apiKey });
});
afterAll(async () => {
  dev.kill('SIGINT');
  await dev.ended;
  endCommands();
  folder.remove();
});

/** The lines with the variables of the running `dev`. */
const withDev = (lines = '') => `. .walletflow/dev.env\n${lines}`;

describe('docs/users.md', () => {
  const listed = async (userId: string) => {
    type Challenge = { id: string; userId: string; type: string; status: string };
    const { challenges } = await control.call<{ challenges: Challenge[] }>('GET', '/challenges');
    return challenges.filter((challenge) => challenge.userId === userId);
  };

  test('a user is onboarded, approves without a browser, and changes the PIN', async () => {
    const [startOnboarding = '', watchCommand = ''] = blocksBelow('docs/users.md#start-the-onboarding');
    const [showApproval = '', approve = '', showProgress = ''] = blocksBelow('docs/users.md#approve');
    expect(await jsonOf(startOnboarding)).toEqual({ ref: 'user-1', created: true });
    const watching = shell(watchCommand);
    await watching.waitForLine(/waits for the user to approve/);
    await until(async () => 'approval' in (await jsonOf(showProgress)), 'the challenge');
    const { challengeId } = await jsonOf(showApproval);
    const filled = approve.replace('http://127.0.0.1:…', url).replace('<challengeId>', challengeId as string);
    await outOf(filled);
    expect(await watching.ended).toMatchObject({ exitCode: 0, out: expect.stringMatching(/ completed\n/) });
    expect(await jsonOf(showProgress)).toMatchObject({
      outcome: { status: 'completed', result: { userId: 'user-1', wallets: [{ blockchain: 'ETH-SEPOLIA' }] } },
    });
    expect(await listed('user-1')).toMatchObject([{ id: challengeId, type: 'INITIALIZE', status: 'COMPLETE' }]);

    const [changePin = ''] = blocksBelow('docs/users.md#what-else-may-happen');
    expect(await outOf(withDev(changePin))).toMatch(/\n {2}action: [^]*\nchangePin\/pin-1 {2}started\n$/);
    await until(async () => (await listed('user-1')).length === 2, 'the challenge of the new PIN');
    const [, change] = await listed('user-1');
    await control.call('POST', `/challenges/${change!.id}/approve`, { pin: '123456', newPin: '654321' });
    expect(await outOf(withDev('npx walletflow watch changePin/pin-1'))).toMatch(/ completed\n/);
    expect((await listed('user-1')).map(({ status }) => status)).toEqual(['COMPLETE', 'COMPLETE']);
  });
});

describe('docs/operations.md', () => {
  test('a namespace is set up, and a worker starts', async () => {
    const [setUp = ''] = blocksBelow('docs/operations.md#once-for-each-namespace');
    expect(await outOf(withDev(setUp))).toMatch(/^Namespace default has all search attributes\n/);
    const [start = ''] = blocksBelow('docs/operations.md#workers');
    const [, lastLine = ''] = /\n(.+)\n$/.exec(start)!; // the first installs the package
    const worker = shell(withDev(lastLine), { WALLETFLOW_HEALTH_ADDRESS: '127.0.0.1:0' });
    await worker.waitForLine(/^Worker ready for dev-/);
    worker.kill('SIGINT');
    await worker.ended;
  });

  test('an operator finds a payout that waits, looks at it and decides', async () => {
    const payout = JSON.stringify({ ...example, amount: '5000' });
    await outOf(withDev(`echo '${payout}' | npx walletflow start transfer --ref inv-42 --input -`));
    const lines = blocksBelow('docs/operations.md#flows-that-wait-for-a-person')[0]!.trim().split('\n');
    expect(lines).toHaveLength(3);
    const [list = '', status = '', decide = ''] = lines.map(withDev);
    await until(async () => (await outOf(list)).includes('transfer/inv-42 '), 'the payout in the list');
    expect(await outOf(status)).toMatch(/ → npx walletflow decide transfer\/inv-42 retry --attention [0-9a-f]{8}\n/);
    expect(await outOf(decide)).toMatch(/^transfer\/inv-42 {2}retry, decided by /);
  });

  test('its history can be replayed', async () => {
    const [replay = ''] = blocksBelow('docs/operations.md#stopping-and-deploying');
    const lines = replay
      .replace('main/', '"$WALLETFLOW_ENTITY"/')
      .replace('key-ring.json', '.walletflow/key-ring.json');
    const temporal = path.dirname(await temporalBinary(() => {}));
    const out = await outOf(withDev(lines), { PATH: `${temporal}:${process.env.PATH}` });
    expect(out).toMatch(/^✔ inv-42\n1 history replayed, 0 failed\n$/);
  });

  test('a gateway is subscribed, and a webhook that matches no flow is parked and redelivered', async () => {
    const [start = '', subscribe = ''] = blocksBelow('docs/operations.md#gateway');
    const loopback = { WALLETFLOW_GATEWAY_ADDRESS: '127.0.0.1:0', WALLETFLOW_HEALTH_ADDRESS: '127.0.0.1:0' };
    const gateway = shell(withDev(start), loopback);
    const [, gatewayUrl = ''] = / at (\S+), /.exec(await gateway.waitForLine(/^Gateway ready for dev-/))!;
    const subscribed = await outOf(withDev(subscribe.replace('https://hooks.example.com', gatewayUrl)));
    expect(subscribed).toMatch(
      new RegExp(`^Webhooks of dev-\\w+ to ${gatewayUrl}/webhooks/dev-\\w+: subscribed$`, 'm'),
    );

    const notification = { id: 'a-transaction-of-no-flow' };
    await control.call('POST', '/webhooks', { notificationType: 'transactions.outbound', notification });
    const lines = blocksBelow('docs/operations.md#parked-webhooks')[0]!.trim().split('\n');
    const [list = '', redeliver = ''] = lines.map(withDev);
    await until(async () => (await outOf(list)) !== '', 'the parked webhook');
    const [id = ''] = (await outOf(list)).split(' ');
    const redelivered = await shell(redeliver.replace(' ID ', ` ${id} `)).ended;
    expect(redelivered).toMatchObject({ exitCode: 1, out: expect.stringMatching(`^${id} .* no flow .*parked`) });
    gateway.kill('SIGINT');
    await gateway.ended;
  });
});

test('docs/configuration.md registers the first secret of an entity', async () => {
  const [, emulatorPort = ''] = (await freeLoopbackAddress()).split(':');
  const apiKey = 'TEST_API_KEY:0123abcd:fedcba98';
  const emulator = shell(`npx walletflow emulator --port ${emulatorPort} --api-key ${apiKey}`);
  await emulator.waitForLine(/^Emulator ready/);
  mkdirSync(path.join(folder.path, 'secrets'));
  writeFileSync(path.join(folder.path, 'secrets/main.key'), apiKey);
  const hosts = { api: `http://127.0.0.1:${emulatorPort}` };
  const entities = { main: { kind: 'test', apiKeyFile: 'secrets/main.key', hosts } };
  writeFileSync(path.join(folder.path, 'entities.json'), JSON.stringify(entities));

  const [register = ''] = blocksBelow('docs/configuration.md#entities');
  const env = {
    WALLETFLOW_ENTITIES_FILE: 'entities.json',
    WALLETFLOW_KEY_RING_FILE: '.walletflow/key-ring.json',
    WALLETFLOW_SEALING_KEYS_FILE: '.walletflow/sealing-keys.json',
  };
  expect(await outOf(register, env)).toBe('The entity secret of main is registered\n');
  const file = path.join(folder.path, 'secrets/main.secret');
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // The secret that the API knows is the one in the file: it proves who creates wallets.
  const withSecret = { main: { ...entities.main, entitySecretFile: 'secrets/main.secret' } };
  writeFileSync(path.join(folder.path, 'entities.json'), JSON.stringify(withSecret));
  const created = await outOf(
    `npx walletflow api createWalletSet --body '{"idempotencyKey": "${randomUUID()}", "name": "first"}'`,
    env,
  );
  expect(JSON.parse(created)).toMatchObject({ data: { walletSet: { name: 'first' } } });
  emulator.kill('SIGINT');
});
