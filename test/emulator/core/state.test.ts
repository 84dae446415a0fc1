import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEndpoint, OPERATION_IDS } from '../../../src/api/contract';
import { fullPath } from '../../../src/api/contract/endpoint';
import { type Emulator, EmulatorControl, startEmulator, type WorldOptions } from '../../../src/emulator';
import { CONTROLS } from '../../../src/emulator/control';
import { Receiver } from '../../support/receiver';
import { until } from '../../support/until';
import { STRANGER, TestClient } from '../chain/support';
import { sendPii } from '../compliance/support';
import { quote, session } from '../ramp/support';
import { EmailLogin } from '../users/login';
import { TestUser, WRONG_PIN } from '../users/support';

const apiKey = 'TEST_API_KEY:kept:1';
const entitySecret = '5a'.repeat(32);
const WORLD: WorldOptions = { apiKey, entitySecret, limits: false };

let folder: string;
let receiver: Receiver;
const running = new Set<Emulator>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'walletflow-state-'));
  receiver = await Receiver.open();
});
afterEach(async () => {
  for (const emulator of running) await emulator.close();
  running.clear();
});
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true });
});

let files = 0;
const newFile = () => join(folder, `state-${(files += 1)}`);

async function start(state: string, worlds: readonly WorldOptions[] = [WORLD], clockSpeed = 0): Promise<Emulator> {
  const emulator = await startEmulator({ state, worlds, clockSpeed });
  running.add(emulator);
  return emulator;
}

async function stop(emulator: Emulator): Promise<void> {
  running.delete(emulator);
  await emulator.close();
}

function chainOf({ url }: Emulator, key = apiKey): Promise<TestClient> {
  return TestClient.of({ url, apiKey: key, entitySecret, control: new EmulatorControl({ url, apiKey: key }) });
}

/** The file that a process leaves if it is killed now. It contains every response that was sent. */
function killedCopy(file: string): string {
  const copy = newFile();
  copyFileSync(file, copy);
  return copy;
}

/** The responses to all reads: every GET endpoint, with each id that its list shows, and every GET control. */
async function readEverything(client: TestClient, user: TestUser): Promise<Map<string, unknown>> {
  const responses = new Map<string, unknown>();
  const read = async (path: string, headers: object = {}): Promise<void> => {
    const { status, body } = await client.send('GET', `${client.world.url}${path}`, undefined, headers);
    // Links to the page contain the port of the emulator that responded.
    const text = JSON.stringify(body).replaceAll(/127\.0\.0\.1:\d+(?=\/emulator)/g, 'host');
    if (status !== 404) responses.set(path, { status, body: JSON.parse(text) });
  };
  const idsIn = (found: unknown) => new Set(JSON.stringify(found).match(/(?<="[a-z]*[iI]d":")[^"]+/g));
  const reads = OPERATION_IDS.map(findEndpoint).filter(({ method }) => method === 'GET');
  const headersOf = (auth: string) => (auth === 'userToken' ? { 'x-user-token': user.token } : {});
  const hasId = (path: string) => path.includes('{');

  for (const { path, auth } of reads) if (!hasId(path)) await read(fullPath(path), headersOf(auth));
  for (const name of Object.keys(CONTROLS)) {
    if (!name.startsWith('GET ') || hasId(name) || /journal|attestationHost|rpcUrls/.test(name)) continue;
    await read(`/emulator${name.slice('GET '.length)}`);
  }
  for (const { path, auth } of reads) {
    const [list = '', ...more] = fullPath(path).split(/\/\{\w+\}/);
    if (more.length !== 1 || !responses.has(list)) continue;
    for (const id of idsIn(responses.get(list))) await read(`${list}/${id}${more[0]}`, headersOf(auth));
  }
  return responses;
}

