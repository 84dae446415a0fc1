import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** [importing file, its import, whether the linter accepts it] */
const IMPORTS: [file: string, statement: string, isAllowed: boolean][] = [
  ['workflows/a.ts', `import { sleep } from '@temporalio/workflow';`, true],
  ['workflows/a.ts', `import { perform } from './kit/perform';`, true],
  ['workflows/kit/a.ts', `import { money } from '../../src/domain/money';`, true],
  ['workflows/a.ts', `import type { Client } from '../src/api/client';`, true],
  ['workflows/a.ts', `import { type Client } from '../src/api/client';`, true],
  ['workflows/a.ts', `import { client } from '../src/api/client';`, false],
  ['workflows/a.ts', `import { type Client, client } from '../src/api/client';`, false],
  ['workflows/a.ts', `import '../src/api/client';`, false],
  ['workflows/a.ts', `import { createActivities } from '../activities';`, false],
  ['workflows/a.ts', `import { z } from 'zod';`, false],
  ['workflows/a.ts', `import { fetch } from 'undici';`, false],
  ['workflows/a.ts', `import pino from 'pino';`, false],
  ['workflows/a.ts', `import { readFileSync } from 'node:fs';`, false],
  ['workflows/a.ts', `import { readFileSync } from 'fs';`, false],
  ['workflows/a.ts', `export * from '../src/config';`, false],
  ['workflows/a.ts', `export { config } from '../src/config';`, false],
  ['workflows/a.ts', `export const config = import('../src/config');`, false],
  ['workflows/a.ts', `export const config = require('../src/config');`, false],
  ['workflows/a.ts', `import config = require('../src/config');`, false],

  ...['workflows/session', 'workflows/lane'].flatMap((rules): typeof IMPORTS => [
    [`${rules}/a.ts`, `import { money } from '../../src/domain/money';`, true],
    [`${rules}/a.ts`, `import type { CommandKind } from '../kit/commandRunner';`, true],
    [`${rules}/a.ts`, `import { perform } from '../kit/perform';`, false],
    [`${rules}/a.ts`, `import { sleep } from '@temporalio/workflow';`, false],
    [`${rules}/runtime/a.ts`, `import { sleep } from '@temporalio/workflow';`, true],
  ]),

  ['src/domain/a.ts', `import { money } from './money';`, true],
  ['src/domain/chains/a.ts', `import { money } from '../money';`, true],
  ['src/domain/a.ts', `import type { Config } from '../config';`, false],
  ['src/domain/a.ts', `export type Config = import('../config').Config;`, false],
  ['src/domain/a.ts', `import { createHash } from 'node:crypto';`, false],
  ['src/domain/a.ts', `import { z } from 'zod';`, false],

  ['src/emulator/handlers/a.ts', `import { contract } from '../../api/contract';`, true],
  ['src/emulator/handlers/a.ts', `import { wallets } from '../../api/contract/wallets';`, true],
  ['src/emulator/handlers/a.ts', `import { errors } from '../../api/errors';`, true],
  ['src/emulator/handlers/a.ts', `import { settingsSchema } from '../settings';`, true],
  ['src/emulator/a.ts', `import { config } from '../config';`, false],
  ['src/emulator/a.ts', `import fastify from 'fastify';`, true],
  ['src/emulator/a.ts', `import { randomUUID } from 'node:crypto';`, true],
  ['src/emulator/a.ts', `import { client } from '../api/client';`, false],
  ['src/emulator/a.ts', `import type { Client } from '../api/client';`, false],
  ['src/emulator/a.ts', `import { transfer } from '../flows/transfer';`, false],

  // Within the emulator a folder may import only the folders below it. A new folder has to take its place in the order.
  ['src/emulator/a.ts', `import { server } from './http/server';`, true],
  ['src/emulator/kit/a.ts', `import { token } from '../ledger/token';`, false],
  ['src/emulator/ledger/a.ts', `import { table } from '../kit/table';`, true],
  ['src/emulator/ledger/a.ts', `import type { Store } from '../world/store';`, false],
  ['src/emulator/credentials/a.ts', `import type { World } from '../world/world';`, false],
  ['src/emulator/world/a.ts', `import type { KeyState } from '../credentials/apiKey';`, true],
  ['src/emulator/world/a.ts', `import type { Settings } from '../settings';`, true],
  ['src/emulator/world/a.ts', `import { RampState } from '../ramp/state';`, false],
  ['src/emulator/world/a.ts', `import type { EvmState } from '../evm/state';`, false],
  ['src/emulator/ramp/a.ts', `declare module '../world/world' {}`, true],
  ['src/emulator/kit/a.ts', `declare module '../world/world' {}`, false],
  ['src/emulator/wallets/a.ts', `import { tokenById } from '../handlers/tokens';`, false],
  ['src/emulator/handlers/a.ts', `import { walletOf } from '../wallets/wallets';`, true],
  ['src/emulator/http/a.ts', `import { handlers } from '../handlers';`, false],
  ['src/emulator/http/a.ts', `import type { Worlds } from '../worlds';`, false],
  ['src/emulator/handlers/a.ts', `import type { Handlers } from '../http/handler';`, true],
  ['src/emulator/ramp/a.ts', `import type { HandlerCall } from '../handlers';`, false],
  ['src/emulator/views/a.ts', `import type { Overview } from '../page/overview';`, true],
  ['src/emulator/views/a.ts', `import { actions } from '../control/travelRule';`, false],
  ['src/emulator/control/a.ts', `import { walletView } from '../views/chain';`, true],
  ['src/emulator/handlers/a.ts', `import { control } from '../control/control';`, false],
  ['src/emulator/handlers/a.ts', `import { helper } from '../newFolder/helper';`, false],

  ['src/emulator/page/a.tsx', `import { render } from 'preact';`, true],
  ['src/emulator/page/a.tsx', `import { server } from '../http/server';`, false],
  ['src/cli/a.ts', `import { server } from '../emulator/http/server';`, true],
  ['test/emulator/a.ts', `import { server } from '../../src/emulator/http/server';`, true],
  ['src/a.ts', `import { server } from './emulator/http/server';`, false],
  ['src/api/a.ts', `import type { World } from '../emulator';`, false],
  ['activities/a.ts', `import { server } from '../src/emulator/http/server';`, false],

  ['src/flows/a.ts', `import { workflowId } from '../domain/flowId';`, true],
  ['src/flows/a.ts', `import { connectFlows } from '../client/connectFlows';`, false],
  ['src/flows/a.ts', `import { Client } from '@temporalio/client';`, false],
  ['src/client/a.ts', `import { FLOWS } from '../flows/registry';`, true],
  ['src/client/a.ts', `import { Worker } from '@temporalio/worker';`, false],
  ['src/client/a.ts', `import { startWorkers } from '../worker';`, false],
  ['src/client/a.ts', `import { createActivities } from '../../activities';`, false],
  ['src/client/a.ts', `import { startDevServer } from '../dev/devServer';`, false],
  ['src/temporal/a.ts', `import { startDevServer } from '../dev/devServer';`, false],
  ['src/cli/a.ts', `import { startDevServer } from '../dev/devServer';`, true],

  // Packages that `npm prune --omit=dev` removes, and files that are not published.
  ['src/a.ts', `import fc from 'fast-check';`, false],
  ['src/cli/a.ts', `import { TestWorkflowEnvironment } from '@temporalio/testing';`, false],
  ['src/a.ts', `import { fixture } from '../test/support/fixture';`, false],
];

const root = resolve(__dirname, '../..');
let folder: string;
let reported: Set<string>;

/** Each import is in its own file, so one run of the linter checks them all. */
const fileOf = (index: number, file: string): string => join(dirname(file), `case${index}.ts`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-directions-'));
  IMPORTS.forEach(([file, statement], index) => {
    const target = join(folder, fileOf(index, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `${statement}\n`);
  });
  reported = lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the files that `layers/imports` reports, relative to the folder */
function lint(): Set<string> {
  const args = ['-c', join(root, '.oxlintrc.json'), '-A', 'all', '-D', 'layers/imports', '--format', 'json'];
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  let output: string;
  try {
    output = execFileSync(process.execPath, [oxlint, ...args], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    output = (error as { stdout: string }).stdout; // oxlint exits with 1 when it reports a problem
  }
  const report = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  return new Set(report.diagnostics.filter(({ code }) => code === 'layers(imports)').map(({ filename }) => filename));
}

test.each(IMPORTS.map((row, index) => ({ file: row[0], statement: row[1], isAllowed: row[2], index })))(
  '$file: $statement allowed: $isAllowed',
  ({ file, isAllowed, index }) => {
    expect(reported.has(fileOf(index, file))).toBe(!isAllowed);
  },
);
