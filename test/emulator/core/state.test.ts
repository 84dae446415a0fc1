import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATION_IDS, findEndpoint } from '../../../src/api/contract';
import { fullPath } from '../../../src/api/contract/endpoint';
import { EmulatorControl, startEmulator, type Emulator, type WorldOptions } from '../../../src/emulator';
import { CONTROLS } from '../../../src/emulator/control';
import { Receiver } from '../../support/receiver';
import { until } from '../../support/until';
import { Chain, STRANGER } from '../chain/support';
import { quote, session } from '../ramp/support';
import { sendPii } from '../compliance/support';
import { EmailLogin } from '../users/login';
import { Person, WRONG_PIN } from '../users/support';

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

function chainOf({ url }: Emulator, key = apiKey): Promise<Chain> {
  return Chain.of({ url, apiKey: key, entitySecret, control: new EmulatorControl({ url, apiKey: key }) });
}

/** What a process leaves that is killed now: every answer that was sent is in the file. */
function killedCopy(file: string): string {
  const copy = newFile();
  copyFileSync(file, copy);
  return copy;
}

/** Every answer there is to a read: of each endpoint, with each id that its list shows; and of each control. */
async function everything(chain: Chain, user: Person): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  const ask = async (path: string, headers: object = {}): Promise<void> => {
    const { status, body } = await chain.send('GET', `${chain.world.url}${path}`, undefined, headers);
    // Links to the page name the port of the emulator that was asked for them.
    const text = JSON.stringify(body).replaceAll(/127\.0\.0\.1:\d+(?=\/emulator)/g, 'host');
    if (status !== 404) answers.set(path, { status, body: JSON.parse(text) });
  };
  const idsIn = (found: unknown) => new Set(JSON.stringify(found).match(/(?<="[a-z]*[iI]d":")[^"]+/g));
  const reads = OPERATION_IDS.map(findEndpoint).filter(({ method }) => method === 'GET');
  const headersOf = (auth: string) => (auth === 'userToken' ? { 'x-user-token': user.token } : {});
  const ofNoun = (path: string) => path.includes('{');

  for (const { path, auth } of reads) if (!ofNoun(path)) await ask(fullPath(path), headersOf(auth));
  for (const name of Object.keys(CONTROLS)) {
    if (!name.startsWith('GET ') || ofNoun(name) || /journal|attestationHost/.test(name)) continue;
    await ask(`/emulator${name.slice('GET '.length)}`);
  }
  for (const { path, auth } of reads) {
    const [list = '', ...more] = fullPath(path).split(/\/\{\w+\}/);
    if (more.length !== 1 || !answers.has(list)) continue;
    for (const id of idsIn(answers.get(list))) await ask(`${list}/${id}${more[0]}`, headersOf(auth));
  }
  return answers;
}

/** A bit of everything, much of it under way. */
async function live(chain: Chain): Promise<Person> {
  const { control } = chain.world;
  await control.call('POST', '/webhooks/faults', { action: 'delay', delayMs: 40_000, rate: 0.5 });
  await control.call('POST', '/webhooks/faults', { action: 'unknownKey', rate: 0.3 });
  receiver.answers = [200, 500, 200, 500, 500];
  await chain.send('POST', `${chain.world.url}/v2/notifications/subscriptions`, { endpoint: receiver.url });
  await control.addFault({ operation: 'validateAddress', skip: 1, rate: 0.5, action: { status: 503 } });
  await control.changeSettings({ idempotency: 'replay', rampMarkup: 25 });

  const wallet = await chain.funded();
  const other = await chain.funded('SOL-DEVNET');
  await chain.transfer(wallet);
  await chain.effect('/developer/sign/message', { walletId: wallet.id, message: 'kept' });
  await control.advance(300_000);
  await control.call('POST', '/transactions/next', { stuck: true });
  const stuck = await chain.transfer(wallet);
  await control.advance(60_000);
  await chain.effect(`/developer/transactions/${stuck.data.id}/accelerate`);
  await chain.transfer(other);
  await control.call('POST', '/transactions/next', { fail: { errorReason: 'FAILED_ON_CHAIN' } });
  await chain.transfer(other);
  await chain.transfer(wallet, { amounts: ['1000000'] });
  await chain.effect('/developer/walletSets', { entitySecretCiphertext: 'none', name: 'refused' });
  for (let n = 0; n < 5; n += 1) {
    await chain.send('POST', '/transactions/validateAddress', { blockchain: 'ETH-SEPOLIA', address: STRANGER });
  }

  const person = await Person.initialized(chain, ['ETH-SEPOLIA']);
  await person.ask('/user/wallets', { blockchains: ['MATIC-AMOY'] });
  const pin = await person.ask('/user/pin', {}, 'PUT');
  await person.approve(pin.data.challengeId, { pin: WRONG_PIN, newPin: '112233' });
  const login = await EmailLogin.begin(chain);
  await login.enterWrong();

  await sendPii(chain);
  await chain.send('POST', '/compliance/screening/addresses', {
    idempotencyKey: randomUUID(),
    address: `${STRANGER.slice(0, -4)}9999`,
    chain: 'ETH-SEPOLIA',
  });
  await quote(chain);
  await session(chain);
  return person;
}

