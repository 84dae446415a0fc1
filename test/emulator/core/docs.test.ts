import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLS } from '../../../src/emulator/control';
import { settingsSchema } from '../../../src/emulator/settings';

const DOCS = readFileSync(join(__dirname, '../../../docs/emulator.md'), 'utf8');
/** First cells of the rows of the table below a heading. */
const firstCells = (heading: string) => {
  const section = DOCS.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, cell]) => cell);
};

test('docs/emulator.md tells every control and every setting, and no others', () => {
  expect(new Set(firstCells('Controls'))).toEqual(new Set(Object.keys(CONTROLS)));
  expect(firstCells('Settings')).toEqual(Object.keys(settingsSchema.shape));
});
