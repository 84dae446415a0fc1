import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { verifyFlowEvent } from '../../src';
import { generateKeyRing } from '../../src/crypto/keyRing';
import { command, endCommands, MAIN, startCommand, userEnvironment } from '../support/commandLine';
import { Receiver } from '../support/receiver';
import { until } from '../support/until';

/** Commands that need no other process. Each one runs in its own process, as for a user. */

const TIMEOUT_MS = 120_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-commands-'));
});
afterAll(async () => {
  endCommands();
  await rm(folder, { recursive: true });
});

test('configuration problems exit with 2 and connection problems with 3', async () => {
  const unset = await command(['worker']);
  expect(unset).toMatchObject({ exitCode: 2, out: '' });
  expect(unset.err).toMatch(/WALLETFLOW_ENTITIES_FILE: is not set[^]*WALLETFLOW_KEY_RING_FILE: is not set/);
  expect(unset.err).not.toMatch(/ at .*\.js:\d/);
  const nowhere = await command(['setup'], { env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
  expect(nowhere).toMatchObject({ exitCode: 3, out: '' });
  expect(nowhere.err).toMatch(/^Can't connect to Temporal at 127\.0\.0\.1:1/);
});

test('the emulator reports when it is ready and exits with 0', async () => {
  const entitySecret = 'ab'.repeat(32);
  const args = ['--port', '0', '--api-key', 'TEST_API_KEY:cli:emulator', '--entity-secret', entitySecret];
  const emulator = startCommand(['emulator', ...args]);
  const [, url] = /^Emulator ready at (\S+)$/.exec(await emulator.waitForLine(/^Emulator ready/))!;
  expect((await fetch(`${url}/ping`)).status).toBe(200);
  emulator.kill('SIGINT');
  expect(await emulator.ended).toMatchObject({ exitCode: 0, err: '' });

  const malformed = await command(['emulator', '--port', '0', '--api-key', 'nonsense:with:secret']);
  expect(malformed.exitCode).toBe(2);
  expect(malformed.err).not.toContain('nonsense:with:secret');
});

test('dev sends flow events only to this machine', async () => {
  const cwd = await mkdtemp(path.join(folder, 'dev-'));
  const rejected = await command(['dev', '--events', 'https://backend.example/events'], { cwd });
  expect(rejected).toMatchObject({
    exitCode: 2,
    out: '',
    err: expect.stringMatching(/^--events: .* not on this machine/),
  });
});

test(
  'dev writes a file that other processes use, and removes it at the end',
  async () => {
    const cwd = await mkdtemp(path.join(folder, 'dev-'));
    const receiver = await Receiver.open();
    const dev = startCommand(['dev', '--clock-speed', '600', '--events', receiver.url], { cwd });
    const [, page] = /^Page {6}(\S+)$/.exec(await dev.waitForLine(/^Page /))!;
    expect((await fetch(page!)).headers.get('content-type')).toMatch(/html/);
    await dev.waitForLine(/^Press Ctrl-C to stop/);
    const [, input] = /echo '(.*)'/.exec(await dev.waitForLine(/start transfer/))!;
    const sourced = (args: string) => `. .walletflow/dev.env; ${process.execPath} ${MAIN} ${args}`;
    const shell = (args: string) =>
      execFileSync('sh', ['-c', sourced(args)], { cwd, input, env: userEnvironment(), encoding: 'utf8' });
    expect(shell('start transfer --ref first --input -')).toBe('transfer/first  started\n');
    await until(async () => shell('status transfer/first').startsWith('transfer/first  completed'), 'the transfer');
    await until(() => Promise.resolve(receiver.received.length > 0), 'the event');
    const [event] = receiver.received;
    const secret = await readFile(path.join(cwd, '.walletflow/events.secret'), 'utf8');
    expect(verifyFlowEvent(event!.raw, event!.headers, secret)).toMatchObject({ type: 'ended', ref: 'first' });
    receiver.close();
    dev.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ exitCode: 0, err: '' });
    expect(await readdir(cwd)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the demo shows four flows, counts their transactions and exits with 0',
  async () => {
    const { exitCode, out, err } = await command(['demo']);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    const seen = lines.slice(0, -1).map((line) => line.split(/ {2,}/).slice(0, 2).join(' '));
    expect(seen).toEqual([
      '✔ transfer/plain completed',
      '✔ transfer/lost-reply completed',
      '✔ transfer/no-funds attention',
      '✔ fundTestnet/first completed',
      '✔ transfer/no-funds completed',
    ]);
    expect(lines[1]).toMatch(/reply lost, sent again with the same key, one transaction +\d+\.\d s {2}\d+ events$/);
    expect(lines[2]).toMatch(/1552\d\d .* → .*: npx walletflow decide transfer\/no-funds retry/);
    expect(lines.at(-1)).toBe('4 flows · 3 transactions · 0 sent twice · next: npx walletflow dev');
  },
  TIMEOUT_MS,
);

test(
  'replay replays the recorded histories and fails if one of them fails',
  async () => {
    const all = await command(['replay']);
    expect(all.out).toMatch(/\n\d+ histories replayed, 0 failed\n$/);
    expect(all.exitCode).toBe(0);
    const keyRing = path.join(folder, 'otherRing.json');
    await writeFile(keyRing, JSON.stringify(generateKeyRing(new Date())));
    const broken = await command(['replay', '--key-ring', keyRing]);
    expect(broken.out).toMatch(/^✖ /m);
    expect(broken.exitCode).toBe(1);
  },
  TIMEOUT_MS,
);
