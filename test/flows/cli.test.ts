import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { createApi, type Api } from '../../src/api';
import { generateKeyRing } from '../../src/crypto/keyRing';
import { generateSealingKeys } from '../../src/crypto/sealingKeys';
import type { Progress } from '../../src/domain/progress';
import { connectFlows, type Flows, verifyFlowEvent } from '../../src';
import { generateLocalIssuer, issuerOf, mintToken } from '../../src/identity/localIssuer';
import { command, endCommands, MAIN, startCommand, userEnvironment, type RunningCommand } from '../support/commandLine';
import { openWorld, type TestWorld } from '../support/emulator';
import { Receiver } from '../support/receiver';
import { TEMPORAL } from '../support/stack';
import { TO } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const TIMEOUT_MS = 120_000;
/** Confirmations take no real minutes. */
const CLOCK_SPEED = 600;

const issuer = generateLocalIssuer();
let folder: string;
let world: TestWorld;
let api: Api;
let wallet: FundedWallet;
let env: Record<string, string>;
let flows: Flows;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-cli-'));
  world = await openWorld();
  const entity = {
    name: `cli-${randomUUID().slice(0, 8)}`,
    kind: 'test' as const,
    apiKey: world.apiKey,
    entitySecret: world.entitySecret,
    hosts: { api: world.url },
  };
  const { name, kind, hosts } = entity;
  env = {
    TEMPORAL_ADDRESS: TEMPORAL.address,
    WALLETFLOW_HEALTH_ADDRESS: '127.0.0.1:0',
    WALLETFLOW_ENTITIES_FILE: await write('entities.json', {
      [name]: { kind, hosts, apiKeyFile: 'api.key', entitySecretFile: 'secret' },
    }),
    WALLETFLOW_KEY_RING_FILE: await write('keyRing.json', generateKeyRing(new Date())),
    WALLETFLOW_SEALING_KEYS_FILE: await write('sealing.json', generateSealingKeys(new Date())),
    WALLETFLOW_IDENTITY_FILE: await write('identity.json', { issuers: [issuerOf(issuer)] }),
    WALLETFLOW_LOCAL_ISSUER_FILE: await write('issuer.json', issuer),
  };
  await write('api.key', entity.apiKey);
  await write('secret', entity.entitySecret);
  api = createApi(entity);
  wallet = await fundedWallet({ api, world });
  await world.control.setSpeed(CLOCK_SPEED);
  flows = await connectFlows({ env, temporal: TEMPORAL });
}, TIMEOUT_MS);

