import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CODES } from '../domain/codes';
import { FLOW_NAMES, isFlowName } from '../domain/flowNames';
import { EXIT, EXIT_CODES_HELP, type ExitCode } from './exitCodes';
import { failureOf } from './failure';
import { packageRoot } from './packageRoot';
import { provisionLines } from './provisionLines';
import type { Terminal } from './terminal';

/** A sub-command's module, loaded only when it runs: `walletflow --help` needs none of them. */
interface SubCommand<O, A extends unknown[]> {
  run(terminal: Terminal, options: O, ...args: A): Promise<ExitCode | void>;
}

/**
 * Runs one command line.
 * @param args without node and script
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  let debug = false;
  let json = false;

  /** The action of a command: positional arguments first, then options, then the command itself. */
  const lazily =
    <O, A extends unknown[]>(load: () => Promise<SubCommand<O, A>>) =>
    async (...given: unknown[]): Promise<void> => {
      const [options, command] = given.slice(-2) as [O, Command];
      const all = command.optsWithGlobals<{ debug?: boolean; json?: boolean }>();
      debug = all.debug === true;
      json = all.json === true;
      const module = await load();
      exitCode = (await module.run({ ...terminal, debug }, options, ...(given.slice(0, -2) as A))) ?? EXIT.done;
    };

  try {
    await makeProgram(terminal, lazily, await startHelp(args)).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // commander has said what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { exitCode: code, message } = failureOf(error);
    if (debug && error instanceof Error) terminal.err(error.stack ?? error.message);
    else terminal.err(json ? JSON.stringify({ error: message, exitCode: code }) : message);
    return code;
  }
}

type Lazily = <O, A extends unknown[]>(load: () => Promise<SubCommand<O, A>>) => (...given: unknown[]) => Promise<void>;

const FLOW_REF = 'flow and ref, such as transfer/inv-42';
const AS = 'who sends it, where a local issuer is configured; your login by default';
const TOKEN_FILE = 'the token of who sends it; - reads standard input';

/** The fields of the input, for `start FLOW --help`; nothing is loaded for other command lines. */
async function startHelp([command, flow, ...rest]: readonly string[]): Promise<string> {
  if (command !== 'start' || flow === undefined || ![flow, ...rest].some((arg) => arg === '--help' || arg === '-h'))
    return '';
  if (!isFlowName(flow)) return '';
  const { inputLines } = await import('./inputLines');
  const lines = inputLines(flow).map((line) => `  ${line}`);
  return `\nInput of ${flow}:\n${lines.join('\n')}`;
}

