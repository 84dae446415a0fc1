import { execFileSync } from 'node:child_process';
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