afterAll(async () => {
  endCommands();
  await flows.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const run = (...args: string[]) => command(args, { env });

/** Asked in this process: a command takes a second to start. */
function progressOf(ref: string): Promise<Progress> {
  return flows.transfer.get(ref).progress();
}

describe('with a worker', () => {
  let worker: RunningCommand;
  let health: string;

  beforeAll(async () => {
    worker = startCommand(['worker'], { env });
    health = / health at (\S+)$/.exec(await worker.line(/^Worker ready for cli-/))![1]!;
  }, TIMEOUT_MS);

  afterAll(async () => {
    worker.kill('SIGTERM');
    await worker.ended;
  }, TIMEOUT_MS);

  const transfer = (from: string, amount = '1.50') =>
    JSON.stringify({ from: { walletId: from }, to: TO, tokenId: wallet.usdcId, amount });

  test(
    'a transfer is started, found again, seen to its end, and read at the API',
    async () => {
      const start = (stdin: string) => command(['start', 'transfer', '--ref', 'a', '--input', '-'], { env, stdin });
      expect(await start(transfer(wallet.id))).toEqual({ exitCode: 0, out: 'transfer/a  started\n', err: '' });
      expect((await start(transfer(wallet.id))).out).toBe('transfer/a  was there before\n');
      const other = await start(transfer(wallet.id, '2'));
      expect(other).toMatchObject({ exitCode: 1, out: '' });
      expect(other.err).toMatch(
        /^transfer\/a was started before with another input.* npx walletflow status transfer\/a$/m,
      );

      const watched = await run('watch', 'transfer/a');
      expect(watched).toMatchObject({ exitCode: 0, err: '' });
      const told = watched.out.trimEnd().split('\n');
      expect(told[0]).toMatch(/^[-0-9T:.]{23}Z {2}(. validate|running)$/);
      const end = told.findIndex((line) => /^[-0-9T:.]{23}Z {2}completed$/.test(line));
      expect(told.slice(end + 1).map((line) => /^ {2}(\S+) \S/.exec(line)?.[1])).toEqual(
        expect.arrayContaining(['transactionId', 'state', 'amount']),
      );
      expect(new Set(told).size).toBe(told.length);
      const { out } = await run('status', 'transfer/a');
      expect(out).toMatch(/^transfer\/a {2}completed {2}policy default@1\n {2}✔ validate {2}/);
      const [, id] = / transactionId (\S+)/.exec(out)!;
      const read = await run('api', 'getTransaction', '--params', `id=${id}`);
      expect(read).toMatchObject({ exitCode: 0, err: '' });
      expect(JSON.parse(read.out)).toMatchObject({ data: { transaction: { state: 'COMPLETE', amounts: ['1.50'] } } });
    },
    TIMEOUT_MS,
  );

  test(
    'a flow that waits for a person shows the command that decides, and takes it; then it is called back',
    async () => {
      const empty = await fundedWallet({ api, world }, { native: '0', usdc: '0' });
      const input = await write('input.json', transfer(empty.id));
      await run('start', 'transfer', '--ref', 'b', '--input', input);
      await until(async () => (await progressOf('b')).attention !== undefined, 'attention');
      expect((await run('status', 'transfer/b')).out).toMatch(/ → npx walletflow decide transfer\/b retry\n/);

      const json = await run('status', 'transfer/b', '--json');
      expect(JSON.parse(json.out)).toMatchObject({ flow: 'transfer', ref: 'b', attention: { options: [{}, {}] } });

      const watching = startCommand(['watch', 'transfer/b', '--json'], { env });
      expect(JSON.parse(await watching.line(/"attention"/))).toEqual(JSON.parse(json.out));
      const listed = async () => (await run('list', '--attention', '--flow', 'transfer', '--since', '1 hour')).out;
      await until(async () => (await listed()).startsWith('transfer/b  attention '), 'the flow in the list');

      expect(await run('decide', 'transfer/b', 'explode')).toMatchObject({ exitCode: 1 });
      expect(await run('decide', 'transfer/b', 'retry', '--as', 'nina', '--id', 'once')).toEqual({
        exitCode: 0,
        out: 'transfer/b  retry, decided by nina\n',
        err: '',
      });
      expect((await run('decide', 'transfer/b', 'retry', '--as', 'nina', '--id', 'once')).exitCode).toBe(0);
      const unasked = await run('provide', 'transfer/b', 'clientError', '--field', 'code=155112');
      expect(unasked).toMatchObject({ exitCode: 1, err: expect.stringMatching(/asks for nothing now/) });
      const mayDecide = await mintToken(issuer, 'nina', { scopes: ['walletflow:decide'] });
      const cancel = (stdin: string) => command(['cancel', 'transfer/b', '--token-file', '-'], { env, stdin });
      expect(await cancel(mayDecide)).toMatchObject({ exitCode: 1, err: expect.stringMatching(/lacks scope/) });
      expect(await cancel(await mintToken(issuer, 'nina'))).toEqual({
        exitCode: 0,
        out: 'transfer/b  cancelled; nothing had been sent\n',
        err: '',
      });
      const { exitCode, out } = await watching.ended;
      expect(exitCode).toBe(1);
      expect(JSON.parse(out.trimEnd().split('\n').at(-1)!)).toMatchObject({ outcome: { status: 'cancelled' } });
    },
    TIMEOUT_MS,
  );

  test(
    'it is ready, and after SIGTERM ends by itself with 0',
    async () => {
      expect((await fetch(`${health}/readyz`)).status).toBe(200);
      expect((await (await fetch(`${health}/metrics`)).text()).match(/^walletflow_sdk_metrics_up 1$/m)).not.toBeNull();
      worker.kill('SIGTERM');
      expect((await worker.ended).exitCode).toBe(0);
      await expect(fetch(`${health}/readyz`)).rejects.toThrow('fetch failed');
    },
    TIMEOUT_MS,
  );

  test('without it a decision is not stored, and its id is told', async () => {
    await command(['start', 'transfer', '--ref', 'c', '--input', '-'], { env, stdin: transfer(wallet.id) });
    const { exitCode, err } = await run('decide', 'transfer/c', 'retry', '--id', 'later');
    expect(exitCode).toBe(3);
    expect(err).toMatch(/nothing was stored\. Send again with id "later"/);
  });

  test('without it the end of a flow is still seen, and watching one that goes on ends with Ctrl-C', async () => {
    const watching = startCommand(['watch', 'transfer/c'], { env });
    const ended = run('watch', 'transfer/a');
    await watching.line(/waits for a worker: none answered$/);
    watching.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ exitCode: 1, err: '' });
    expect((await ended).out).toMatch(/ completed\n( {2}\S+ .*\n)*$/);
  });
});

