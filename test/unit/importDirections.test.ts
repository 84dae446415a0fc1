import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** [importing file, its one import, whether the linter lets it pass] */
const IMPORTS: [file: string, statement: string, passes: boolean][] = [
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

  ['src/domain/a.ts', `import { money } from './money';`, true],
  ['src/domain/chains/a.ts', `import { money } from '../money';`, true],
  ['src/domain/a.ts', `import type { Config } from '../config';`, false],
  ['src/domain/a.ts', `export type Config = import('../config').Config;`, false],
  ['src/domain/a.ts', `import { createHash } from 'node:crypto';`, false],
  ['src/domain/a.ts', `import { z } from 'zod';`, false],

  ['src/emulator/areas/a.ts', `import { contract } from '../../api/contract';`, true],
  ['src/emulator/areas/a.ts', `import { wallets } from '../../api/contract/wallets';`, true],
  ['src/emulator/areas/a.ts', `import { errors } from '../../api/errors';`, true],
  ['src/emulator/areas/a.ts', `import { config } from '../config';`, true],
  ['src/emulator/a.ts', `import { config } from '../config';`, false],
  ['src/emulator/a.ts', `import fastify from 'fastify';`, true],
  ['src/emulator/a.ts', `import { randomUUID } from 'node:crypto';`, true],
  ['src/emulator/a.ts', `import { client } from '../api/client';`, false],
  ['src/emulator/a.ts', `import type { Client } from '../api/client';`, false],
  ['src/emulator/a.ts', `import { transfer } from '../flows/transfer';`, false],

  ['src/emulator/page/a.tsx', `import { render } from 'preact';`, true],
  ['src/emulator/page/a.tsx', `import { server } from '../server';`, false],
  ['src/cli/a.ts', `import { server } from '../emulator/server';`, true],
  ['test/emulator/a.ts', `import { server } from '../../src/emulator/server';`, true],
  ['src/a.ts', `import { server } from './emulator/server';`, false],
  ['src/api/a.ts', `import type { World } from '../emulator';`, false],
  ['activities/a.ts', `import { server } from '../src/emulator/server';`, false],

  // What `npm prune --omit=dev` removes, and what isn't published.
  ['src/a.ts', `import fc from 'fast-check';`, false],
  ['src/cli/a.ts', `import { TestWorkflowEnvironment } from '@temporalio/testing';`, false],
  ['src/a.ts', `import { fixture } from '../test/support/fixture';`, false],
];

const root = resolve(__dirname, '../..');
let folder: string;
let complaints: Set<string>;

/** Each import in a file of its own, so that one run of the linter judges them all. */
const fileOf = (index: number, file: string): string => join(dirname(file), `case${index}.ts`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-directions-'));
  IMPORTS.forEach(([file, statement], index) => {
    const target = join(folder, fileOf(index, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `${statement}\n`);
  });
  complaints = lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the files that `layers/imports` complains about, relative to the folder */
function lint(): Set<string> {
  const args = ['-c', join(root, '.oxlintrc.json'), '-A', 'all', '-D', 'layers/imports', '--format', 'json'];
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  let output: string;
  try {
    output = execFileSync(process.execPath, [oxlint, ...args], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    output = (error as { stdout: string }).stdout; // it exits with 1 when it finds something
  }
  const report = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  return new Set(report.diagnostics.filter(({ code }) => code === 'layers(imports)').map(({ filename }) => filename));
}

test.each(IMPORTS.map((row, index) => ({ file: row[0], statement: row[1], passes: row[2], index })))(
  '$file: $statement passes: $passes',
  ({ file, passes, index }) => {
    expect(complaints.has(fileOf(index, file))).toBe(!passes);
  },
);
