import type { Terminal } from '../../../src/cli/terminal';

/** A terminal that remembers what was written. */
export interface TestTerminal extends Terminal {
  outLines: string[];
  errLines: string[];
}

export function testTerminal(given: Partial<Terminal> & { stdin?: string } = {}): TestTerminal {
  const { stdin = '', ...more } = given;
  const outLines: string[] = [];
  const errLines: string[] = [];
  return {
    out: (line) => void outLines.push(line),
    err: (line) => void errLines.push(line),
    input: () => Promise.resolve(stdin),
    env: {},
    interactive: false,
    debug: false,
    ...more,
    outLines,
    errLines,
  };
}
