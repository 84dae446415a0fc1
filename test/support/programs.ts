import { transformSync } from '@swc/core';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startShell } from './commandLine';
import { type CodeBlock, codeBlocks, documents, type WorkingFolder } from './documents';

/**
 * A program in the documents: the `ts` or `js` blocks below one heading, in order. Its name is the section, followed by
 * `(browser)` for `js`.
 */
export interface Program {
  name: string;
  blocks: readonly CodeBlock[];
}

interface ProgramUse {
  /** The test that runs the program. */
  test: string;
  /** Types of the names that the program uses and its reader supplies. */
  given: Readonly<Record<string, string>>;
}

/** The browser SDK's members that the documents call, as its package declares them. */
const BROWSER_SDK = `{
  updateConfigs(
    configs: { appSettings: { appId: string }; loginConfigs: { deviceToken: string; deviceEncryptionKey: string; otpToken: string } },
    onLoginComplete: (error: { code: number; message: string } | undefined, result: object | undefined) => void,
  ): void;
  verifyOtp(): void;
}`.replaceAll(/\s+/g, ' ');

const RUN_AGAINST_A_WORKER = 'test/users/documents.test.ts';

/** Every program in the documents. */
export const PROGRAMS: Readonly<Record<string, ProgramUse>> = {
  'README.md#from-a-backend': {
    test: RUN_AGAINST_A_WORKER,
    given: {
      walletId: 'string',
      to: 'string',
      tokenId: 'string',
      token: 'string',
      deviceId: 'string',
      userId: 'string',
    },
  },
  'docs/users.md#log-in-by-email': {
    test: RUN_AGAINST_A_WORKER,
    given: { deviceId: 'string', token: 'string', emulatorUrl: 'string' },
  },
  'docs/users.md#log-in-by-email (browser)': {
    test: RUN_AGAINST_A_WORKER,
    given: {
      login: "Required<import('walletflow').LoginCredentials>",
      sdk: BROWSER_SDK,
      report: '(code: number) => void',
      send: '(result: object | undefined) => void',
    },
  },
  'docs/users.md#log-in-at-a-provider': {
    test: RUN_AGAINST_A_WORKER,
    given: { deviceId: 'string', token: 'string' },
  },
  'docs/emulator.md#the-emulator': {
    test: 'test/emulator/core/commandLines.test.ts',
    given: { entitySecret: 'string' },
  },
  'docs/emulator.md#the-entity-secret': {
    test: 'test/emulator/core/commandLines.test.ts',
    given: { publicKey: 'string', entitySecret: 'string' },
  },
  'docs/operations.md#events': { test: 'test/unit/client/eventsDocument.test.ts', given: {} },
};

/** All programs of the documents, in document order. */
export const programs = () => programsIn(documents().flatMap((file) => codeBlocks(file)));

export function programsIn(blocks: readonly CodeBlock[]): Program[] {
  const found = new Map<string, CodeBlock[]>();
  for (const block of blocks) {
    if (block.language !== 'ts' && block.language !== 'js') continue;
    const name = block.language === 'js' ? `${block.section} (browser)` : block.section;
    found.set(name, [...(found.get(name) ?? []), block]);
  }
  return [...found].map(([name, of]) => ({ name, blocks: of }));
}

/** @throws Error if the documents contain no such program */
export function programOf(name: string): Program {
  const program = programs().find((each) => each.name === name);
  if (!program) throw new Error(`No code below ${name}`);
  return program;
}

export type Format = 'esm' | 'cjs';

/**
 * The TypeScript source of a program for one module format. Every line is at its line of the document. In CommonJS, which
 * has no top-level `await`, everything but imports is inside a function `program`, unless the program exports something.
 * @param first code before the program, in one line
 * @param last code at its end
 */
export function sourceOf({ blocks }: Program, format: Format, { first = '', last = '' } = {}): string {
  const lines: string[] = [];
  for (const { line, code } of blocks) code.split('\n').forEach((row, index) => (lines[line - 1 + index] = row));
  const body = Array.from(lines, (line) => line ?? '').join('\n');
  if (format === 'esm' || /^export /m.test(body)) return `${first}${body}${last}`;

  const imports: string[] = [];
  const rest = body.replaceAll(/^import [^;]+;/gm, (statement) => {
    imports.push(statement.replaceAll('\n', ' '));
    return statement.replaceAll(/[^\n]/g, '');
  });
  return `${imports.join(' ')} ${first} async function program() {${rest}${last}}\n`;
}

/** JavaScript of a TypeScript source, without a type check. */
export function compiled(source: string, format: Format): string {
  return transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: format === 'esm' ? 'es6' : 'commonjs' },
  }).code;
}

/** Far longer than any program needs. */
const LONGEST_MS = 120_000;

export interface ProgramRun {
  /** Values of the given names; they are passed as JSON. */
  given?: Record<string, unknown>;
  /** Names of the program's variables to return. */
  returns?: readonly string[];
  env?: Record<string, string>;
  format?: Format;
}

/**
 * Runs a program in its own process and in a project that has installed the package.
 * @returns the lines that the program printed, and its variables
 * @throws Error with the output of a program that failed or did not end
 */
export async function runProgram(
  folder: WorkingFolder,
  name: string,
  { given = {}, returns = [], env = {}, format = 'esm' }: ProgramRun,
): Promise<{ printed: string[]; variables: Record<string, unknown> }> {
  const names = Object.keys(PROGRAMS[name]!.given);
  const first = `const { ${names.join(', ')} } = ${JSON.stringify(given)} as any;`;
  const last = `console.log(JSON.stringify({ ${returns.join(', ')} }));`;
  const source = sourceOf(programOf(name), format, { first, last });
  const file = path.join(folder.path, format === 'esm' ? 'program.mjs' : 'program.cjs');
  writeFileSync(file, compiled(format === 'esm' ? source : `${source}void program();`, format));
  const running = startShell(`node ${path.basename(file)}`, { cwd: folder.path, env });
  const timer = setTimeout(() => running.kill('SIGKILL'), LONGEST_MS);
  const { exitCode, out, err } = await running.ended;
  clearTimeout(timer);
  const printed = out.trimEnd().split('\n');
  const variables = printed.pop() ?? '';
  if (exitCode !== 0 || err !== '') throw new Error(`${name} ended with ${exitCode}:\n${out}${err}`);
  return { printed, variables: JSON.parse(variables) as Record<string, unknown> };
}
