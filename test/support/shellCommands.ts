import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CodeBlock } from './documents';

/** A command that a shell block would run. */
export interface ShellCommand {
  /** `<document>:<line>` of its block. */
  at: string;
  /** Name and arguments, after the shell has expanded them. */
  words: string[];
  /** What a pipe sends to its standard input. */
  stdin: string;
}

/** External commands that the documents may use. A block that uses another one fails. */
const TOOLS = ['npm', 'npx', 'node', 'curl', 'openssl', 'cat', 'mkdir', 'chmod', 'docker', 'temporal', '.'];

/**
 * Stands in for every tool: records the command, and runs nothing. Records are separated by a line break, and their fields
 * by the ASCII unit separator. Standard input is read only if it is a pipe.
 */
const RECORDER = `
record() {
  local input='' fields
  [ -p /dev/stdin ] && IFS= read -r -d '' input || true
  printf -v fields '%s\\x1f' "$AT" "$input" "$@"
  printf '%s\\x1e' "$fields" >&3
}
${TOOLS.map((tool) => `function ${tool} { record ${tool} "$@"; }`).join('\n')}
command_not_found_handle() { record "$@"; }
`;

/**
 * The commands that shell blocks of one document would run. Bash parses the blocks, in one shell and without any external
 * command, so functions of an earlier block exist in later ones.
 * @throws Error if bash cannot parse or run a block
 */
export function shellCommands(blocks: readonly CodeBlock[]): ShellCommand[] {
  const cwd = mkdtempSync(path.join(tmpdir(), 'walletflow-shell-'));
  mkdirSync(path.join(cwd, 'secrets')); // the documents write into it
  const script = blocks.map(({ file, line, code }) => `AT=${file}:${line}\n${code}`).join('\n');
  const { output, status } = spawnSync('/bin/bash', ['-ec', RECORDER + script], {
    cwd,
    env: { PATH: '/dev/null' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  rmSync(cwd, { recursive: true });
  const [, , err, records] = output as string[];
  if (status !== 0 || err !== '') throw new Error(`${blocks[0]!.file}: bash ended with ${status}: ${err}`);
  return records!
    .split('\x1e')
    .slice(0, -1)
    .map((record) => {
      const [at = '', stdin = '', ...words] = record.split('\x1f').slice(0, -1);
      return { at, stdin, words };
    });
}
