import { readFileSync } from 'node:fs';
import { UsageError } from './failure';
import type { Terminal } from './terminal';

/**
 * JSON of a file, or of standard input for `-`.
 * @param what the option, for messages
 * @throws UsageError; the content is not quoted
 */
export async function readJson({ input }: Terminal, what: string, file: string): Promise<unknown> {
  return parseJson(what, file === '-' ? await input() : readText(what, file), file === '-' ? 'standard input' : file);
}

export function parseJson(what: string, text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${what}: ${source} is not JSON; correct it, commas and quotes are the usual cause`);
  }
}

/** @throws UsageError */
export function readText(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${what}: ${file} can't be read (${(error as NodeJS.ErrnoException).code}); name a readable file`,
    );
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
