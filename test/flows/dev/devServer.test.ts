import { Connection } from '@temporalio/client';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startDevServer } from '../../../src/dev/devServer';
import { isAtLeast, temporalBinary } from '../../../src/dev/temporalBinary';
import { SEARCH_ATTRIBUTES } from '../../../src/domain/searchAttributes';
import { connectOptions } from '../../../src/temporal/connection';
import {
  missingSearchAttributes,
  registerSearchAttributes,
  SearchAttributeTypeError,
} from '../../../src/temporal/searchAttributes';

const { TEMPORAL_ADDRESS, PATH } = process.env;

afterEach(() => {
  process.env.PATH = PATH;
  if (TEMPORAL_ADDRESS === undefined) delete process.env.TEMPORAL_ADDRESS;
  else process.env.TEMPORAL_ADDRESS = TEMPORAL_ADDRESS;
});

const accepts = async (address: string): Promise<boolean> => {
  const socket = net.connect(Number(address.split(':')[1]), '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
};

test('an embedded server has the search attributes, serves its UI, is found by TEMPORAL_ADDRESS and stops on request', async () => {
  delete process.env.TEMPORAL_ADDRESS;
  const server = await startDevServer({ ui: true });
  const connection = await Connection.connect({ address: server.address });
  expect(await missingSearchAttributes(connection, server.namespace)).toEqual([]);
  expect((await fetch(server.uiUrl!)).ok).toBe(true);
  await connection.close();

  process.env.TEMPORAL_ADDRESS = server.address;
  const same = await startDevServer();
  expect(same.address).toBe(server.address);
  await same.stop();
  expect(await accepts(server.address)).toBe(true);

  await server.stop();
  expect(await accepts(server.address)).toBe(false);
});

test('search attributes are registered once, and an attribute of another type is named in an error', async () => {
  delete process.env.TEMPORAL_ADDRESS;
  const server = await startDevServer();
  const connection = await Connection.connect({ address: server.address });
  const { operatorService } = connection;
  const names = Object.values(SEARCH_ATTRIBUTES);
  await operatorService.removeSearchAttributes({ namespace: server.namespace, searchAttributes: names });
  expect(await missingSearchAttributes(connection, server.namespace)).toEqual(names);
  expect(await registerSearchAttributes(connection, server.namespace)).toEqual(names);
  expect(await registerSearchAttributes(connection, server.namespace)).toEqual([]);

  const [name] = names;
  await operatorService.removeSearchAttributes({ namespace: server.namespace, searchAttributes: [name!] });
  const INT = 3;
  await operatorService.addSearchAttributes({ namespace: server.namespace, searchAttributes: { [name!]: INT } });
  const missing = missingSearchAttributes(connection, server.namespace);
  await expect(missing).rejects.toThrow(SearchAttributeTypeError);
  await expect(missing).rejects.toThrow(name);
  await connection.close();
  await server.stop();
});

test('a command on PATH that is too old is reported, and the cached one is used instead', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-binary-'));
  const command = (server: string) => `#!/bin/sh\necho "temporal version 1.0.0 (Server ${server}, UI 2.0.0)"\n`;
  await writeFile(path.join(folder, 'temporal'), command('1.33.1'), { mode: 0o755 });
  const old = await mkdtemp(path.join(folder, 'old-'));
  await writeFile(path.join(old, 'temporal'), command('1.9.5'), { mode: 0o755 });
  process.env.PATH = old;
  const lines: string[] = [];
  expect(await temporalBinary((line) => lines.push(line), folder)).toBe(path.join(folder, 'temporal'));
  expect(lines).toEqual([expect.stringContaining('has server 1.9.5, but 1.32 is needed')]);
  await rm(folder, { recursive: true });
});

test.each([
  ['1.32.0', true],
  ['1.100.0', true],
  ['2.0.0', true],
  ['1.31.9', false],
  ['1.4.0', false],
])('server %s is new enough: %s', (version, expected) => {
  expect(isAtLeast(version, '1.32')).toBe(expected);
});

test('an explicit target overrides the environment, which overrides the default', () => {
  delete process.env.TEMPORAL_ADDRESS;
  expect(connectOptions().address).toBe('127.0.0.1:7233');
  process.env.TEMPORAL_ADDRESS = 'temporal.internal:7233';
  expect(connectOptions()).toMatchObject({ address: 'temporal.internal:7233', namespace: 'default' });
  expect(connectOptions({ address: '127.0.0.1:1', namespace: 'mine' })).toMatchObject({
    address: '127.0.0.1:1',
    namespace: 'mine',
  });
});