/** The same things again, in a world that has gone on. */
async function goOn(chain: Chain): Promise<string[]> {
  await chain.world.control.advance(3_000);
  const fault = await chain.world.control.addFault({ operation: 'ping', action: { status: 500 } });
  const wallet = await chain.wallet();
  await chain.world.control.advance(2 * 3_600_000);
  const later = await session(chain);
  return [fault.id, wallet.id, wallet.address, later.data.id];
}

test('the worlds are the same after a restart, and go on as they would have', async () => {
  const file = newFile();
  let emulator = await start(file);
  let chain = await chainOf(emulator);
  const user = await live(chain);
  const before = await everything(chain, user);
  expect(before.size).toBeGreaterThan(50);
  const killed = killedCopy(file);
  await stop(emulator);

  // Twice: what was made again is kept as well.
  for (const round of ['first', 'second']) {
    emulator = await start(file, round === 'first' ? [WORLD] : []);
    chain = await chainOf(emulator);
    expect(await everything(chain, user)).toEqual(before);
    if (round === 'first') await stop(emulator);
  }
  expect(await chain.audit()).toMatchObject({ ok: true });

  // One that was never stopped would do the same as one that was killed.
  receiver.clear();
  const ids = await goOn(chain);
  const after = await everything(chain, user);
  await stop(emulator);
  receiver.clear();
  const restarted = await chainOf(await start(killed));
  expect(await goOn(restarted)).toEqual(ids);
  expect(await everything(restarted, user)).toEqual(after);
  expect(await restarted.audit()).toMatchObject({ ok: true });
});

test('what a killed process left of its last line is dropped, and the rest is there', async () => {
  const file = newFile();
  const chain = await chainOf(await start(file));
  const wallet = await chain.wallet();
  const killed = killedCopy(file);
  await chain.wallet();
  const half = killedCopy(file);
  truncateSync(half, (statSync(killed).size + statSync(half).size) / 2);
  await stop([...running][0]!);

  const again = await chainOf(await start(half));
  expect((await again.get('/wallets')).data.wallets).toHaveLength(1);
  await again.wallet();
  await stop([...running][0]!);
  const { data } = await (await chainOf(await start(half))).get('/wallets');
  expect(data.wallets).toMatchObject([{}, { id: wallet.id }]);
});