function makeProgram({ out, err }: Terminal, lazily: Lazily, inputHelp: string): Command {
  const program = new Command('walletflow')
    .description('Durable wallet and compliance flows on Temporal')
    .version(version(), '--version')
    .option('--debug', 'show stacks and more of the log')
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) })
    .showHelpAfterError('(walletflow --help shows how)')
    .addHelpText('after', EXIT_CODES_HELP);

  program
    .command('demo')
    .description('shows flows at work: embedded Temporal, emulator and worker, offline')
    .option('--all', 'every flow there is')
    .action(lazily(() => import('./demo')));

  program
    .command('dev')
    .description(
      'starts Temporal, emulator, worker and gateway, and stays up for your backend and these commands; Ctrl-C ends it',
    )
    .option('--clock-speed <n>', "how fast the emulator's time passes", speed, 1)
    .option('--events <url>', 'where flows tell what becomes of them: an endpoint of your backend, on this machine')
    .action(lazily(() => import('./dev')));

  program
    .command('worker')
    .description('does the work of all configured entities until it is told to stop (SIGTERM, Ctrl-C)')
    .action(lazily(() => import('./worker')));

  program
    .command('gateway')
    .description('takes the webhooks of all configured entities until it is told to stop (SIGTERM, Ctrl-C)')
    .action(lazily(() => import('./gateway')));

  program
    .command('emulator')
    .description('the API on this machine, in memory')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 takes any free one', port, 4010)
    .option('--api-key <key>', 'key of its one world; without it every well-formed key opens one of its own')
    .option('--entity-secret <hex>', "the entity's secret, 64 hex characters")
    .addOption(
      new Option(
        '--idempotency <mode>',
        `what a used idempotency key is answered: ${CODES.idempotencyKeyUsed}, or the first answer again`,
      )
        .choices(['reject', 'replay'])
        .default('reject'),
    )
    .option('--clock-speed <n>', 'how fast its time passes', speed, 1)
    .option('--state <file>', 'keeps its worlds over restarts, with their keys and secrets; made when it is not there')
    .action(lazily(() => import('./emulator')));

  program
    .command('setup')
    .description(
      'registers what the flows need with the Temporal namespace, and the webhooks with the API; safe to repeat',
    )
    .action(lazily(() => import('./setup')));

  program
    .command('start')
    .argument('<flow>', FLOW_NAMES.join(', '))
    .description('starts a flow, or finds the one with the same ref and input')
    .requiredOption('--input <file>', 'JSON of its input, whose fields start FLOW --help shows; - reads standard input')
    .option('--ref <ref>', 'your own opaque name for it; may stand in the input as "ref"')
    .option('--policy <name>', 'policy that it runs under')
    .addOption(new Option('--priority <priority>', 'whose work goes first').choices(['urgent', 'normal', 'bulk']))
    .option('--json', 'answer as JSON')
    .addHelpText('after', inputHelp)
    .action(lazily(() => import('./start')));

  program
    .command('status')
    .argument('<flow/ref>', FLOW_REF)
    .description('how a flow is doing')
    .option('--json', 'answer as JSON')
    .action(lazily(() => import('./status')));

  program
    .command('watch')
    .argument('<flow/ref>', FLOW_REF)
    .description('shows a flow at work until it ends or Ctrl-C; 0 when it completed')
    .option('--json', 'a line of JSON for each change')
    .action(lazily(() => import('./watch')));

  program
    .command('list')
    .description("the entity's flows, the running ones first")
    .option('--flow <flow>', FLOW_NAMES.join(', '))
    .option('--attention', 'only those that wait for a person')
    .option('--since <duration>', 'only those that started no longer ago, such as "24 hours"')
    .option('--json', 'a line of JSON for each')
    .action(lazily(() => import('./list')));

  program
    .command('decide')
    .argument('<flow/ref>', FLOW_REF)
    .argument('<choice>', 'one of the options that status shows')
    .description('decides what a flow waits for a person to decide')
    .option('--as <name>', AS)
    .option('--token-file <file>', TOKEN_FILE)
    .option('--id <id>', 'makes sending again harmless')
    .option('--json', 'answer as JSON')
    .action(lazily(() => import('./decide')));

  program
    .command('provide')
    .argument('<flow/ref>', FLOW_REF)
    .argument('<what>', 'one of the things that status shows under "asks for"')
    .description('gives a flow what it asks people for')
    .option('--input <file>', 'JSON of the fields; - reads standard input')
    .option('--field <name=value...>', 'single fields that are not secret')
    .option('--as <name>', AS)
    .option('--token-file <file>', TOKEN_FILE)
    .option('--id <id>', 'makes sending again harmless')
    .option('--json', 'answer as JSON')
    .addHelpText('after', () => `\nWhat can be provided, with its fields:\n${provisionLines().join('\n')}`)
    .action(lazily(() => import('./provide')));

  program
    .command('cancel')
    .argument('<flow/ref>', FLOW_REF)
    .description('calls a flow back, as far as that is possible')
    .option('--as <name>', AS)
    .option('--token-file <file>', TOKEN_FILE)
    .option('--id <id>', 'makes sending again harmless')
    .option('--json', 'answer as JSON')
    .action(lazily(() => import('./cancel')));

  const events = program
    .command('events')
    .description('events that nobody takes: webhooks of no flow, and what the own endpoint did not take');
  events
    .command('list')
    .description('what is kept, the oldest first')
    .addOption(
      new Option('--box <box>', 'parked: webhooks of no flow; dead: events for the own endpoint')
        .choices(['parked', 'dead'])
        .default('parked'),
    )
    .option('--json', 'a line of JSON for each, with the event itself')
    .action(lazily(() => import('./events/list')));
  events
    .command('redeliver')
    .argument('<id>', 'id that list shows')
    .description('hands a parked webhook over once more, as if it had just come; it stays when nobody takes it')
    .option('--json', 'answer as JSON')
    .action(lazily(() => import('./events/redeliver')));

  events
    .command('resend')
    .argument('<id>', 'id that list --box dead shows')
    .description("sends an event to the integrator's endpoint again, which has not taken it in three days")
    .option('--json', 'answer as JSON')
    .action(lazily(() => import('./events/resend')));

  program
    .command('token')
    .description('makes a token of somebody with the local issuer, valid for five minutes: for development')
    .option('--as <name>', 'whose; your login by default')
    .action(lazily(() => import('./token')));

  program
    .command('api')
    .argument('[operation]', 'operation id, such as getTransaction')
    .description('sends one request to the API and prints the JSON of its answer')
    .option('--params <name=value...>', 'path parameters')
    .option('--query <name=value...>', 'query parameters')
    .option('--body <json>', 'the body: a file, - for standard input, or the JSON itself')
    .option('--user-token-file <file>', 'the token of the user who acts, where the operation takes one')
    .option('--list', 'all operations; with one, what it takes')
    .action(lazily(() => import('./api')));

  program
    .command('entity')
    .description('sets up an entity at the API')
    .command('register-secret')
    .description("registers the entity's first secret; rotation and reset are done in the console")
    .requiredOption('--recovery-file <file>', 'new file for what resets the secret when it is lost')
    .option('--generate <file>', 'makes a new secret into this new file; without it, the one of entitySecretFile')
    .action(lazily(() => import('./registerSecret')));

  program
    .command('replay')
    .argument('[files...]', 'recorded histories; by default those of the repository')
    .description('replays recorded histories with the workflow code of this build')
    .option('--key-ring <file>', 'keys that they are encrypted with, where not those of WALLETFLOW_KEY_RING_FILE')
    .action(lazily(() => import('./replay')));

  program
    .command('contract-check')
    .argument('<folder>', 'OpenAPI 3 files, YAML or JSON')
    .description('where published OpenAPI files and the contract differ; 0 when every difference is a known one')
    .option('--json', 'answer as JSON')
    .action(lazily(() => import('./contractCheck')));

  hintAtOwnHelp(program.commands, 'walletflow');
  return program;
}

/** What was wrong in a command is told by the help of that command. */
function hintAtOwnHelp(commands: readonly Command[], path: string): void {
  for (const command of commands) {
    const own = `${path} ${command.name()}`;
    command.showHelpAfterError(`(${own} --help shows how)`);
    hintAtOwnHelp(command.commands, own);
  }
}

function version(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}

function port(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

function speed(text: string): number {
  const number = Number(text);
  if (/^\d*\.?\d+$/.test(text) && number >= 0) return number;
  throw new InvalidArgumentError('A speed is a number such as 1 or 60; 0 stands still.');
}
