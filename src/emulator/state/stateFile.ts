import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';
import { lockFile } from './fileLock';
import { type Input, type InputLog, inputSchema } from './inputs';
import { type WorldStart, worldStartSchema } from './worldStart';

/** Incremented whenever the format of the lines changes, so that an old file is not misread. */
const FORMAT = 1;
const NAME = 'walletflow emulator state';

const header = z.strictObject({ file: z.literal(NAME), format: z.literal(FORMAT) });
const entityKeyLine = z.strictObject({ entityKey: z.string() });
const worldLine = z.strictObject({ world: z.string(), opened: worldStartSchema });
const inputLine = z.strictObject({ world: z.string(), input: inputSchema });
const line = z.union([entityKeyLine, worldLine, inputLine]);

/** A line of the file with its line number. */
export type SavedLine = { line: number } & (
  { entityKey: string } | { world: string; opened: WorldStart } | { world: string; input: Input }
);

/**
 * A log of the inputs of all worlds of an emulator, one JSON object per line. Inputs are appended as they arrive and
 * read at the next start. The file holds API keys and entity secrets, so only its owner can read it. Only one emulator
 * can use it at a time.
 *
 * Each line is written with one call before its response is sent. A torn last line, left by a killed process, is
 * dropped: its response was never sent.
 */
export class StateFile {
  /** The content of the file when it was opened. */
  readonly lines: readonly SavedLine[];
  readonly #unlock: () => void;
  #descriptor: number | undefined;
  #writeError: Error | undefined;

  /** @throws Error that names file, line and remedy; the file is left unchanged */
  constructor(private readonly path: string) {
    this.#unlock = lockFile(path);
    try {
      if (!existsSync(path)) this.#replace([]);
      this.lines = this.#read();
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /** Opens the file for appending and truncates a torn last line. */
  startAppending(): void {
    const content = readFileSync(this.path);
    this.#descriptor = openSync(this.path, 'a');
    ftruncateSync(this.#descriptor, content.lastIndexOf('\n') + 1);
  }

  saveEntityKey(pem: string): void {
    this.#append({ entityKey: pem });
  }

  saveWorld(world: string, opened: WorldStart): void {
    this.#append({ world, opened });
  }

  logOf(world: string): InputLog {
    return { add: (input) => this.#append({ world, input }) };
  }

  /** Restarts a world: replaces all its lines with one new first line, atomically. */
  restartWorld(world: string, opened: WorldStart): void {
    const others = this.#readLines().filter((text) => (JSON.parse(text) as { world?: string }).world !== world);
    this.#replace([...others.slice(1), JSON.stringify({ world, opened })]);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = openSync(this.path, 'a');
  }

  close(): void {
    if (this.#descriptor !== undefined) {
      fsyncSync(this.#descriptor);
      closeSync(this.#descriptor);
    }
    this.#descriptor = undefined;
    this.#writeError = new Error('the file is closed');
    this.#unlock();
  }

  /** An error that says what is wrong with a line and what to do. */
  lineError(number: number, problem: string): Error {
    return new Error(
      `state ${this.path}, line ${number}: ${problem}. The file was not changed; restore a backup of it, ` +
        'start the version of walletflow that wrote it, or choose another file to start over',
    );
  }

  #append(content: object): void {
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
    try {
      if (this.#writeError !== undefined) throw this.#writeError;
      if (this.#descriptor === undefined) throw new Error('the file is not open for writing');
      if (writeSync(this.#descriptor, bytes) < bytes.length)
        throw new Error('only part of a line was written; the disk may be full');
    } catch (error) {
      // Another line after a torn one would make the file unreadable.
      this.#writeError ??= error as Error;
      throw new Error(`state ${this.path}: cannot be written, so no more inputs are accepted: ${String(error)}`, {
        cause: error,
      });
    }
  }

  #replace(lines: readonly string[]): void {
    const fresh = `${this.path}.new`;
    const head = JSON.stringify({ file: NAME, format: FORMAT });
    writeFileSync(fresh, `${[head, ...lines].join('\n')}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, this.path);
  }

  /** Complete lines only. */
  #readLines(): string[] {
    const lines = readFileSync(this.path, 'utf8').split('\n');
    return lines.slice(0, -1);
  }

  #read(): SavedLine[] {
    const [first, ...rest] = this.#readLines();
    if (!header.safeParse(readJson(first ?? '')).success) {
      throw this.lineError(1, `the file does not begin with ${JSON.stringify({ file: NAME, format: FORMAT })}`);
    }
    return rest.map((text, index) => {
      const number = index + 2;
      const parsed = line.safeParse(readJson(text));
      if (!parsed.success) throw this.lineError(number, 'the line is damaged');
      return { line: number, ...parsed.data };
    });
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
