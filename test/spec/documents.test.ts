import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reactionsDocument } from '../unit/effects/tables';
import { endpointsDocument, errorsDocument, exactlyOnceDocument } from './documents';

const DOCS = join(__dirname, '../../docs');
const MARKED = /(<!-- prettier-ignore-start -->\n\n)[^]*(\n\n<!-- prettier-ignore-end -->)/;

/** `UPDATE_DOCS=1 npx jest test/spec/documents.test.ts` writes the tables into the documents. */
test.each([
  ['endpoints.md', endpointsDocument],
  ['errors.md', errorsDocument],
  ['exactly-once.md', exactlyOnceDocument],
  ['reactions.md', reactionsDocument],
])('docs/%s matches its sources', (file, generate) => {
  const path = join(DOCS, file);
  const text = readFileSync(path, 'utf8');
  const updated = text.replace(MARKED, (_, begin: string, end: string) => `${begin}${generate()}${end}`);
  expect(text).toMatch(MARKED);
  if (process.env.UPDATE_DOCS) writeFileSync(path, updated);
  else expect(text).toBe(updated);
});
