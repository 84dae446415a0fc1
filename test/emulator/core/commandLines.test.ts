import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { freeLoopbackAddress } from '../../../src/metrics';
import { endCommands, startShell } from '../../support/commandLine';
import { codeBlocks, WorkingFolder } from '../../support/documents';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';

/** The blocks of docs/emulator.md that are neither controls alone nor anything but a shell's. */
const [beginning = '', kept = '', theFunction = ''] = codeBlocks('docs/emulator.md', 'sh');
const folder = new WorkingFolder();
const cwd = folder.path;

afterAll(async () => {
  endCommands();
  folder.remove();
  await closeOwnEmulator();
});

/** The document's port may be taken on this machine. */
async function onFreePort(lines: string): Promise<string[]> {
  const [, port = ''] = (await freeLoopbackAddress()).split(':');
  return lines.replaceAll('4010', port).trim().split('\n');
}

test('the emulator starts, answers, and takes controls by the function of the document', async () => {
  const [start = '', ...requests] = await onFreePort(`${beginning}${theFunction}`);
  const emulator = startShell(start, { cwd });
  await emulator.line(/^Emulator ready at/);

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

test('the emulator that keeps its state has a file, and gives it back at its end', async () => {
  const emulator = startShell(`${kept.trim()} --port 0`, { cwd });
  await emulator.line(/^Emulator ready at/);
  const file = path.join(cwd, 'emulator.state');

  expect([file, `${file}.lock`].map((name) => existsSync(name))).toEqual([true, true]);
  emulator.kill('SIGINT');
  await emulator.ended;
  expect([file, `${file}.lock`].map((name) => existsSync(name))).toEqual([true, false]);
});

test('the ciphertext that the document makes with Node proves the entity secret', async () => {
  const chain = await Chain.open();
  const { publicKey } = (await chain.get('/config/entity/publicKey')).data;
  const given = { publicKey, entitySecret: chain.world.entitySecret };
  const [makeCiphertext = ''] = codeBlocks('docs/emulator.md', 'js');
  const stdin = `const { publicKey, entitySecret } = ${JSON.stringify(given)};${makeCiphertext}
    console.log(entitySecretCiphertext);`;
  const { out } = await startShell('node', { cwd, stdin }).ended;

  const body = { idempotencyKey: randomUUID(), name: 'first', entitySecretCiphertext: out.trim() };
  expect(await chain.send('POST', '/developer/walletSets', body)).toMatchObject({ status: 201 });
});