/** Creates data of every kind, much of it in progress. @returns a user with a PIN */
async function populate(client: TestClient): Promise<TestUser> {
  const { control } = client.world;
  await control.call('POST', '/webhooks/faults', { action: 'delay', delayMs: 40_000, rate: 0.5 });
  await control.call('POST', '/webhooks/faults', { action: 'unknownKey', rate: 0.3 });
  receiver.responses = [200, 500, 200, 500, 500];
  await client.send('POST', `${client.world.url}/v2/notifications/subscriptions`, { endpoint: receiver.url });
  await control.addFault({ operation: 'validateAddress', skip: 1, rate: 0.5, action: { status: 503 } });
  await control.changeSettings({ idempotency: 'replay', rampMarkup: 25 });

  const wallet = await client.fundedWallet();
  const other = await client.fundedWallet('SOL-DEVNET');
  await client.transfer(wallet);
  await client.postWithKey('/developer/sign/message', { walletId: wallet.id, message: 'kept' });
  await control.advance(300_000);
  await control.call('POST', '/transactions/next', { stuck: true });
  const stuck = await client.transfer(wallet);
  await control.advance(60_000);
  await client.postWithKey(`/developer/transactions/${stuck.data.id}/accelerate`);
  await client.transfer(other);
  await control.call('POST', '/transactions/next', { fail: { errorReason: 'FAILED_ON_CHAIN' } });
  await client.transfer(other);
  await client.transfer(wallet, { amounts: ['1000000'] });
  await client.postWithKey('/developer/walletSets', { entitySecretCiphertext: 'none', name: 'refused' });
  for (let n = 0; n < 5; n += 1) {
    await client.send('POST', '/transactions/validateAddress', { blockchain: 'ETH-SEPOLIA', address: STRANGER });
  }

  const user = await TestUser.initialized(client, ['ETH-SEPOLIA']);
  await user.postWithKey('/user/wallets', { blockchains: ['MATIC-AMOY'] });
  const pin = await user.postWithKey('/user/pin', {}, 'PUT');
  await user.approve(pin.data.challengeId, { pin: WRONG_PIN, newPin: '112233' });
  const login = await EmailLogin.begin(client);
  await login.enterWrong();

  await sendPii(client);
  await client.send('POST', '/compliance/screening/addresses', {
    idempotencyKey: randomUUID(),
    address: `${STRANGER.slice(0, -4)}9999`,
    chain: 'ETH-SEPOLIA',
  });
  await quote(client);
  await session(client);
  return user;
}

/** Continues in a world with more of the same requests. */
async function goOn(client: TestClient): Promise<string[]> {
  await client.world.control.advance(3_000);
  const fault = await client.world.control.addFault({ operation: 'ping', action: { status: 500 } });
  const wallet = await client.wallet();
  await client.world.control.advance(2 * 3_600_000);
  const later = await session(client);
  return [fault.id, wallet.id, wallet.address, later.data.id];
}

test('worlds are unchanged after a restart and continue as if it had not happened', async () => {
  const file = newFile();
  let emulator = await start(file);
  let client = await chainOf(emulator);
  const user = await populate(client);
  const before = await readEverything(client, user);
  expect(before.size).toBeGreaterThan(50);
  const killed = killedCopy(file);
  await stop(emulator);

  // Restarts twice, since restored worlds must be saved as well.
  for (const round of ['first', 'second']) {
    emulator = await start(file, round === 'first' ? [WORLD] : []);
    client = await chainOf(emulator);
    expect(await readEverything(client, user)).toEqual(before);
    if (round === 'first') await stop(emulator);
  }
  expect(await client.audit()).toMatchObject({ ok: true });

  // A killed emulator must continue like one that was never stopped.
  receiver.clear();
  const ids = await goOn(client);
  const after = await readEverything(client, user);
  await stop(emulator);
  receiver.clear();
  const restarted = await chainOf(await start(killed));
  expect(await goOn(restarted)).toEqual(ids);
  expect(await readEverything(restarted, user)).toEqual(after);
  expect(await restarted.audit()).toMatchObject({ ok: true });
});

test('the incomplete last line of a killed process is dropped, and the rest is restored', async () => {
  const file = newFile();
  const client = await chainOf(await start(file));
  const wallet = await client.wallet();
  const killed = killedCopy(file);
  await client.wallet();
  const half = killedCopy(file);
  truncateSync(half, (statSync(killed).size + statSync(half).size) / 2);
  await stop([...running][0]!);

  const restarted = await chainOf(await start(half));
  expect((await restarted.get('/wallets')).data.wallets).toHaveLength(1);
  await restarted.wallet();
  await stop([...running][0]!);
  const { data } = await (await chainOf(await start(half))).get('/wallets');
  expect(data.wallets).toMatchObject([{}, { id: wallet.id }]);
});