test('only its owner can read the file, and one emulator has it at a time', async () => {
  const file = newFile();
  const emulator = await start(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(startEmulator({ state: file })).rejects.toThrow(
    /another emulator uses it \(process \d+\); end that one/,
  );
  await stop(emulator);
  // Of a process that is gone.
  writeFileSync(`${file}.lock`, '999999999');
  await start(file);
});

describe('a file that can not be used is told by line, and stays as it was', () => {
  let lines: string[];
  beforeAll(async () => {
    const file = newFile();
    const emulator = await start(file);
    await (await chainOf(emulator)).send('POST', '/users', { userId: 'anna-1' });
    await stop(emulator);
    lines = readFileSync(file, 'utf8').split('\n');
  });

  const cases: [string, (lines: string[]) => string[], RegExp][] = [
    ['no state', () => ['{"name": "package"}', ''], /line 1: it does not begin with/],
    ['empty', () => [''], /line 1: it does not begin with/],
    ['of another format', ([, ...rest]) => ['{"file":"walletflow emulator state","format":99}', ...rest], /line 1:/],
    ['damaged', (all) => all.with(2, all[2]!.slice(5)), /line 3: it is damaged.*name another file/],
    ['answered otherwise', (all) => all.map((l) => l.replace('anna-1', 'an')), /line \d+: .* is answered otherwise/],
    ['without its world', (all) => all.filter((l) => !l.includes('"opened":{')), /line \d+: its world was not opened/],
  ];
  test.each(cases)('%s', async (_name, change, problem) => {
    const file = newFile();
    const content = change(lines).join('\n');
    writeFileSync(file, content);
    await expect(startEmulator({ state: file })).rejects.toThrow(problem);
    expect(readFileSync(file, 'utf8')).toBe(content);
    // It is nobody's either.
    await expect(startEmulator({ state: file })).rejects.toThrow(problem);
  });
});

test('a reset begins the world anew in the file too, with its secret, and leaves the others', async () => {
  const file = newFile();
  const other = { ...WORLD, apiKey: 'TEST_API_KEY:kept:2' };
  let emulator = await start(file, [WORLD, other]);
  let [chain, neighbour] = [await chainOf(emulator), await chainOf(emulator, other.apiKey)];
  for (const each of [chain, neighbour]) await each.wallet();
  const before = statSync(file).size;
  const { recoveryFile } = await chain.world.control.call<{ recoveryFile: string }>('PUT', '/entitySecret', {
    entitySecret: '6b'.repeat(32),
  });
  await chain.world.control.reset();
  expect(statSync(file).size).toBeLessThan(before);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await chain.send('POST', '/users', { userId: 'after-reset' });
  await stop(emulator);

  emulator = await start(file, []);
  [chain, neighbour] = [await chainOf(emulator), await chainOf(emulator, other.apiKey)];
  expect((await chain.get('/wallets')).data.wallets).toHaveLength(0);
  expect((await chain.get('/users')).data.users).toHaveLength(1);
  expect((await neighbour.get('/wallets')).data.wallets).toHaveLength(1);
  expect(emulator.world(apiKey)!.entitySecret).toBe('6b'.repeat(32));
  expect(emulator.world(apiKey)!.recoveryFiles.isValid(recoveryFile)).toBe(true);
});

test('time in which there was no emulator has not passed, and speed is kept', async () => {
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
  // Ten seconds of real time.
  expect(clock.now().getTime()).toBeLessThan(stopped + 50_000_000);
});

test('a kept world is opened with the options it had, or none', async () => {
  const file = newFile();
  await stop(await start(file));
  const wrong = { ...WORLD, entitySecret: '77'.repeat(32) };
  await expect(start(file, [wrong])).rejects.toThrow(/^entitySecret: the world of this API key is kept/);
  await stop(await start(file, [{ apiKey }]));
  await start(file, [WORLD]);
});

test('a webhook that was under way when the process was killed is sent again, a delivered one is not', async () => {
  const file = newFile();
  const chain = await chainOf(await start(file));
  receiver.clear();
  const { data } = await chain.send('POST', `${chain.world.url}/v2/notifications/subscriptions`, {
    endpoint: receiver.url,
  });
  await until(async () => receiver.tests.length === 1);
  const emit = (n: number) =>
    chain.world.control.call('POST', '/webhooks', { notificationType: 'ramp.x', notification: { n } });
  await emit(1);
  await chain.world.control.advance(0);
  receiver.answers = ['hang'];
  await emit(2);
  await until(async () => receiver.received.length === 2);
  const keyId = String(receiver.received[0]!.headers['x-circle-key-id']);
  const keyOf = ({ world }: Chain) => chain.send('GET', `${world.url}/v2/notifications/publicKey/${keyId}`);
  const key = (await keyOf(chain)).data;
  const killed = killedCopy(file);
  await stop([...running][0]!);

  receiver.clear();
  const again = await chainOf(await start(killed));
  await again.world.control.advance(0);
  expect(receiver.received.map(({ body }) => body.notification)).toEqual([{ n: 2 }]);
  expect(receiver.received[0]!.body.subscriptionId).toBe(data.id);
  expect((await keyOf(again)).data).toEqual({ ...key, id: keyId });
  const { deliveries } = await again.world.control.call<{ deliveries: unknown[] }>('GET', '/webhooks/deliveries');
  expect(deliveries).toMatchObject([1, 2].map(() => ({ state: 'delivered', attempts: [{ status: 200 }] })));
});
