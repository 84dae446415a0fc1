import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

export const readDocument = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Paths of all documents in the repository or in its next commit. */
export function documents(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'];
  return execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean).sort();
}

/**
 * - `ts`    runs in a backend
 * - `js`    runs in a user's browser
 * - `sh`    typed into a terminal
 * - `json`  the content of a file or a message
 * - `text`  output, or a drawing
 */
export const LANGUAGES = ['ts', 'js', 'sh', 'json', 'text'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface CodeBlock {
  file: string;
  /** Line of the document where the code begins. */
  line: number;
  /** `<file>#<anchor of the heading above>`. */
  section: string;
  language: Language;
  code: string;
}

const FENCE = /^\s*(?:```|~~~)/;
const INDENTED_CODE = /^(?: {4}|\t)/;

/**
 * All code blocks of a document in order.
 * @throws Error if a block could escape the tests: another language, an indented block or another kind of fence
 */
export function codeBlocks(file: string, text: string = readDocument(file)): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = text.split('\n');
  const anchorOf = anchors();
  let section = file;
  let open: { language: Language; line: number; code: string[] } | undefined;
  for (const [index, line] of lines.entries()) {
    const problem = (what: string) => new Error(`${file}:${index + 1}: ${what}`);
    if (open && line !== '```') {
      open.code.push(line);
    } else if (open) {
      blocks.push({ ...open, file, section, code: `${open.code.join('\n')}\n` });
      open = undefined;
    } else if (FENCE.test(line)) {
      const language = LANGUAGES.find((known) => line === `\`\`\`${known}`);
      if (!language) throw problem(`begin a code block with three backticks and its language: ${LANGUAGES.join(', ')}`);
      open = { language, line: index + 2, code: [] };
    } else if (INDENTED_CODE.test(line) && lines[index - 1] === '') {
      throw problem('put code between fences; indented code is not tested');
    } else {
      const [, heading] = HEADING.exec(line) ?? [];
      if (heading !== undefined) section = `${file}#${anchorOf(heading)}`;
    }
  }
  if (open) throw new Error(`${file}: the code block of line ${open.line} does not end`);
  return blocks;
}

/** The code of a document's blocks in one language, in document order. */
export function codeOf(file: string, language: Language): string[] {
  return codeBlocks(file)
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

export const HEADING = /^#{1,6}\s+(.+)$/m;

/** Computes the anchors of one document's headings in order. A repeated one gets `-1`, `-2`, as on GitHub. */
export function anchors(): (heading: string) => string {
  const counts = new Map<string, number>();
  return (heading) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim();
    const anchor = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replace(/ /g, '-');
    const earlier = counts.get(anchor) ?? 0;
    counts.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  };
}

/** A temporary folder that has installed this clone as the package `walletflow`. */
export class WorkingFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), 'walletflow-folder-'));

  constructor() {
    mkdirSync(path.join(this.path, 'node_modules'));
    symlinkSync(path.join(ROOT, 'node_modules/.bin'), path.join(this.path, 'node_modules/.bin'));
    symlinkSync(ROOT, path.join(this.path, 'node_modules/walletflow'));
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
