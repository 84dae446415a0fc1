import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLS } from '../../../src/emulator/control';
import { settingDocs, settingsSchema } from '../../../src/emulator/settings';

const DOCS = readFileSync(join(__dirname, '../../../docs/emulator.md'), 'utf8');
/** Table rows below a heading whose first cell is code. @returns the first cell without backticks, and the other cells */
const rows = (heading: string) => {
  const section = DOCS.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\| `([^`]+)` +\| (.+) \|$/gm)].map(([, name = '', cells = '']) => ({
    name,
    cells: cells.split(' | ').map((cell) => cell.trim()),
  }));
};

test('docs/emulator.md lists exactly the controls', () => {
  expect(new Set(rows('Controls').map(({ name }) => name))).toEqual(new Set(Object.keys(CONTROLS)));
});

test('docs/emulator.md and the page describe every setting with the same words', () => {
  const link = /\[([^\]]+)\]\([^)]+\)/g;
  const documented = rows('Settings').map(({ name, cells }) => [name, cells.at(-1)?.replaceAll(link, '$1')]);
  const settings = Object.entries(settingsSchema.shape);
  expect(documented).toEqual(settings.map(([name, schema]) => [name, settingDocs.get(schema)?.meaning]));
});
