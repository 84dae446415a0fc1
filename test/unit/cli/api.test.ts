import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEndpoint } from '../../../src/api/contract';
import { makeRequest, readUserToken } from '../../../src/cli/api';
import { runCli } from '../../../src/cli/program';
import { generateKeyRing } from '../../../src/crypto/keyRing';
import { generateSealingKeys } from '../../../src/crypto/sealingKeys';
import { testTerminal } from './terminal';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'walletflow-api-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Environment of a worker with one entity whose API is on a closed port of this machine. */
function environment(kind: 'test' | 'live') {
  const write = (name: string, content: unknown) => {
    const file = join(folder, `${kind}-${name}`);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const apiKeyFile = write('api.key', kind === 'live' ? 'LIVE_API_KEY:emulator:abc' : 'TEST_API_KEY:abc:def');
  const entities = { main: { kind, apiKeyFile, hosts: { api: 'http://127.0.0.1:9' } } };
  return {
    WALLETFLOW_ENTITIES_FILE: write('entities.json', entities),
    WALLETFLOW_KEY_RING_FILE: write('keyRing.json', generateKeyRing(new Date())),
    WALLETFLOW_SEALING_KEYS_FILE: write('sealing.json', generateSealingKeys(new Date())),
  };
}

test.each(['createTransfer', 'requestDrip', 'updateWallet', 'deleteSubscription'])(
  'on a live entity, %s is refused and nothing is sent',
  async (operation) => {
    const terminal = testTerminal({ env: environment('live') });
    expect(await runCli(['api', operation, '--body', '{}'], terminal)).toBe(1);
    expect(terminal.errLines.join()).toMatch(/main is live, and this command only reads live entities/);
  },
);

test('reads of a live entity and all requests of a test entity are sent', async () => {
  for (const [kind, operation] of [
    ['live', 'getEntityConfig'],
    ['test', 'getEntityConfig'],
  ] as const) {
    const terminal = testTerminal({ env: environment(kind) });
    expect(await runCli(['api', operation], terminal)).toBe(3);
    expect(terminal.errLines.join()).toMatch(/could not be reached/);
  }
});

test('the list shows every operation with method and path', async () => {
  const terminal = testTerminal();
  expect(await runCli(['api', '--list'], terminal)).toBe(0);
  expect(terminal.outLines.join('\n')).toMatch(
    /^createTransfer +POST +\/v1\/w3s\/developer\/transactions\/transfer {2}Sends tokens/m,
  );
});

test.each([
  ['listTransactions', '--query', 'nope=1', /--query: this operation has no "nope"; allowed: blockchain, /],
  ['getEntityConfig', '--params', 'id=3', /--params: this operation has no "id"; allowed: none/],
])('%s %s %s: an unknown name is rejected, not ignored', async (operation, option, pair, message) => {
  const terminal = testTerminal({ env: environment('test') });
  expect(await runCli(['api', operation, option, pair], terminal)).toBe(2);
  expect(terminal.errLines.join()).toMatch(message);
});

test('the error for a misspelled operation suggests the right one', async () => {
  const terminal = testTerminal();
  expect(await runCli(['api', 'getTransacton'], terminal)).toBe(2);
  expect(terminal.errLines).toEqual(['operation: there is no "getTransacton"; did you mean getTransaction?']);
});

describe('a request', () => {
  const list = findEndpoint('listTransactions');
  const set = findEndpoint('createWalletSet');
  const drip = findEndpoint('requestDrip');

  test('has parameters of the types that the endpoint takes', async () => {
    const query = ['pageSize=5', 'includeAll=true', 'txHash=0x1', 'walletIds=1', 'from=a=b'];
    expect(await makeRequest(testTerminal(), list, { query })).toEqual({
      query: { pageSize: 5, includeAll: true, txHash: '0x1', walletIds: '1', from: 'a=b' },
    });
    expect(await makeRequest(testTerminal(), findEndpoint('getTransaction'), { params: ['id=7'] })).toEqual({
      params: { id: '7' },
    });
  });

  test('gets its body from the option, a file or standard input', async () => {
    const body = { address: '0x1', blockchain: 'ETH-SEPOLIA' };
    const file = join(folder, 'body.json');
    writeFileSync(file, JSON.stringify(body));
    for (const option of [JSON.stringify(body), file, '-']) {
      const terminal = testTerminal({ stdin: JSON.stringify(body) });
      expect(await makeRequest(terminal, drip, { body: option })).toEqual({ body });
    }
  });

  test('gets an idempotency key if it needs one, printed to standard error; a key in the body is kept', async () => {
    const terminal = testTerminal();
    const { body } = await makeRequest(terminal, set, { body: '{"name":"a"}' });
    const { idempotencyKey } = body as { idempotencyKey: string };
    expect(body).toEqual({ name: 'a', idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(terminal.errLines.join()).toContain(idempotencyKey);
    const ownBody = { idempotencyKey: 'mine' };
    expect(await makeRequest(testTerminal(), set, { body: JSON.stringify(ownBody) })).toEqual({ body: ownBody });
  });

  test.each([
    [{ params: ['id'] }, '--params: "id" is not a pair; write name=value'],
    [{ body: '{"a"' }, '--body: the value is not valid JSON; check its commas and quotes'],
    [{ body: '/no/such/file' }, "--body: /no/such/file can't be read (ENOENT); choose a readable file"],
    [{ body: '-' }, '--body: must be a JSON object; write { "name": "value" }'],
  ])('%j is rejected', async (options, message) => {
    await expect(makeRequest(testTerminal({ stdin: '[1]' }), drip, options)).rejects.toThrow(message);
  });

  test('gets a user token from a file if the operation takes one', () => {
    const userTokenFile = join(folder, 'user.token');
    writeFileSync(userTokenFile, 'header.claims.signature\n');
    const options = { userTokenFile };
    for (const id of ['getCurrentUser', 'listWallets'] as const) {
      expect(readUserToken(findEndpoint(id), options)).toEqual({ userToken: 'header.claims.signature' });
    }
    expect(readUserToken(findEndpoint('listWallets'), {})).toEqual({});
    expect(() => readUserToken(findEndpoint('getCurrentUser'), {})).toThrow('--user-token-file: is missing');
    expect(() => readUserToken(drip, options)).toThrow('--user-token-file: this operation takes no user token');
  });
});

test('--list with an operation lists its parameters', async () => {
  const terminal = testTerminal();

  expect(await runCli(['api', '--list', 'getTransaction'], terminal)).toBe(0);

  expect(terminal.outLines).toEqual([
    'getTransaction  GET /v1/w3s/transactions/{id}',
    expect.any(String),
    '--user-token-file?',
    '--params',
    '  id  string',
    '--query',
    '  txType?  INBOUND | OUTBOUND',
  ]);

  const tokens = async (operation: string) => {
    const operationTerminal = testTerminal();
    await runCli(['api', '--list', operation], operationTerminal);
    return operationTerminal.outLines.filter((line) => line.startsWith('--user-token-file'));
  };
  expect(await tokens('getCurrentUser')).toEqual(['--user-token-file']);
  expect(await tokens('createTransfer')).toEqual([]);
});

test('--list says what to do after a lost reply, for an operation that changes something and that no flow calls', async () => {
  const linesOf = async (operation: string) => {
    const terminal = testTerminal();
    expect(await runCli(['api', '--list', operation], terminal)).toBe(0);
    return terminal.outLines;
  };
  expect((await linesOf('createEventMonitor')).slice(-4)).toEqual([
    'after a lost reply',
    '  same request again  the first answer, or 156020',
    '  lookup              listEventMonitors: the contract, the blockchain and the event',
    '  result              the monitor',
  ]);
  expect(await linesOf('createRampSession')).toContain('  same request again  110703');
  expect(await linesOf('listEventMonitors')).not.toContain('after a lost reply');
});

test('--list shows each form of a body that has several', async () => {
  const terminal = testTerminal();

  expect(await runCli(['api', '--list', 'createRampSession'], terminal)).toBe(0);

  const text = terminal.outLines.join('\n');
  expect(text).toMatch(/--body, form 1\n  mode +QUOTE_SCREEN\n/);
  expect(text).toMatch(/--body, form 2\n  mode +REVIEW_SCREEN\n/);
});
