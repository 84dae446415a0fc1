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
import { inputSchema, type Input, type InputLog } from './inputs';
import { openingSchema, type Opening } from './opening';

/** Another one whenever the lines change, so that an old file is not misread. */
const FORMAT = 1;
const NAME = 'walletflow emulator state';

const header = z.strictObject({ file: z.literal(NAME), format: z.literal(FORMAT) });
const entityKeyLine = z.strictObject({ entityKey: z.string() });
const openingLine = z.strictObject({ world: z.string(), opened: openingSchema });
const inputLine = z.strictObject({ world: z.string(), input: inputSchema });
const line = z.union([entityKeyLine, openingLine, inputLine]);

/** One thing that is kept, and where it stands. */
export type Kept = { line: number } & (
  { entityKey: string } | { world: string; opened: Opening } | { world: string; input: Input }
);

/**
 * The inputs of all worlds of an emulator, one a line, as JSON: appended to as they come, read at the next start. Holds
 * API keys and entity secrets, so only its owner can read it. One emulator has it at a time.
 *
 * Each line is written with one call before its answer goes out. What a killed process left of its last line is dropped:
 * nobody has been told of that one.
 */
export class StateFile {
  /** What was in it when it was opened. */
  readonly kept: readonly Kept[];
  readonly #unlock: () => void;
  #descriptor: number | undefined;
  #broken: Error | undefined;

  /** @throws Error that names file, line and remedy; the file is as it was then */
  constructor(private readonly path: string) {
    this.#unlock = lockFile(path);
    try {
      if (!existsSync(path)) this.#replace([]);
      this.kept = this.#read();
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /** Appends from here on. A torn last line goes. */
  begin(): void {
    const content = readFileSync(this.path);
    this.#descriptor = openSync(this.path, 'a');
    ftruncateSync(this.#descriptor, content.lastIndexOf('\n') + 1);
  }

  keepEntityKey(pem: string): void {
    this.#append({ entityKey: pem });
  }

  keepWorld(world: string, opened: Opening): void {
    this.#append({ world, opened });
  }

  logOf(world: string): InputLog {
    return { add: (input) => this.#append({ world, input }) };
  }

  /** A world begins anew: its lines so far go, all at once. */
  restartWorld(world: string, opened: Opening): void {
    const others = this.#lines().filter((text) => (JSON.parse(text) as { world?: string }).world !== world);
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
    this.#broken = new Error('it is closed');
    this.#unlock();
  }

  /** What is wrong with a line, and what to do. */
  problem(number: number, what: string): Error {
    return new Error(
      `state ${this.path}, line ${number}: ${what}. The file is as it was; restore a copy of it, ` +
        'start the version of walletflow that wrote it, or name another file to begin anew',
    );
  }

  #append(content: object): void {
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
    try {
      if (this.#broken !== undefined) throw this.#broken;
      if (this.#descriptor === undefined) throw new Error('it is not open for writing');
      if (writeSync(this.#descriptor, bytes) < bytes.length) throw new Error('there is no room for more');
    } catch (error) {
      // A line after half a line would make the file unreadable.
      this.#broken ??= error as Error;
      throw new Error(`state ${this.path}: nothing more can be kept: ${String(error)}`, { cause: error });
    }
  }

  #replace(lines: readonly string[]): void {
    const fresh = `${this.path}.new`;
    const head = JSON.stringify({ file: NAME, format: FORMAT });
    writeFileSync(fresh, `${[head, ...lines].join('\n')}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, this.path);
  }

  /** Whole lines only. */
  #lines(): string[] {
    const lines = readFileSync(this.path, 'utf8').split('\n');
    return lines.slice(0, -1);
  }

  #read(): Kept[] {
    const [first, ...rest] = this.#lines();
    if (!header.safeParse(readJson(first ?? '')).success) {
      throw this.problem(1, `it does not begin with ${JSON.stringify({ file: NAME, format: FORMAT })}`);
    }
    return rest.map((text, index) => {
      const number = index + 2;
      const parsed = line.safeParse(readJson(text));
      if (!parsed.success) throw this.problem(number, 'it is damaged');
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
