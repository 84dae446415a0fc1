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

/** A worker's environment, whose entity has a secret or none. */
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

test('the configured secret is registered, and its recovery file is for the user alone', async () => {
  const secret = 'ab'.repeat(32);
  const { exitCode, out, err } = await register(environment({ secret }));
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'The entity secret of main is registered' });
  expect(err).toMatch(/recovery\.dat: the recovery file, .* Keep it apart from the secret/);
  expect(statSync(at('recovery.dat')).mode & 0o777).toBe(0o600);
  await createSet(secret);
  const next = await nextCiphertext();
  await expect(world.control.resetEntitySecret(readFileSync(at('recovery.dat'), 'utf8'), next)).resolves.toBeTruthy();
});

test('a new secret is made into a file for the user alone, and shown nowhere', async () => {
  const { exitCode, out, err } = await register(environment(), '--generate', at('new.secret'));
  expect(exitCode).toBe(0);
  const secret = readFileSync(at('new.secret'), 'utf8').trim();
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(out + err).not.toContain(secret);
  expect(err).toMatch(/new\.secret: the secret\. Name it as entitySecretFile of main/);
  expect(statSync(at('new.secret')).mode & 0o777).toBe(0o600);
  await createSet(secret);
});

test('an entity that has a secret keeps it, and no file is left', async () => {
  await world.control.setEntitySecret(world.entitySecret);
  const { exitCode, err } = await register(environment(), '--generate', at('new.secret'));
  expect(exitCode).toBe(1);
  expect(err).toMatch(/156015 EntitySecretAlreadySet/);
  expect([existsSync(at('new.secret')), existsSync(at('recovery.dat'))]).toEqual([false, false]);
  await createSet(world.entitySecret);
});

test('a lost reply keeps the new secret and says how to find out', async () => {
  await world.control.addFault({ operation: 'registerEntitySecret', count: 1, action: { drop: 'after' } });
  const { exitCode, err } = await register(environment(), '--generate', at('new.secret'));
  expect(exitCode).toBe(1);
  expect(err).toMatch(/was registered is not known\. It is kept in .*new\.secret/);
  expect(existsSync(at('recovery.dat'))).toBe(false);
  const secret = readFileSync(at('new.secret'), 'utf8').trim();
  await createSet(secret);
  expect((await register(environment({ secret }))).err).toMatch(/156015/);
});

test('a lost reply to the reading of the public key leaves nothing', async () => {
  await world.control.addFault({ operation: 'getEntityPublicKey', count: 1, action: { drop: 'after' } });
  expect((await register(environment(), '--generate', at('new.secret'))).exitCode).toBe(3);
  expect([existsSync(at('new.secret')), existsSync(at('recovery.dat'))]).toEqual([false, false]);
});

test('nothing is overwritten, and nothing sent', async () => {
  const recovery = write('recovery.dat', 'mine');
  const kept = await register(environment(), '--generate', at('new.secret'));
  expect(kept).toMatchObject({ exitCode: 2, out: '' });
  expect(kept.err).toMatch(/^--recovery-file: .* is there already and is not overwritten/);
  expect(readFileSync(recovery, 'utf8')).toBe('mine');
  expect(existsSync(at('new.secret'))).toBe(false);

  write('new.secret', 'mine too');
  const other = await register(environment(), '--generate', at('new.secret'));
  expect(other.err).toMatch(/^--generate: .* is there already/);
  expect(readFileSync(at('new.secret'), 'utf8')).toBe('mine too');
  expect(await world.control.journal()).toEqual([]);
});

/** [what is wrong, environment, arguments, what is said] */
const WRONG: [what: string, env: () => Record<string, string>, args: string[], says: RegExp][] = [
  ['no secret', () => environment(), [], /entitySecretFile: entity main has none; .*--generate FILE/],
  ['two', () => environment({ secret: 'ab'.repeat(32) }), ['--generate', 'x'], /--generate: entity main has a secret/],
  ['a live entity that is not allowed', () => environment({ live: true }), ['--generate', 'x'], /WALLETFLOW_LIVE=main/],
  ['no such folder', () => environment(), ['--generate', '/no/such/folder/x'], /can't be written \(ENOENT\)/],
];

test.each(WRONG)('%s is refused before anything is written or sent', async (_what, env, args, says) => {
  const { exitCode, err } = await register(env(), ...args);
  expect(exitCode).toBe(2);
  expect(err).toMatch(says);
  expect([existsSync('x'), existsSync(at('recovery.dat'))]).toEqual([false, false]);
  expect(await world.control.journal()).toEqual([]);
});

async function nextCiphertext(): Promise<string> {
  const api = createApi({ name: 'main', kind: 'test', apiKey: world.apiKey, hosts: { api: world.url } });
  return encryptEntitySecret('cd'.repeat(32), (await api.getEntityPublicKey()).data.publicKey);
}
