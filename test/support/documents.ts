import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

export const readDocument = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** The code blocks of a document in one language, in document order. */
export function codeBlocks(file: string, language: string): string[] {
  const blocks = readDocument(file).matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  return [...blocks].filter(([, name]) => name === language).map(([, , code = '']) => code);
}

/** A temporary folder in which `npx walletflow` runs the command of this clone. */
export class WorkingFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), 'walletflow-folder-'));

  constructor() {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.path, 'node_modules'));
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
