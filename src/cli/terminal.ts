import { text } from 'node:stream/consumers';

/** Where a command reads and writes. Standard output holds answers only; everything else goes to standard error. */
export interface Terminal {
  out: (line: string) => void;
  err: (line: string) => void;
  /** All of standard input. */
  input: () => Promise<string>;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches: colours and lines that change are for them only. */
  interactive: boolean;
  /** Stacks and logs. */
  debug: boolean;
}

export function processTerminal(): Terminal {
  // Nobody reads on, as behind `| head`.
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
