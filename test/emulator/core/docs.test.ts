import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLS } from '../../../src/emulator/control';
import { aboutSettings, settingsSchema } from '../../../src/emulator/settings';

const DOCS = readFileSync(join(__dirname, '../../../docs/emulator.md'), 'utf8');
/** Rows of the tables below a heading whose first cell is code: that, without its backticks, and the other cells. */
const rows = (heading: string) => {
  const section = DOCS.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\| `([^`]+)` +\| (.+) \|$/gm)].map(([, name = '', cells = '']) => ({
    name,
    cells: cells.split(' | ').map((cell) => cell.trim()),
  }));
};

test('docs/emulator.md tells every control, and no others', () => {
  expect(new Set(rows('Controls').map(({ name }) => name))).toEqual(new Set(Object.keys(CONTROLS)));
});

test('docs/emulator.md says of every setting what the page says', () => {
  const link = /\[([^\]]+)\]\([^)]+\)/g;
  const told = rows('Settings').map(({ name, cells }) => [name, cells.at(-1)?.replaceAll(link, '$1')]);
  const settings = Object.entries(settingsSchema.shape);
  expect(told).toEqual(settings.map(([name, schema]) => [name, aboutSettings.get(schema)?.meaning]));
});