test(
  'a worker names the search attributes that its namespace lacks; setup registers them, once',
  async () => {
    const namespace = `cli-${randomUUID().slice(0, 8)}`;
    const connection = await Connection.connect({ address: TEMPORAL.address });
    const workflowExecutionRetentionPeriod = msToTs('1 day');
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    const there = { env: { ...env, TEMPORAL_NAMESPACE: namespace } };
    // The server's parts learn of a namespace one after the other.
    const known = () =>
      connection.workflowService
        .describeNamespace({ namespace })
        .then(() => true)
        .catch(() => false);
    await until(known, 'the namespace');
    await connection.close();

    const { exitCode, err } = await command(['worker'], there);
    expect(exitCode).toBe(2);
    expect(err).toMatch(/lacks the search attributes FlowKind, FlowStep, FlowAttention, Entity.*Run: walletflow setup/);
    expect((await command(['setup'], there)).out).toContain(
      `Search attributes added to namespace ${namespace}: FlowKind, FlowStep, FlowAttention, Entity\n`,
    );
    await until(
      async () => (await command(['setup'], there)).out.includes('has all search attributes'),
      'the attributes',
    );
  },
  TIMEOUT_MS,
);

test('configuration and connection problems have exit codes of their own', async () => {
  const unset = await command(['worker']);
  expect(unset).toMatchObject({ exitCode: 2, out: '' });
  expect(unset.err).toMatch(/WALLETFLOW_ENTITIES_FILE: is not set[^]*WALLETFLOW_KEY_RING_FILE: is not set/);
  expect(unset.err).not.toMatch(/ at .*\.js:\d/);
  const nowhere = await command(['setup'], { env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
  expect(nowhere).toMatchObject({ exitCode: 3, out: '' });
  expect(nowhere.err).toMatch(/^Can't connect to Temporal at 127\.0\.0\.1:1/);
});

test('the emulator says when it answers, and ends with 0', async () => {
  const entitySecret = 'ab'.repeat(32);
  const args = ['--port', '0', '--api-key', 'TEST_API_KEY:cli:emulator', '--entity-secret', entitySecret];
  const emulator = startCommand(['emulator', ...args]);
  const [, url] = /^Emulator ready at (\S+)$/.exec(await emulator.line(/^Emulator ready/))!;
  expect((await fetch(`${url}/ping`)).status).toBe(200);
  emulator.kill('SIGINT');
  expect(await emulator.ended).toMatchObject({ exitCode: 0, err: '' });

  const malformed = await command(['emulator', '--port', '0', '--api-key', 'nonsense:with:secret']);
  expect(malformed.exitCode).toBe(2);
  expect(malformed.err).not.toContain('nonsense:with:secret');
});

test('dev tells flow events to this machine alone', async () => {
  const cwd = await mkdtemp(path.join(folder, 'dev-'));
  const refused = await command(['dev', '--events', 'https://backend.example/events'], { cwd });
  expect(refused).toMatchObject({
    exitCode: 2,
    out: '',
    err: expect.stringMatching(/^--events: .* not on this machine/),
  });
});

test(
  'dev is used from another process by the file that it writes, and removes that at its end',
  async () => {
    const cwd = await mkdtemp(path.join(folder, 'dev-'));
    const receiver = await Receiver.open();
    const dev = startCommand(['dev', '--clock-speed', '600', '--events', receiver.url], { cwd });
    const [, page] = /^Page {6}(\S+)$/.exec(await dev.line(/^Page /))!;
    expect((await fetch(page!)).headers.get('content-type')).toMatch(/html/);
    await dev.line(/^Ctrl-C ends it/);
    const [, input] = /echo '(.*)'/.exec(await dev.line(/start transfer/))!;
    const sourced = (args: string) => `. .walletflow/dev.env; ${process.execPath} ${MAIN} ${args}`;
    const shell = (args: string) =>
      execFileSync('sh', ['-c', sourced(args)], { cwd, input, env: userEnvironment(), encoding: 'utf8' });
    expect(shell('start transfer --ref first --input -')).toBe('transfer/first  started\n');
    await until(async () => shell('status transfer/first').startsWith('transfer/first  completed'), 'the transfer');
    await until(() => Promise.resolve(receiver.received.length > 0), 'the event');
    const [told] = receiver.received;
    const secret = await readFile(path.join(cwd, '.walletflow/events.secret'), 'utf8');
    expect(verifyFlowEvent(told!.raw, told!.headers, secret)).toMatchObject({ type: 'ended', ref: 'first' });
    receiver.close();
    dev.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ exitCode: 0, err: '' });
    expect(await readdir(cwd)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the demo shows four flows, counts what they sent, and ends with 0',
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
  'recorded histories are replayed; one that fails makes the command fail',
  async () => {
    const all = await command(['replay']);
    expect(all.out).toMatch(/\n\d+ histories replayed, 0 failed\n$/);
    expect(all.exitCode).toBe(0);
    const keyRing = await write('otherRing.json', generateKeyRing(new Date()));
    const broken = await command(['replay', '--key-ring', keyRing]);
    expect(broken.out).toMatch(/^✖ /m);
    expect(broken.exitCode).toBe(1);
  },
  TIMEOUT_MS,
);
