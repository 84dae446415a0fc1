/**
 * The last touch of a build: makes `walletflow` a command of this clone, for npx and as `node_modules/.bin/walletflow`.
 * npm links a package's own command in no clone of it, and a compiled file isn't executable by itself.
 */

import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const command = join(root, 'dist/src/cli/main.js');
const bin = join(root, 'node_modules/.bin');
const link = join(bin, 'walletflow');

// Windows has neither the permission nor such links; there npx's own way works.
if (process.platform !== 'win32') {
  chmodSync(command, 0o755);
  mkdirSync(bin, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(bin, command), link);
}
