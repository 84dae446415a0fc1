/** Copies the files of the emulator's page next to its compiled code, so the emulator can serve it without other sources. */

import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const target = join(root, 'dist/src/emulator/page');

const FILES: readonly (readonly [from: string, to: string])[] = [
  ['src/emulator/page/index.html', 'index.html'],
  ['src/emulator/page/page.css', 'page.css'],
  ['node_modules/@picocss/pico/css/pico.min.css', 'packages/pico.css'],
  ['node_modules/preact/dist/preact.mjs', 'packages/preact.mjs'],
  ['node_modules/preact/hooks/dist/hooks.mjs', 'packages/hooks.mjs'],
  ['node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs', 'packages/jsxRuntime.mjs'],
];

for (const [from, to] of FILES) {
  mkdirSync(dirname(join(target, to)), { recursive: true });
  copyFileSync(join(root, from), join(target, to));
}
