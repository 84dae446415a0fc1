import type { Terminal } from '../../../src/cli/terminal';

/** A terminal that records its output. */
export interface TestTerminal extends Terminal {
  outLines: string[];
  errLines: string[];
}

export function testTerminal({ stdin = '', ...overrides }: Partial<Terminal> & { stdin?: string } = {}): TestTerminal {
  const outLines: string[] = [];
  const errLines: string[] = [];
  return {
    out: (line) => void outLines.push(line),
    err: (line) => void errLines.push(line),
    input: () => Promise.resolve(stdin),
    env: {},
    interactive: false,
    debug: false,
    ...overrides,
    outLines,
    errLines,
  };
}
