import type { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseFlowRef } from '../../src/cli/flowRef';
import { makeProgram } from '../../src/cli/program';
import { isFlowName } from '../../src/domain/flowNames';
import { FLOWS } from '../../src/flows/registry';
import { testTerminal } from '../unit/cli/terminal';
import { readDocument, ROOT } from './documents';

/** Checks commands that documents name, without running them. Each check returns what is wrong, if anything. */

type Problem = string | undefined;
type Words = readonly string[];

/** The arguments of `walletflow` in `npx walletflow …`, or in a container. */
export function walletflowArguments(words: Words): Words | undefined {
  if (words[0] === 'npx' && words[1] === 'walletflow') return words.slice(2);
  const main = words.indexOf('dist/src/cli/main.js');
  return main === -1 ? undefined : words.slice(main + 1);
}

/**
 * Problem of a complete command line, as typed into a terminal.
 * @param stdin what a pipe sends to it
 */
export function commandProblem(words: Words, stdin = ''): Problem {
  const args = walletflowArguments(words);
  return args ? (usageProblem(args) ?? valueProblem(args, stdin)) : toolProblem(words);
}

/** Problem of a command that prose names, possibly without its arguments: an unknown command, option, script or file. */
export function namedProblem(words: Words): Problem {
  const args = walletflowArguments(words) ?? (words[0] === 'walletflow' ? words.slice(1) : undefined);
  if (!args) return toolProblem(words);
  if (args[0]?.startsWith('<')) return undefined; // any command
  const command = commandOf(args);
  if (!command) return `walletflow has no command ${args.slice(0, 2).join(' ')}`;
  return optionsProblem(command, args);
}

/** Problem of options that a document gives a command. */
export function optionsProblem(command: Command, words: Words): Problem {
  const known = ['--help', ...command.options.map(({ long }) => long)];
  const unknown = words.find((word) => word.startsWith('--') && !known.includes(word.split('=')[0]));
  return unknown && `${nameOf(command)} has no option ${unknown}`;
}

/** Every command of the CLI that has no subcommands, by its name, such as `events list`. */
export function commandsByName(): ReadonlyMap<string, Command> {
  const leaves = (command: Command): Command[] =>
    command.commands.length > 0 ? command.commands.flatMap(leaves) : [command];
  return new Map(leaves(cli()).map((command) => [nameOf(command), command]));
}

function cli(written: string[] = []): Command {
  const terminal = testTerminal({ err: (line) => void written.push(line) });
  return makeProgram(terminal, () => () => Promise.resolve(), '');
}

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** The command that the first words name; undefined if they name none. */
function commandOf(args: Words): Command | undefined {
  let command = cli();
  for (const word of args) {
    if (command.commands.length === 0 || word.startsWith('-')) break;
    const next = command.commands.find((each) => each.name() === word);
    if (!next) return undefined;
    command = next;
  }
  return command;
}

/** What the command line's own definition rejects: commands, options, arguments and choices. */
function usageProblem(args: Words): Problem {
  const written: string[] = [];
  try {
    cli(written).parse(args, { from: 'user' });
    return undefined;
  } catch (error) {
    return (error as { exitCode: number }).exitCode === 0 ? undefined : written.join(' ');
  }
}

/** What only the command itself would reject: a flow that does not exist, and the input of a flow. */
function valueProblem([command = '', value = '', ...rest]: Words, stdin: string): Problem {
  if (['status', 'watch', 'decide', 'provide', 'cancel'].includes(command)) {
    try {
      parseFlowRef(value);
    } catch (error) {
      return (error as Error).message;
    }
  }
  if (command !== 'start') return undefined;
  if (!isFlowName(value)) return `there is no flow ${value}`;
  if (rest.includes('--help')) return undefined;
  const { ref: _, policy: __, priority: ___, ...input } = JSON.parse(stdin) as Record<string, unknown>;
  return FLOWS[value].input.safeParse(input).error?.message;
}

/** Scripts of the package by the folder that `--prefix` names. */
const scriptsOf = (folder: string) =>
  (JSON.parse(readDocument(path.join(folder, 'package.json'))) as { scripts?: Record<string, string> }).scripts ?? {};

function toolProblem([tool = '', ...args]: Words): Problem {
  switch (tool) {
    case 'npm': {
      const prefix = args.indexOf('--prefix');
      const folder = prefix === -1 ? '.' : (args[prefix + 1] ?? '');
      if (!existsSync(path.join(ROOT, folder, 'package.json'))) return `${folder} is not a package`;
      if (['ci', 'pack', 'prune'].includes(args[0] ?? '')) return undefined;
      const script = args[0] === 'run' ? args[1] : args[0];
      if (script === undefined || !Object.hasOwn(scriptsOf(folder), script)) return `npm has no script ${script}`;
      return script === 'bench' ? benchProblem(args.slice(args.indexOf('--') + 1)) : undefined;
    }
    case 'npx': {
      const file = args[0] === 'jest' ? args[1] : args[0] === 'tsc' ? args[args.indexOf('-p') + 1] : undefined;
      if (file === undefined) return `npx ${args[0]} is not a command of this repository`;
      return isInRepository(file) ? undefined : `there is no ${file}`;
    }
    case 'node': {
      const file = args[0] ?? '';
      if (file === '-e' || isInRepository(file.replace('/dist/', '/').replace(/\.js$/, '.ts'))) return undefined;
      return `there is no ${file}`;
    }
    case 'docker':
    case 'temporal':
    case 'curl':
    case 'openssl':
    case 'cat':
    case 'mkdir':
    case 'chmod':
    case '.':
      return undefined;
    default:
      return `${tool} is not a command that the tests know`;
  }
}

/** Whether a path, or one that begins with it, is in the repository. */
function isInRepository(start: string): boolean {
  return execFileSync('git', ['ls-files', `${start}*`], { cwd: ROOT, encoding: 'utf8' }) !== '';
}

function benchProblem(args: Words): Problem {
  if (args[0]?.startsWith('<')) return undefined; // any budget
  const main = path.join(ROOT, 'dist/bench/main.js');
  const help = execFileSync(process.execPath, [main, args[0] ?? '', '--help'], { encoding: 'utf8' });
  if (!help.startsWith(`Usage: bench ${args[0]} `)) return `bench has no command ${args[0]}`;
  const unknown = args.find((word) => word.startsWith('--') && !help.includes(`  ${word} `));
  return unknown && `bench ${args[0]} has no option ${unknown}`;
}
