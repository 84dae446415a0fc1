import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findError } from '../../src/api/errors';
import { CLIENT_CODES, CODES } from '../../src/domain/codes';

const root = resolve(__dirname, '../..');

/** Tables whose rows are keyed by code. They keep the numbers. */
const TABLES = [
  'src/emulator/',
  'src/api/errors/catalogue/',
  'src/api/contract/',
  'src/contractCheck/',
  // Has rows of contract rules.
  'src/flows/userWallets.ts',
  'src/domain/codes.ts',
  'src/api/callerLookUps.ts',
];

test.each(Object.entries(CODES))('%s is the name of %i in the catalogue', (name, code) => {
  expect(findError(code)?.name).toBe(name[0]!.toUpperCase() + name.slice(1));
});

test.each(Object.entries(CLIENT_CODES))('%s, %i, is a code of the client SDKs', (_, code) => {
  expect(code).toBeGreaterThanOrEqual(155701);
  expect(code).toBeLessThanOrEqual(155721);
});

test('each code has one name', () => {
  const codes = [...Object.values(CODES), ...Object.values(CLIENT_CODES)];
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('the sources name codes instead of repeating their numbers', () => {
  const files = ['activities', 'workflows', 'src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !TABLES.some((table) => file.startsWith(table)));
  expect(files).toContain('workflows/kit/perform.ts');
  expect(files.flatMap((file) => literalsIn(file).map((literal) => `${file}: ${literal}`))).toEqual([]);
});

/** Numbers that look like a code, in strings as well, but not in comments. */
function literalsIn(file: string): string[] {
  const code = readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
  return code.match(/\b(?:15\d{4}|15\d_\d{3}|17[57]\d{3}|17[57]_\d{3}|28\d{4})\b/g) ?? [];
}
