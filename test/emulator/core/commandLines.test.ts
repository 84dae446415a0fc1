import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { freeLoopbackAddress } from '../../../src/temporal/sdkMetrics';
import { endCommands, startShell } from '../../support/commandLine';
import { codeOf, WorkingFolder } from '../../support/documents';
import { closeOwnEmulator } from '../../support/emulator';
import { runProgram } from '../../support/programs';
import { TestClient } from '../chain/support';

/** The shell blocks of docs/emulator.md, except those that only show controls. */
const [startLines = '', stateLines = '', controlFunction = ''] = codeOf('docs/emulator.md', 'sh');
const folder = new WorkingFolder();
const cwd = folder.path;

afterAll(async () => {
  endCommands();
  folder.remove();
  await closeOwnEmulator();
});

/** The port in the document may be in use on this machine. */
async function onFreePort(lines: string): Promise<string[]> {
  const [, port = ''] = (await freeLoopbackAddress()).split(':');
  return lines.replaceAll('4010', port).trim().split('\n');
}

test('the emulator starts, responds, and accepts controls through the shell function of the document', async () => {
  const [start = '', ...requests] = await onFreePort(`${startLines}${controlFunction}`);
  const emulator = startShell(start, { cwd });
  await emulator.waitForLine(/^Emulator ready at/);

  expect(requests).toHaveLength(3);
  const control = requests.pop()!;
  const [ping, configuration] = await Promise.all(requests.map((line) => startShell(line, { cwd }).ended));
  expect(JSON.parse(ping!.out)).toEqual({ message: 'pong' });
  expect(JSON.parse(configuration!.out)).toMatchObject({ data: { appId: expect.any(String) } });
  const post = await startShell(`${control}\ncontrol POST /clock/speed '{"speed": 60}'`, { cwd }).ended;
  expect(JSON.parse(post.out)).toMatchObject({ speed: 60 });
  emulator.kill('SIGINT');
  await emulator.ended;
});

test('an emulator with a state file creates the file and unlocks it at the end', async () => {
  const emulator = startShell(`${stateLines.trim()} --port 0`, { cwd });
  await emulator.waitForLine(/^Emulator ready at/);
  const file = path.join(cwd, 'emulator.state');

  expect([file, `${file}.lock`].map((name) => existsSync(name))).toEqual([true, true]);
  emulator.kill('SIGINT');
  await emulator.ended;
  expect([file, `${file}.lock`].map((name) => existsSync(name))).toEqual([true, false]);
});

test('the program of the document starts an emulator, advances its clock and stops it', async () => {
  const { variables } = await runProgram(folder, 'docs/emulator.md#the-emulator', {
    given: { entitySecret: 'ab'.repeat(32) },
    returns: ['emulator'],
  });
  const { url } = variables.emulator as { url: string };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(`${url}/ping`)).rejects.toThrow('fetch failed');
});

test('the ciphertext from the program of the document proves the entity secret', async () => {
  const client = await TestClient.open();
  const { publicKey } = (await client.get('/config/entity/publicKey')).data;
  const { variables } = await runProgram(folder, 'docs/emulator.md#the-entity-secret', {
    given: { publicKey, entitySecret: client.world.entitySecret },
    returns: ['entitySecretCiphertext'],
  });

  const body = { idempotencyKey: randomUUID(), name: 'first', ...variables };
  expect(await client.send('POST', '/developer/walletSets', body)).toMatchObject({ status: 201 });
});
