import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { connectFlows, type Flows, type InputOf } from '../../src';
import { type Api, createApi } from '../../src/api';
import { generateKeyRing } from '../../src/crypto/keyRing';
import { generateSealingKeys } from '../../src/crypto/sealingKeys';
import type { Progress } from '../../src/domain/progress';
import { generateLocalIssuer, mintToken, toIssuer } from '../../src/identity/localIssuer';
import { command, endCommands, type RunningCommand, startCommand } from '../support/commandLine';
import { openWorld, type TestWorld } from '../support/emulator';
import { TEMPORAL } from '../support/stack';
import { RECIPIENT } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const TIMEOUT_MS = 120_000;
/** Fast enough for confirmations to take seconds. */
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
    WALLETFLOW_IDENTITY_FILE: await write('identity.json', { issuers: [toIssuer(issuer)] }),
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

/** Reads the progress in this process, since a command takes a second to start. */
function progressOf(ref: string): Promise<Progress> {
  return flows.transfer.get(ref).progress();
}

describe('with a worker', () => {
  let worker: RunningCommand;
  let health: string;

  beforeAll(async () => {
    worker = startCommand(['worker'], { env });
    health = / health at (\S+)$/.exec(await worker.waitForLine(/^Worker ready for cli-/))![1]!;
  }, TIMEOUT_MS);

  afterAll(async () => {
    worker.kill('SIGTERM');
    await worker.ended;
  }, TIMEOUT_MS);

  const transfer = (from: string, amount = '1.50') =>
    JSON.stringify({ from: { walletId: from }, to: RECIPIENT, tokenId: wallet.usdcId, amount });

  test(
    'a transfer can be started, found again, watched to its end and read at the API',
    async () => {
      const start = (stdin: string) =>
        command(['start', 'transfer', '--ref', 'a', '--input', '-', '--as', 'nina'], { env, stdin });
      expect(await start(transfer(wallet.id))).toEqual({ exitCode: 0, out: 'transfer/a  started\n', err: '' });
      expect((await start(transfer(wallet.id))).out).toBe('transfer/a  already exists\n');
      const other = await start(transfer(wallet.id, '2'));
      expect(other).toMatchObject({ exitCode: 1, out: '' });
      expect(other.err).toMatch(
        /^transfer\/a already exists with a different input.* npx walletflow status transfer\/a$/m,
      );

      const watched = await run('watch', 'transfer/a');
      expect(watched).toMatchObject({ exitCode: 0, err: '' });
      const shown = watched.out.trimEnd().split('\n');
      expect(shown[0]).toMatch(/^[-0-9T:.]{23}Z {2}(. validate|running)$/);
      const end = shown.findIndex((line) => /^[-0-9T:.]{23}Z {2}completed$/.test(line));
      expect(shown.slice(end + 1).map((line) => /^ {2}(\S+) \S/.exec(line)?.[1])).toEqual(
        expect.arrayContaining(['transactionId', 'state', 'amounts']),
      );
      expect(new Set(shown).size).toBe(shown.length);
      const { out } = await run('status', 'transfer/a');
      expect(out).toMatch(
        /^transfer\/a {2}completed {2}policy default@1 {2}started by nina {2}ended \S+\n {2}✔ validate {2}/,
      );
      expect(out).toContain(`\n  input.from {"walletId":"${wallet.id}"}\n`);
      const [, id] = / transactionId (\S+)/.exec(out)!;
      const read = await run('api', 'getTransaction', '--params', `id=${id}`);
      expect(read).toMatchObject({ exitCode: 0, err: '' });
      expect(JSON.parse(read.out)).toMatchObject({ data: { transaction: { state: 'COMPLETE', amounts: ['1.50'] } } });
    },
    TIMEOUT_MS,
  );

  test('a flow that was terminated says how it goes on', async () => {
    const start = ['start', 'transfer', '--ref', 'terminated', '--as', 'nina', '--input'];
    const input = await write('terminated.json', transfer(wallet.id, '1000000'));
    await run(...start, input);
    await until(async () => (await progressOf('terminated')).attention !== undefined, 'the attention');
    await flows.client.workflow.getHandle(flows.transfer.get('terminated').workflowId).terminate('wrong flow');
    const told =
      /terminated in Temporal: "wrong flow".*temporal workflow reset .*\/transfer\/terminated --reason <why>/;
    for (const [exitCode, stream, args] of [
      [1, 'err', [...start, input]],
      [0, 'out', ['status', 'transfer/terminated']],
      [1, 'out', ['watch', 'transfer/terminated']],
    ] as const) {
      const result = await run(...args);
      expect(result.exitCode).toBe(exitCode);
      expect(result[stream]).toMatch(told);
    }
    expect((await run('status', 'transfer/terminated')).out).toMatch(/^transfer\/terminated {2}terminated {2}/);
  });

  test('a start with a token from a file is refused if the token is for something else', async () => {
    const tokenFile = await write('token', await mintToken(issuer, 'nina', { scopes: ['walletflow:decide'] }));
    const input = await write('input.json', transfer(wallet.id));
    await run('start', 'transfer', '--ref', 'd', '--input', input, '--token-file', tokenFile);
    expect(await flows.transfer.get('d').result()).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/lacks scope walletflow:start/),
    });
  });

  test('a backend with a local issuer has to pass a token', async () => {
    const start = flows.transfer.start({ ref: 'e', ...(JSON.parse(transfer(wallet.id)) as InputOf<'transfer'>) });
    await expect(start).rejects.toThrow(/token: is missing; pass \{ token \}, the JWT of the initiator/);
    await expect(progressOf('e')).rejects.toThrow(/There is no flow/);
  });

  test(
    'a flow that needs a decision shows the command for it, takes the decision, and can be cancelled',
    async () => {
      const empty = await fundedWallet({ api, world }, { native: '0', usdc: '0' });
      const input = await write('input.json', transfer(empty.id));
      await run('start', 'transfer', '--ref', 'b', '--input', input);
      await until(async () => (await progressOf('b')).attention !== undefined, 'attention');
      expect((await run('status', 'transfer/b')).out).toMatch(
        / → npx walletflow decide transfer\/b retry --attention [0-9a-f]{8}\n/,
      );

      const json = await run('status', 'transfer/b', '--json');
      expect(JSON.parse(json.out)).toMatchObject({
        flow: 'transfer',
        ref: 'b',
        input: { from: { walletId: empty.id }, amount: '1.50' },
        attention: { options: [{}, {}] },
      });

      const watching = startCommand(['watch', 'transfer/b', '--json'], { env });
      expect(JSON.parse(await watching.waitForLine(/"attention"/))).toEqual(JSON.parse(json.out));
      const listed = async () => (await run('list', '--attention', '--flow', 'transfer', '--since', '1 hour')).out;
      await until(async () => (await listed()) !== '', 'the flow in the list');
      expect(await listed()).toMatch(/^transfer\/b {2}attention InsufficientTokenBalance {2}in gate {2}started \S+\n$/);

      const unknown = [await run('decide', 'transfer/b', 'explode'), await run('provide', 'transfer/b', 'explode')];
      expect(unknown.map(({ exitCode }) => exitCode)).toEqual([2, 2]);
      expect(unknown[0]!.err).toBe('choice: the flow does not offer "explode"; choose one of retry, giveUp\n');
      const outdated = await run('decide', 'transfer/b', 'retry', '--attention', '00000000');
      expect(outdated).toMatchObject({ exitCode: 1, err: expect.stringContaining('does not ask this question') });
      expect(await run('decide', 'transfer/b', 'retry', '--as', 'nina', '--id', 'once')).toEqual({
        exitCode: 0,
        out: 'transfer/b  retry, decided by nina\n',
        err: '',
      });
      expect((await run('decide', 'transfer/b', 'retry', '--as', 'nina', '--id', 'once')).exitCode).toBe(0);
      const unrequested = await run('provide', 'transfer/b', 'clientError', '--field', 'code=155112');
      expect(unrequested).toMatchObject({ exitCode: 1, err: expect.stringMatching(/asks for nothing now/) });
      const mayDecide = await mintToken(issuer, 'nina', { scopes: ['walletflow:decide'] });
      const cancel = (stdin: string) => command(['cancel', 'transfer/b', '--token-file', '-'], { env, stdin });
      expect(await cancel(mayDecide)).toMatchObject({ exitCode: 1, err: expect.stringMatching(/lacks scope/) });
      expect(await cancel(await mintToken(issuer, 'nina'))).toEqual({
        exitCode: 0,
        out: 'transfer/b  cancelled; nothing was created in the API\n',
        err: '',
      });
      const late = await run('decide', 'transfer/b', 'retry');
      expect(late).toMatchObject({ exitCode: 1, err: expect.stringContaining('has ended') });
      const { exitCode, out } = await watching.ended;
      expect(exitCode).toBe(1);
      expect(JSON.parse(out.trimEnd().split('\n').at(-1)!)).toMatchObject({ outcome: { status: 'cancelled' } });

      const cancelled = () => run('list', '--status', 'cancelled');
      await until(async () => (await cancelled()).out !== '', 'the end in the list');
      expect((await cancelled()).out).toMatch(/^transfer\/b {2}cancelled {2}at \S+\n$/);
      const first = await run('list', '--limit', '1', '--json');
      const { nextPageToken } = JSON.parse(first.err) as { nextPageToken: string };
      const second = await run('list', '--limit', '1', '--json', '--page-token', nextPageToken);
      const refs = [first, second].map((page) => (JSON.parse(page.out) as { ref: string }).ref);
      expect(refs).toEqual(['b', 'd']);
      expect((await run('list', '--limit', '1')).err).toBe(`Next page: --page-token ${nextPageToken}\n`);
      expect(await run('list', '--limit', 'some')).toMatchObject({
        exitCode: 2,
        err: expect.stringMatching(/^--limit: must be a whole number from 1 to 1000\n$/),
      });
    },
    TIMEOUT_MS,
  );

  test(
    'the worker reports ready, and exits with 0 after SIGTERM',
    async () => {
      expect((await fetch(`${health}/readyz`)).status).toBe(200);
      expect((await (await fetch(`${health}/metrics`)).text()).match(/^walletflow_sdk_metrics_up 1$/m)).not.toBeNull();
      worker.kill('SIGTERM');
      expect((await worker.ended).exitCode).toBe(0);
      await expect(fetch(`${health}/readyz`)).rejects.toThrow('fetch failed');
    },
    TIMEOUT_MS,
  );

  test('without a worker a decision may be lost, and the error names the id for sending it again', async () => {
    await command(['start', 'transfer', '--ref', 'c', '--input', '-'], { env, stdin: transfer(wallet.id) });
    const { exitCode, err } = await run('decide', 'transfer/c', 'retry', '--id', 'later');
    expect(exitCode).toBe(3);
    expect(err).toMatch(/unknown whether the message was recorded\. .*send it again with id "later"/);
  });

  test('a start without a token is accepted, with a warning', async () => {
    const { WALLETFLOW_LOCAL_ISSUER_FILE: _, ...without } = env;
    const start = () =>
      command(['start', 'transfer', '--ref', 'f', '--input', '-'], { env: without, stdin: transfer(wallet.id) });
    expect(await start()).toEqual({
      exitCode: 0,
      out: 'transfer/f  started\n',
      err: 'No token: workers that trust issuers refuse this flow, and its ref stays taken; pass --token-file\n',
    });
    expect(await start()).toEqual({ exitCode: 0, out: 'transfer/f  already exists\n', err: '' });
  });

  test('without a worker watch still shows the end of a flow, and Ctrl-C stops watching a running one', async () => {
    const watching = startCommand(['watch', 'transfer/c'], { env });
    const ended = run('watch', 'transfer/a');
    await watching.waitForLine(/waits for a worker: none responded$/);
    watching.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ exitCode: 1, err: '' });
    expect((await ended).out).toMatch(/ completed\n( {2}\S+ .*\n)*$/);
    expect((await run('status', 'transfer/a')).out).toMatch(/^transfer\/a {2}completed {2}ended \S+\n( {2}\S+ .*\n)*$/);
  });
});

test(
  'a worker names the search attributes that its namespace lacks, and setup registers them once',
  async () => {
    const namespace = `cli-${randomUUID().slice(0, 8)}`;
    const connection = await Connection.connect({ address: TEMPORAL.address });
    const workflowExecutionRetentionPeriod = msToTs('1 day');
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    const there = { env: { ...env, TEMPORAL_NAMESPACE: namespace } };
    // The server's services see a new namespace one after the other.
    const known = () =>
      connection.workflowService
        .describeNamespace({ namespace })
        .then(() => true)
        .catch(() => false);
    await until(known, 'the namespace');
    await connection.close();

    const { exitCode, err } = await command(['worker'], there);
    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /lacks the search attributes FlowKind, FlowStep, FlowAttention, FlowOutcome, Entity.*Run: walletflow setup/,
    );
    expect((await command(['setup'], there)).out).toContain(
      `Search attributes added to namespace ${namespace}: FlowKind, FlowStep, FlowAttention, FlowOutcome, Entity\n`,
    );
    await until(
      async () => (await command(['setup'], there)).out.includes('has all search attributes'),
      'the attributes',
    );
  },
  TIMEOUT_MS,
);
