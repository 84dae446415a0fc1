import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi } from '../../../src/api';
import { runCli } from '../../../src/cli/program';
import { encryptEntitySecret } from '../../../src/crypto/entitySecret';
import { generateKeyRing } from '../../../src/crypto/keyRing';
import { generateSealingKeys } from '../../../src/crypto/sealingKeys';
import { closeOwnEmulator, openWorld, type TestWorld } from '../../support/emulator';
import { testTerminal } from './terminal';

let folder: string;
let world: TestWorld;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'walletflow-register-'));
  world = await openWorld();
  await world.control.setEntitySecret(null);
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(closeOwnEmulator);

const at = (name: string) => join(folder, name);

function write(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
}

/** Environment of a worker whose entity may have a secret. */
function environment({ secret, live = false }: { secret?: string; live?: boolean } = {}) {
  const entity = {
    kind: live ? 'live' : 'test',
    apiKeyFile: write('api.key', live ? 'LIVE_API_KEY:abc:def' : world.apiKey),
    ...(secret && { entitySecretFile: write('configured.secret', secret) }),
    ...(!live && { hosts: { api: world.url } }),
  };
  return {
    WALLETFLOW_ENTITIES_FILE: write('entities.json', { main: entity }),
    WALLETFLOW_KEY_RING_FILE: write('keyRing.json', generateKeyRing(new Date())),
    WALLETFLOW_SEALING_KEYS_FILE: write('sealing.json', generateSealingKeys(new Date())),
  };
}

async function register(env: Record<string, string>, ...more: string[]) {
  const terminal = testTerminal({ env });
  const args = ['entity', 'register-secret', '--recovery-file', at('recovery.dat'), ...more];
  const exitCode = await runCli(args, terminal);
  return { exitCode, out: terminal.outLines.join('\n'), err: terminal.errLines.join('\n') };
}

const createSet = (entitySecret: string) =>
  createApi({
    name: 'main',
    kind: 'test',
    apiKey: world.apiKey,
    entitySecret,
    hosts: { api: world.url },
  }).createWalletSet({ body: { idempotencyKey: randomUUID(), name: 'set' } });

test('the configured secret is registered, and only the user can read its recovery file', async () => {
  const secret = 'ab'.repeat(32);
  const { exitCode, out, err } = await register(environment({ secret }));
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'The entity secret of main is registered' });
  expect(err).toMatch(/recovery\.dat: the recovery file, .* Store it separately from the secret/);
  expect(statSync(at('recovery.dat')).mode & 0o777).toBe(0o600);
  await createSet(secret);
  const next = await nextCiphertext();
  await expect(world.control.resetEntitySecret(readFileSync(at('recovery.dat'), 'utf8'), next)).resolves.toBeTruthy();
});

test('a new secret goes to a file that only the user can read, and is never printed', async () => {
  const { exitCode, out, err } = await register(environment(), '--generate', at('new.secret'));
  expect(exitCode).toBe(0);
  const secret = readFileSync(at('new.secret'), 'utf8').trim();
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(out + err).not.toContain(secret);
  expect(err).toMatch(/new\.secret: the secret\. Set it as entitySecretFile of main/);
  expect(statSync(at('new.secret')).mode & 0o777).toBe(0o600);
  await createSet(secret);
});

test('an entity that has a secret keeps it, and no file remains', async () => {
  await world.control.setEntitySecret(world.entitySecret);
  const { exitCode, err } = await register(environment(), '--generate', at('new.secret'));
  expect(exitCode).toBe(1);
  expect(err).toMatch(/156015 EntitySecretAlreadySet/);
  expect([existsSync(at('new.secret')), existsSync(at('recovery.dat'))]).toEqual([false, false]);
  await createSet(world.entitySecret);
});

test('after a lost reply the new secret is kept and the message says how to find out', async () => {
  await world.control.addFault({ operation: 'registerEntitySecret', count: 1, action: { drop: 'after' } });
  const { exitCode, err } = await register(environment(), '--generate', at('new.secret'));
  expect(exitCode).toBe(1);
  expect(err).toMatch(/unknown whether the secret of main was registered\. The secret is in .*new\.secret/);
  expect(existsSync(at('recovery.dat'))).toBe(false);
  const secret = readFileSync(at('new.secret'), 'utf8').trim();
  await createSet(secret);
  expect((await register(environment({ secret }))).err).toMatch(/156015/);
});

test('a lost reply to the request for the public key leaves no file', async () => {
  await world.control.addFault({ operation: 'getEntityPublicKey', count: 1, action: { drop: 'after' } });
  expect((await register(environment(), '--generate', at('new.secret'))).exitCode).toBe(3);
  expect([existsSync(at('new.secret')), existsSync(at('recovery.dat'))]).toEqual([false, false]);
});

test('no existing file is overwritten, and nothing is sent', async () => {
  const recovery = write('recovery.dat', 'mine');
  const result = await register(environment(), '--generate', at('new.secret'));
  expect(result).toMatchObject({ exitCode: 2, out: '' });
  expect(result.err).toMatch(/^--recovery-file: .* already exists and is not overwritten/);
  expect(readFileSync(recovery, 'utf8')).toBe('mine');
  expect(existsSync(at('new.secret'))).toBe(false);

  write('new.secret', 'mine too');
  const other = await register(environment(), '--generate', at('new.secret'));
  expect(other.err).toMatch(/^--generate: .* already exists/);
  expect(readFileSync(at('new.secret'), 'utf8')).toBe('mine too');
  expect(await world.control.journal()).toEqual([]);
});

/** [problem, environment, arguments, error message] */
const INVALID: [problem: string, env: () => Record<string, string>, args: string[], message: RegExp][] = [
  ['no secret', () => environment(), [], /entitySecretFile: is not set for entity main; .*--generate FILE/],
  [
    'both a configured and a new secret',
    () => environment({ secret: 'ab'.repeat(32) }),
    ['--generate', 'x'],
    /--generate: entity main already has a configured secret/,
  ],
  ['a live entity that is not allowed', () => environment({ live: true }), ['--generate', 'x'], /WALLETFLOW_LIVE=main/],
  ['no such folder', () => environment(), ['--generate', '/no/such/folder/x'], /can't be written \(ENOENT\)/],
];

test.each(INVALID)('%s is rejected before anything is written or sent', async (_problem, env, args, message) => {
  const { exitCode, err } = await register(env(), ...args);
  expect(exitCode).toBe(2);
  expect(err).toMatch(message);
  expect([existsSync('x'), existsSync(at('recovery.dat'))]).toEqual([false, false]);
  expect(await world.control.journal()).toEqual([]);
});

async function nextCiphertext(): Promise<string> {
  const api = createApi({ name: 'main', kind: 'test', apiKey: world.apiKey, hosts: { api: world.url } });
  return encryptEntitySecret('cd'.repeat(32), (await api.getEntityPublicKey()).data.publicKey);
}
