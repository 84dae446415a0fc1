import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Entry point of the built command. */
export const MAIN = path.resolve(__dirname, '../../dist/src/cli/main.js');

export interface CommandResult {
  exitCode: number | null;
  out: string;
  err: string;
}

/** A built command that runs in its own process. */
export interface RunningCommand {
  pid: number;
  /** Resolves with the first line of standard output that matches. Rejects when the process ends without one. */
  waitForLine(pattern: RegExp): Promise<string>;
  kill: (signal: NodeJS.Signals) => void;
  ended: Promise<CommandResult>;
}

interface CommandOptions {
  env?: Record<string, string>;
  stdin?: string;
  cwd?: string;
}

/** The environment of a user's shell, without the variables of the test run. */
export function userEnvironment(): Record<string, string | undefined> {
  const names = Object.keys(process.env).filter((name) => !/^(WALLETFLOW|TEMPORAL|JEST|NODE)_/.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

const running = new Set<RunningCommand>();

/** Kills the commands that a failed test left running. Call it in `afterAll`. */
export function endCommands(): void {
  for (const command of running) command.kill('SIGKILL');
}

/** Starts `walletflow …args` the way a user does. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], environmentOf(options));
  return follow(child, options, (signal) => child.kill(signal));
}

/** Runs lines of a document in a shell. Signals reach every process that the lines started, as in a terminal. */
export function startShell(lines: string, options: CommandOptions = {}): RunningCommand {
  const child = spawn('bash', ['-ec', lines], { ...environmentOf(options), detached: true });
  return follow(child, options, (signal) => process.kill(-child.pid!, signal));
}

const environmentOf = ({ env, cwd }: CommandOptions) => ({ env: { ...userEnvironment(), ...env }, cwd });

function follow(
  child: ChildProcessWithoutNullStreams,
  { stdin = '' }: CommandOptions,
  kill: RunningCommand['kill'],
): RunningCommand {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.end(stdin);
  const ended = once(child, 'close').then(([exitCode]): CommandResult => {
    running.delete(command);
    return { exitCode: exitCode as number | null, out, err };
  });
  const command: RunningCommand = {
    pid: child.pid!,
    async waitForLine(pattern) {
      for (;;) {
        const found = out
          .split('\n')
          .slice(0, -1)
          .find((line) => pattern.test(line));
        if (found !== undefined) return found;
        const more = once(child.stdout, 'data').then(() => true);
        if (await Promise.race([more, ended.then(() => false)])) continue;
        throw new Error(`The command ended without a line like ${pattern}:\n${out}${err}`);
      }
    },
    kill,
    ended,
  };
  running.add(command);
  return command;
}

export function command(args: readonly string[], options?: CommandOptions): Promise<CommandResult> {
  return startCommand(args, options).ended;
}
