import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { initiatorToken, tokenFor } from '../../../src/cli/identity';
import { runCli } from '../../../src/cli/program';
import { generateKeyRing } from '../../../src/crypto/keyRing';
import { generateSealingKeys } from '../../../src/crypto/sealingKeys';
import { generateLocalIssuer, toIssuer } from '../../../src/identity/localIssuer';
import { identityVerifier } from '../../../src/identity/verifier';
import { testTerminal } from './terminal';

const issuer = generateLocalIssuer();
const { verify } = identityVerifier([toIssuer(issuer)]);

let folder: string;
let env: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'walletflow-identity-'));
  env = {
    WALLETFLOW_ENTITY: 'main',
    WALLETFLOW_KEY_RING_FILE: write('keyRing.json', generateKeyRing(new Date())),
    WALLETFLOW_SEALING_KEYS_FILE: write('sealing.json', generateSealingKeys(new Date())),
    WALLETFLOW_LOCAL_ISSUER_FILE: write('issuer.json', issuer),
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a local issuer creates a token for one message only, with the subject from --as or the login name', async () => {
  const terminal = testTerminal({ env });
  const nina = await tokenFor(terminal, 'decide', { as: 'nina' });
  expect(await verify(nina, 'walletflow:decide')).toEqual({ subject: 'nina', issuer: 'walletflow-local' });
  await expect(verify(nina, 'walletflow:cancel')).rejects.toThrow(/lacks scope walletflow:cancel/);
  const own = await tokenFor(terminal, 'cancel', {});
  expect(await verify(own, 'walletflow:cancel')).toMatchObject({ subject: userInfo().username });
});

test('a token from a file or standard input is used unchanged', async () => {
  const file = write('token', 'a.b.c\n');
  expect(await tokenFor(testTerminal(), 'decide', { tokenFile: file })).toBe('a.b.c');
  expect(await tokenFor(testTerminal({ stdin: 'd.e.f\n' }), 'decide', { tokenFile: '-' })).toBe('d.e.f');
  await expect(tokenFor(testTerminal(), 'decide', { tokenFile: file, as: 'nina' })).rejects.toThrow(/^--as: /);
  await expect(tokenFor(testTerminal(), 'decide', { tokenFile: join(folder, 'none') })).rejects.toThrow(/ENOENT/);
});

test('an empty token or name is rejected, and so is standard input as two files', async () => {
  const file = write('empty', '\n');
  await expect(tokenFor(testTerminal(), 'decide', { tokenFile: file })).rejects.toThrow(
    `--token-file: ${file} is empty; put a JWT into it`,
  );
  await expect(tokenFor(testTerminal(), 'decide', { tokenFile: '-' })).rejects.toThrow(
    '--token-file: standard input is empty; put a JWT into it',
  );
  for (const command of ['start transfer', 'provide onboardUser/a deviceId']) {
    const stdin = testTerminal({ env, stdin: '{}' });
    expect(await runCli([...command.split(' '), '--input', '-', '--token-file', '-'], stdin)).toBe(2);
    expect(stdin.errLines).toEqual(['--token-file: --input already reads standard input; use a file for one of them']);
  }
  for (const command of ['decide transfer/a retry', 'cancel transfer/a', 'token', 'start transfer --input -']) {
    const unnamed = testTerminal({ env, stdin: '{}' });
    expect(await runCli([...command.split(' '), '--as', ''], unnamed)).toBe(2);
    expect(unnamed.errLines).toEqual(['--as: is empty; give a name']);
  }
});

test('without a local issuer the error names the remedies', async () => {
  const { WALLETFLOW_LOCAL_ISSUER_FILE: _, ...without } = env;
  const terminal = testTerminal({ env: without });
  expect(await runCli(['decide', 'transfer/a', 'retry'], terminal)).toBe(2);
  expect(terminal.errLines.join()).toMatch(
    /^token: no local issuer is configured; .* --token-file, or set WALLETFLOW_LOCAL/,
  );
});

test('a start gets a token for starts only from the local issuer, and none without an issuer', async () => {
  const { WALLETFLOW_LOCAL_ISSUER_FILE: _, ...without } = env;
  const nina = await initiatorToken(testTerminal({ env }), { as: 'nina' });
  expect(await verify(nina!, 'walletflow:start')).toMatchObject({ subject: 'nina' });
  await expect(verify(nina!, 'walletflow:decide')).rejects.toThrow(/lacks scope walletflow:decide/);
  const own = await initiatorToken(testTerminal({ env }), {});
  expect(await verify(own!, 'walletflow:start')).toMatchObject({ subject: userInfo().username });
  const terminal = testTerminal({ env: without, stdin: 'a.b.c\n' });
  expect(await initiatorToken(terminal, {})).toBeUndefined();
  expect(await initiatorToken(terminal, { tokenFile: '-' })).toBe('a.b.c');
  await expect(initiatorToken(terminal, { as: 'nina' })).rejects.toThrow(/^token: no local issuer is configured/);
});

test('the command token prints a token with the scopes of a start and of all messages', async () => {
  const terminal = testTerminal({ env });
  expect(await runCli(['token', '--as', 'nina'], terminal)).toBe(0);
  for (const scope of ['start', 'decide', 'provide', 'cancel']) {
    expect(await verify(terminal.outLines[0]!, `walletflow:${scope}`)).toMatchObject({ subject: 'nina' });
  }
});