test('only the owner can read the file, and only one emulator can use it at a time', async () => {
  const file = newFile();
  const emulator = await start(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(startEmulator({ state: file })).rejects.toThrow(
    /another emulator \(process \d+\) uses this file; stop it/,
  );
  await stop(emulator);
  // The lock of a process that no longer exists.
  writeFileSync(`${file}.lock`, '999999999');
  await start(file);
});

describe('an unusable state file leads to an error with the line and stays unchanged', () => {
  let lines: string[];
  beforeAll(async () => {
    const file = newFile();
    const emulator = await start(file);
    await (await chainOf(emulator)).send('POST', '/users', { userId: 'anna-1' });
    await stop(emulator);
    lines = readFileSync(file, 'utf8').split('\n');
  });

  const cases: [string, (lines: string[]) => string[], RegExp][] = [
    ['another file', () => ['{"name": "package"}', ''], /line 1: the file does not begin with/],
    ['an empty file', () => [''], /line 1: the file does not begin with/],
    [
      'a file of another format',
      ([, ...rest]) => ['{"file":"walletflow emulator state","format":99}', ...rest],
      /line 1:/,
    ],
    ['a damaged line', (all) => all.with(2, all[2]!.slice(5)), /line 3: the line is damaged.*choose another file/],
    [
      'a request with a different response',
      (all) => all.map((l) => l.replace('anna-1', 'an')),
      /line \d+: .* responds differently/,
    ],
    ['a missing world', (all) => all.filter((l) => !l.includes('"opened":{')), /line \d+: its world was not opened/],
  ];
  test.each(cases)('for %s', async (_name, change, problem) => {
    const file = newFile();
    const content = change(lines).join('\n');
    writeFileSync(file, content);
    await expect(startEmulator({ state: file })).rejects.toThrow(problem);
    expect(readFileSync(file, 'utf8')).toBe(content);
    // The failed start must not leave a lock.
    await expect(startEmulator({ state: file })).rejects.toThrow(problem);
  });
});

test('a reset also resets the saved world, keeps its secret and leaves other worlds unchanged', async () => {
  const file = newFile();
  const other = { ...WORLD, apiKey: 'TEST_API_KEY:kept:2' };
  let emulator = await start(file, [WORLD, other]);
  let [client, neighbour] = [await chainOf(emulator), await chainOf(emulator, other.apiKey)];
  for (const each of [client, neighbour]) await each.wallet();
  const before = statSync(file).size;
  const { recoveryFile } = await client.world.control.call<{ recoveryFile: string }>('PUT', '/entitySecret', {
    entitySecret: '6b'.repeat(32),
  });
  await client.world.control.reset();
  expect(statSync(file).size).toBeLessThan(before);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await client.send('POST', '/users', { userId: 'after-reset' });
  await stop(emulator);

  emulator = await start(file, []);
  [client, neighbour] = [await chainOf(emulator), await chainOf(emulator, other.apiKey)];
  expect((await client.get('/wallets')).data.wallets).toHaveLength(0);
  expect((await client.get('/users')).data.users).toHaveLength(1);
  expect((await neighbour.get('/wallets')).data.wallets).toHaveLength(1);
  expect(emulator.world(apiKey)!.entitySecret).toBe('6b'.repeat(32));
  expect(emulator.world(apiKey)!.recoveryFiles.isValid(recoveryFile)).toBe(true);
});

test("a world's clock pauses while no emulator runs, and keeps its speed", async () => {
  const file = newFile();
  let emulator = await start(file, [WORLD], 1_000);
  const { control } = (await chainOf(emulator)).world;
  await control.setSpeed(5_000);
  await stop(emulator);
  const stopped = Number(/"at":(\d+)\}\}\n$/.exec(readFileSync(file, 'utf8'))![1]);

  emulator = await start(file, []);
  const { clock } = emulator.world(apiKey)!;
  expect(clock.speed).toBe(5_000);
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(stopped);
  // Allows ten seconds of real time.
  expect(clock.now().getTime()).toBeLessThan(stopped + 50_000_000);
});

test('a saved world can be opened with its previous options or none', async () => {
  const file = newFile();
  await stop(await start(file));
  const wrong = { ...WORLD, entitySecret: '77'.repeat(32) };
  await expect(start(file, [wrong])).rejects.toThrow(/^entitySecret: the state file has a world of this API key/);
  await stop(await start(file, [{ apiKey }]));
  await start(file, [WORLD]);
});

test('a webhook in flight when the process is killed is sent again, a delivered one is not', async () => {
  const file = newFile();
  const client = await chainOf(await start(file));
  receiver.clear();
  const { data } = await client.send('POST', `${client.world.url}/v2/notifications/subscriptions`, {
    endpoint: receiver.url,
  });
  await until(async () => receiver.tests.length === 1);
  const emit = (n: number) =>
    client.world.control.call('POST', '/webhooks', { notificationType: 'ramp.x', notification: { n } });
  await emit(1);
  await client.world.control.advance(0);
  receiver.responses = ['hang'];
  await emit(2);
  await until(async () => receiver.received.length === 2);
  const keyId = String(receiver.received[0]!.headers['x-circle-key-id']);
  const keyOf = ({ world }: TestClient) => client.send('GET', `${world.url}/v2/notifications/publicKey/${keyId}`);
  const key = (await keyOf(client)).data;
  const killed = killedCopy(file);
  await stop([...running][0]!);

  receiver.clear();
  const restarted = await chainOf(await start(killed));
  await restarted.world.control.advance(0);
  expect(receiver.received.map(({ body }) => body.notification)).toEqual([{ n: 2 }]);
  expect(receiver.received[0]!.body.subscriptionId).toBe(data.id);
  expect((await keyOf(restarted)).data).toEqual({ ...key, id: keyId });
  const { deliveries } = await restarted.world.control.call<{ deliveries: unknown[] }>('GET', '/webhooks/deliveries');
  expect(deliveries).toMatchObject([1, 2].map(() => ({ state: 'delivered', attempts: [{ status: 200 }] })));
});
