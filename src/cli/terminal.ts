import { text } from 'node:stream/consumers';

/** Where a command reads and writes. Standard output carries results only; everything else goes to standard error. */
export interface Terminal {
  out: (line: string) => void;
  err: (line: string) => void;
  /** Reads standard input to its end. */
  input: () => Promise<string>;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether the output is an interactive terminal. Lines are redrawn only in that case. */
  interactive: boolean;
  /** Show stack traces and debug logs. */
  debug: boolean;
}

export function processTerminal(): Terminal {
  // EPIPE: the reader has closed the pipe, as `| head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    input: () => text(process.stdin),
    env: process.env,
    interactive: process.stdout.isTTY === true && !process.env.CI,
    debug: false,
  };
}
