/**
 * Makes `walletflow` a command of this clone after a build, for npx and as `node_modules/.bin/walletflow`. npm does not link
 * a package's own command in its clone, and a compiled file is not executable by default.
 */

import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const command = join(root, 'dist/src/cli/main.js');
const bin = join(root, 'node_modules/.bin');
const link = join(bin, 'walletflow');

// Windows has neither the permission bit nor such links, and does not need them for npx.
if (process.platform !== 'win32') {
  chmodSync(command, 0o755);
  mkdirSync(bin, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(bin, command), link);
}
