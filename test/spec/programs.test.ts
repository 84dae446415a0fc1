import { errorsIn } from '../support/consumer';
import { type CodeBlock, codeBlocks, readDocument, WorkingFolder } from '../support/documents';
import { type Format, PROGRAMS, type Program, programs, programsIn, sourceOf } from '../support/programs';

const EXTENSIONS: Readonly<Record<Format, string>> = { esm: 'mts', cjs: 'cts' };

const folder = new WorkingFolder();
afterAll(() => folder.remove());

/** `folder/a.md#b` → `folder%a.md#b.mts`, from which `inDocument` gets the document back. */
const fileOf = ({ name }: Program, format: Format) => `${name.replaceAll('/', '%')}.${EXTENSIONS[format]}`;
const inDocument = (error: string) =>
  error.replace(/^(.+)#.*\.([mc]ts)\((\d+),\d+\): error/, (_, document: string, extension, line) =>
    [`${document.replaceAll('%', '/')}:${line}`, extension].join(' '),
  );

/**
 * Errors of programs as ES modules and as CommonJS, and of events: `<document>:<line> <extension> TS<code>: …`. The compiler
 * runs once.
 */
function errorsOf(all: readonly Program[], events: readonly Program[]): string[] {
  const files: Record<string, string> = {};
  for (const program of all) {
    const given = Object.entries(PROGRAMS[program.name]?.given ?? {});
    const first = given.map(([name, type]) => `declare const ${name}: ${type};`).join(' ');
    for (const format of ['esm', 'cjs'] as const) files[fileOf(program, format)] = sourceOf(program, format, { first });
  }
  const first = "export const event: import('walletflow').FlowEvent =";
  for (const event of events) files[fileOf(event, 'esm')] = sourceOf(event, 'esm', { first });
  return errorsIn(folder, files).map(inDocument);
}

/** The JSON blocks of a section, each like a program. */
const eventsIn = (blocks: readonly CodeBlock[]): Program[] =>
  blocks
    .filter(({ section, language }) => section.endsWith('#events') && language === 'json')
    .map((block) => ({ name: `${block.section}, line ${block.line}`, blocks: [block] }));

/** Its second block uses what the first declares, and has an error that only the package's types reveal. */
const BROKEN = `# Broken

\`\`\`ts
import { connectFlows } from 'walletflow';
const flows = await connectFlows();
\`\`\`

\`\`\`ts
const ref: number = flows.transfer.get('a').ref;
console.log(nowhere);
\`\`\`

## Events

\`\`\`json
{ "id": "transfer/a/1", "type": "begun" }
\`\`\`
`;

test('the programs and events of the documents compile for a consumer of the package, as ES modules and as CommonJS', () => {
  const broken = codeBlocks('broken.md', BROKEN);
  const events = [...eventsIn(codeBlocks('docs/operations.md')), ...eventsIn(broken)];
  expect(events).toHaveLength(2);
  expect(errorsOf([...programs(), ...programsIn(broken)], events).sort()).toEqual([
    `broken.md:10 cts TS2304: Cannot find name 'nowhere'.`,
    `broken.md:10 mts TS2304: Cannot find name 'nowhere'.`,
    expect.stringMatching(/^broken.md:16 mts TS2322: Type '"begun"' is not assignable/),
    `broken.md:9 cts TS2322: Type 'string' is not assignable to type 'number'.`,
    `broken.md:9 mts TS2322: Type 'string' is not assignable to type 'number'.`,
  ]);
});

test('a test runs every program', () => {
  expect(
    programs()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(PROGRAMS).sort());
  for (const [name, { test }] of Object.entries(PROGRAMS)) expect(readDocument(test)).toContain(`'${name}'`);
});

test.each([
  ['```js {1}\n```', /a.md:1: begin a code block with three backticks and its language: ts, js/],
  ['```\nls\n```', /a.md:1: begin a code block/],
  ['~~~sh\nls\n~~~', /a.md:1: begin a code block/],
  ['- text\n\n  ```sh\n  ls\n  ```', /a.md:3: begin a code block/],
  ['text\n\n    ls', /a.md:3: put code between fences/],
  ['```sh\nls', /a.md: the code block of line 2 does not end/],
])('a block that could escape the tests is an error: %j', (text, message) => {
  expect(() => codeBlocks('a.md', text)).toThrow(message);
});
