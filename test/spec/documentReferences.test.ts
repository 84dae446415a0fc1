import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchors, HEADING, ROOT } from '../support/documents';

/** Contents of files by their path from the root. */
type Files = ReadonlyMap<string, string>;

/** A document named by its path from the root, in code or prose: `docs/<name>.md`, with or without `#<heading>`. */
const MENTION = /(?<![\w./-]|\]\()((?:docs\/[\w-]+|README|CONTRIBUTING)\.md)(?:#([\w-]+))?/g;
/** Markdown links `[text](target)` and `[label]: target`. Targets are relative to the file. */
const LINK = /\]\(([^\s()]+)\)|^\[[^\]]+\]:\s+(\S+)/gm;
const CODE_BLOCK = /^[ \t]*(```|~~~)[^]*?^[ \t]*\1/gm;
const INLINE_CODE = /`[^`\n]+`/g;

/** Sources outside the repository. Their two words may be on two lines. Assembled, so that this file contains none. */
const GAP = String.raw`\s+(?:(?:\*|//|#)\s+)?`;
const FOREIGN = [['design', 'rule'].join(GAP), ['design', 'section'].join(GAP), ['field', 'case'].join(GAP)]
  .concat(['api', 'facts'].join('-'))
  .map((name) => String.raw`\b${name}`);

/**
 * `<file>:<line> <reference>` of each reference to a missing file or heading, or to a source outside the repository.
 */
function breaches(files: Files): string[] {
  const headings = new Map([...files].map(([file, text]) => [file, headingsOf(text)]));
  const paths = new Set([...files.keys()].flatMap(withFolders));

  const isMissing = (path: string, heading?: string) =>
    !paths.has(path) || (heading !== undefined && path.endsWith('.md') && !headings.get(path)?.has(heading));

  const isBroken = (file: string, target: string) => {
    const [path = '', heading] = target.split('#');
    const resolved = path === '' ? file : posix.join(posix.dirname(file), path).replace(/\/$/, '');
    return !/^[a-z]+:/i.test(target) && isMissing(resolved, heading);
  };

  return [...files].flatMap(([file, text]) => {
    const links = file.endsWith('.md') ? [...blank(text, CODE_BLOCK, INLINE_CODE).matchAll(LINK)] : [];
    return [
      ...[...text.matchAll(MENTION)].filter(([, path = '', heading]) => isMissing(path, heading)),
      ...links.filter(([, inline, defined]) => isBroken(file, inline ?? defined ?? '')),
      ...text.matchAll(new RegExp(FOREIGN.join('|'), 'gi')),
    ]
      .sort((a, b) => a.index - b.index)
      .map(({ 0: reference, index }) => `${file}:${lineOf(text, index)} ${reference.replace(/\s+/g, ' ')}`);
  });
}

function headingsOf(text: string): Set<string> {
  const anchorOf = anchors();
  const headings = blank(text, CODE_BLOCK).matchAll(new RegExp(HEADING, 'gm'));
  return new Set([...headings].map(([, heading = '']) => anchorOf(heading)));
}

/** Replaces the matches of the patterns with spaces. All other characters keep their position. */
function blank(text: string, ...patterns: RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, (code) => code.replace(/[^\n]/g, ' ')), text);
}

/** `a/b/c` → `a/b/c`, `a/b`, `a`. */
function withFolders(path: string): string[] {
  return path.split('/').map((_, index, parts) => parts.slice(0, parts.length - index).join('/'));
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** All files in the repository or in its next commit. Of a binary file only the path counts. */
function repositoryFiles(): Files {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const texts = [...new Set(paths)]
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => [path, read(path)] as const);
  return new Map(texts.map(([path, text]) => [path, text.includes('\0') ? '' : text]));
}

test('every reference to a document, heading or file exists in this repository', () => {
  expect(breaches(repositoryFiles())).toEqual([]);
});

describe('a broken reference is reported', () => {
  // Assembled, because this file is checked as well.
  const GUIDE = ['docs', 'guide.md'].join('/');
  const FILES = {
    [GUIDE]: '# Exact words, once!\n## `run`: what it does\n## Exact words once\n```\n# in code\n```\n',
    'src/run.ts': '',
  };
  const breachesIn = (file: string, text: string) => breaches(new Map(Object.entries({ ...FILES, [file]: text })));

  test.each([
    `${GUIDE}#no-such-heading`,
    `${GUIDE}#in-code`,
    `${GUIDE}#exact-words-once-2`,
    ['docs', 'missing.md'].join('/'),
    ['README', 'md#commands'].join('.'),
  ])('in a comment: %s', (reference) => {
    expect(breachesIn('src/other.ts', `// A comment,\n// see ${reference}.\n`)).toEqual([
      `src/other.ts:2 ${reference}`,
    ]);
  });

  test.each(['](../docs/guide.md#no-such-heading)', '](#nowhere)', '](../src/missing.ts)', '](../guide/)'])(
    'in a link: %s',
    (link) => {
      expect(breachesIn('more/other.md', `# Other\n\n[it${link}\n`)).toEqual([`more/other.md:3 ${link}`]);
    },
  );

  test.each([
    ['DESIGN', 'rule'],
    ['Design', 'section'],
    ['field', 'case'],
  ])('to a source outside the repository: %s %s', (one, two) => {
    expect(breachesIn('src/other.ts', `/* ${one} ${two} 1 */`)).toEqual([`src/other.ts:1 ${one} ${two}`]);
    expect(breachesIn('src/other.ts', ` * ${one}\n * ${two}s 1`)).toEqual([`src/other.ts:1 ${one} * ${two}`]);
  });

  test('to a file of facts that is not in this repository', () => {
    const source = ['api', 'facts'].join('-');
    expect(breachesIn('src/other.ts', `// See ${source} 4.`)).toEqual([`src/other.ts:1 ${source}`]);
  });

  test.each([
    `see ${GUIDE}#exact-words-once, ${GUIDE}#exact-words-once-1 and ${GUIDE}`,
    '[a](../docs/guide.md#run-what-it-does) [b](../src/run.ts) [c](../src/) [d](https://example.com/x.md#y) [e](#other)',
    'code such as `[x](nowhere.md)` is not a link',
  ])('a valid reference is not reported: %s', (text) => {
    expect(breachesIn('more/other.md', `# Other\n\n${text}\n`)).toEqual([]);
  });
});
