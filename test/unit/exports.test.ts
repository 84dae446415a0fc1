import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** Packages that a process loads when it requires one of the built exports. */
function loadedBy(entry: string): string[] {
  const script = `
    require(${JSON.stringify(entry)});
    const packages = Object.keys(require.cache).map((file) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]);
    console.log(JSON.stringify([...new Set(packages.filter(Boolean))]));
  `;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })) as string[];
}

describe('packages that the exports load', () => {
  test('a backend does not load the worker, its native module or a bundler', () => {
    const packages = loadedBy('walletflow');
    expect(packages).toContain('@temporalio/client');
    for (const heavy of ['@temporalio/worker', '@temporalio/core-bridge', 'webpack', 'fastify']) {
      expect(packages).not.toContain(heavy);
    }
  });

  test('the API client does not load Temporal', () => {
    expect(loadedBy('walletflow/api').filter((name) => name.startsWith('@temporalio/'))).toEqual([]);
  });

  test('the emulator does not load Temporal', () => {
    expect(loadedBy('walletflow/emulator').filter((name) => name.startsWith('@temporalio/'))).toEqual([]);
  });
});

describe('a backend compiles in strict TypeScript', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'walletflow-backend-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('as an ES module and as CommonJS, and the compiler refuses the marked lines', () => {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/walletflow'));
    const files = readdirSync(path.join(root, 'test/types/backend')).flatMap((file) =>
      ['.mts', '.cts'].map((extension) => {
        const name = file.replace('.ts', extension);
        copyFileSync(path.join(root, 'test/types/backend', file), path.join(folder, name));
        return name;
      }),
    );
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023'];
    const { stdout, status } = spawnSync(process.execPath, [compiler, ...options, ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  });
});
