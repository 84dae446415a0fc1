import { readFileSync } from 'node:fs';
import { UsageError } from './failure';
import type { Terminal } from './terminal';

/**
 * Reads JSON from a file, or from standard input for `-`.
 * @param option name of the option, for error messages
 * @throws UsageError, which does not quote the content
 */
export async function readJson({ input }: Terminal, option: string, file: string): Promise<unknown> {
  return parseJson(
    option,
    file === '-' ? await input() : readText(option, file),
    file === '-' ? 'standard input' : file,
  );
}

export function parseJson(option: string, text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${option}: ${source} is not valid JSON; check its commas and quotes`);
  }
}

/** @throws UsageError */
export function readText(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${option}: ${file} can't be read (${(error as NodeJS.ErrnoException).code}); choose a readable file`,
    );
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
