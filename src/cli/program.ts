import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES } from '../domain/codes';
import { FLOW_NAMES, FLOW_SUMMARIES, isFlowName } from '../domain/flowNames';
import { FLOW_STATUSES } from '../domain/flowStatus';
import { EXIT, EXIT_CODES_HELP, type ExitCode } from './exitCodes';
import { failureOf } from './failure';
import { inputRequestHelp } from './inputRequestHelp';
import { packageRoot } from './packageRoot';
import type { Terminal } from './terminal';

/** The module of a subcommand. It is loaded only when it runs, so `walletflow --help` stays fast. */
interface Subcommand<O, A extends unknown[]> {
  run(terminal: Terminal, options: O, ...args: A): Promise<ExitCode | void>;
}

/**
 * Runs one command line.
 * @param args the arguments without `node` and the script
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  let debug = false;
  // Known before commander parses, because it fails while it does.
  const json = args.includes('--json');
  const fail = (message: string, code: ExitCode): void =>
    terminal.err(json ? JSON.stringify({ error: message, exitCode: code }) : message);

  /** An action for commander, which passes positional arguments first, then options, then the command itself. */
  const lazily =
    <O, A extends unknown[]>(load: () => Promise<Subcommand<O, A>>) =>
    async (...actionArgs: unknown[]): Promise<void> => {
      const [options, command] = actionArgs.slice(-2) as [O, Command];
      debug = command.optsWithGlobals<{ debug?: boolean }>().debug === true;
      const module = await load();
      exitCode = (await module.run({ ...terminal, debug }, options, ...(actionArgs.slice(0, -2) as A))) ?? EXIT.done;
    };

  try {
    const output = json ? { ...terminal, err: () => {} } : terminal;
    await makeProgram(output, lazily, await startHelp(args)).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      // Without --json, commander has already printed the error.
      if (json) fail(error.message.replace(/^error: /, ''), EXIT.usage);
      return EXIT.usage;
    }
    const { exitCode: code, message } = failureOf(error);
    if (debug && error instanceof Error) terminal.err(error.stack ?? error.message);
    else fail(message, code);
    return code;
  }
}

type Lazily = <O, A extends unknown[]>(
  load: () => Promise<Subcommand<O, A>>,
) => (...actionArgs: unknown[]) => Promise<void>;

const FLOW_REF_HELP = 'flow and ref, such as transfer/inv-42';
const AS_HELP = 'your name in the token, if a local issuer is configured; default: your login name';
const TOKEN_FILE_HELP = 'file with your token; - for standard input';
const ID_HELP = 'message id; sending the same id again has no further effect';
const JSON_HELP = 'print JSON';
const CLOCK_SPEED_HELP = "speed of the emulator's clock; 1 is real time, 60 makes an hour last a minute";

const FLOWS_HELP = `\nFlows:\n${FLOW_NAMES.map((name) => `  ${name.padEnd(16)}${FLOW_SUMMARIES[name]}`).join('\n')}`;

/** The input fields for `start FLOW --help`. Other command lines load nothing here. */
async function startHelp([command, flow, ...rest]: readonly string[]): Promise<string> {
  if (command !== 'start' || flow === undefined || ![flow, ...rest].some((arg) => arg === '--help' || arg === '-h'))
    return '';
  if (!isFlowName(flow)) return '';
  const { flowInputHelp } = await import('./flowInputHelp');
  const lines = flowInputHelp(flow).map((line) => `  ${line}`);
  return `\nInput of ${flow}:\n${lines.join('\n')}`;
}

/**
 * The definition of the command line.
 * @param lazily makes the action of a command from its module
 * @param inputHelp the input fields of a flow, for the help of `start`
 */
export function makeProgram({ out, err }: Terminal, lazily: Lazily, inputHelp: string): Command {
  const program = new Command('walletflow')
    .description('Durable wallet flows on Temporal')
    .version(version(), '--version')
    .option('--debug', 'show stack traces and debug logs')
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) })
    .showHelpAfterError('(see walletflow --help)')
    .addHelpText('after', EXIT_CODES_HELP);

  program
    .command('demo')
    .description('run example flows offline, with an embedded Temporal server, the emulator and a worker')
    .option('--all', 'run all example flows')
    .action(lazily(() => import('./demo')));

  program
    .command('dev')
    .description(
      'run Temporal, the emulator, a worker and a gateway until Ctrl-C, for your backend and the other commands',
    )
    .option('--clock-speed <n>', CLOCK_SPEED_HELP, speed, 1)
    .option('--events <url>', 'endpoint of your backend, on this machine, that receives the events of flows')
    .action(lazily(() => import('./dev')));

  program
    .command('worker')
    .description('run the workers of all configured entities until SIGTERM or Ctrl-C')
    .action(lazily(() => import('./worker')));

  program
    .command('gateway')
    .description('receive the webhooks of all configured entities until SIGTERM or Ctrl-C')
    .action(lazily(() => import('./gateway')));

  program
    .command('emulator')
    .description('run an emulator of the API, in memory')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 picks a free one', port, 4010)
    .option(
      '--api-key <key>',
      'serve one world, with this API key; without it, every well-formed API key opens a separate world',
    )
    .option('--entity-secret <hex>', 'entity secret of that world, 64 hexadecimal characters')
    .addOption(
      new Option(
        '--idempotency <mode>',
        `response to a used idempotency key: error ${CODES.idempotencyKeyUsed} (reject) or the first response (replay)`,
      )
        .choices(['reject', 'replay'])
        .default('reject'),
    )
    .option('--clock-speed <n>', CLOCK_SPEED_HELP, speed, 1)
    .option('--state <file>', 'file that keeps the worlds, their keys and secrets across restarts; created if missing')
    .action(lazily(() => import('./emulator')));

  program
    .command('setup')
    .description(
      'register search attributes in the Temporal namespace and subscribe to webhooks of the API; safe to repeat',
    )
    .action(lazily(() => import('./setup')));

  program
    .command('start')
    .argument('<flow>', FLOW_NAMES.join(', '))
    .description('start a flow, or find the existing one with the same ref and input')
    .requiredOption(
      '--input <file>',
      'JSON file with the input; - for standard input; start FLOW --help lists the fields',
    )
    .option('--ref <ref>', 'your opaque id for the flow; may also be the field "ref" of the input')
    .option('--policy <name>', 'policy for the flow')
    .addOption(
      new Option('--priority <priority>', "priority of the flow's requests when they wait for a rate limit").choices([
        'urgent',
        'normal',
        'bulk',
      ]),
    )
    .option('--as <name>', AS_HELP)
    .option('--token-file <file>', TOKEN_FILE_HELP)
    .option('--json', JSON_HELP)
    .addHelpText('after', inputHelp || FLOWS_HELP)
    .action(lazily(() => import('./start')));

  program
    .command('status')
    .argument('<flow/ref>', FLOW_REF_HELP)
    .description('show the state of a flow')
    .option('--json', JSON_HELP)
    .action(lazily(() => import('./status')));

  program
    .command('lane')
    .argument('<wallet-id>', 'id of the wallet at the API')
    .description('show which flows send from a wallet, which wait for their turn, and what blocks them')
    .option('--json', JSON_HELP)
    .action(lazily(() => import('./lane')));

  program
    .command('watch')
    .argument('<flow/ref>', FLOW_REF_HELP)
    .description('follow a flow until it ends or Ctrl-C; exit code 0 if it completed')
    .option('--json', 'print one line of JSON per change')
    .action(lazily(() => import('./watch')));

  program
    .command('list')
    .description("list the entity's flows, running flows first")
    .option('--flow <flow>', FLOW_NAMES.join(', '))
    .addOption(
      new Option('--status <status>', 'only flows that are running, or that ended with this status').choices(
        FLOW_STATUSES,
      ),
    )
    .option('--attention', 'only flows that wait for a decision')
    .option('--since <duration>', 'only flows that started within this duration, such as "24 hours"')
    .option('--limit <n>', 'one page of at most this many flows, 1 to 1000', Number)
    .option(
      '--page-token <token>',
      'continue at the token that a list with the same filter printed (100 flows without --limit); --since may differ',
    )
    .option('--json', 'print one line of JSON per flow')
    .action(lazily(() => import('./list')));

  program
    .command('decide')
    .argument('<flow/ref>', FLOW_REF_HELP)
    .argument('<choice>', 'one of the choices that status shows')
    .description('make the decision that a flow waits for')
    .option(
      '--attention <id>',
      'the question that the choice is for, as status shows it; default: what the flow asks now',
    )
    .option('--as <name>', AS_HELP)
    .option('--token-file <file>', TOKEN_FILE_HELP)
    .option('--id <id>', ID_HELP)
    .option('--json', JSON_HELP)
    .action(lazily(() => import('./decide')));

  program
    .command('provide')
    .argument('<flow/ref>', FLOW_REF_HELP)
    .argument('<name>', 'name of an input that status shows after "asks for"')
    .description('provide an input that a flow asks for')
    .option('--input <file>', 'JSON file with the fields; - for standard input')
    .option('--field <name=value...>', 'individual fields; secret fields must come from --input')
    .option('--as <name>', AS_HELP)
    .option('--token-file <file>', TOKEN_FILE_HELP)
    .option('--id <id>', ID_HELP)
    .option('--json', JSON_HELP)
    .addHelpText('after', () => `\nInputs and their fields:\n${inputRequestHelp().join('\n')}`)
    .action(lazily(() => import('./provide')));

  program
    .command('cancel')
    .argument('<flow/ref>', FLOW_REF_HELP)
    .description('cancel a flow, if that is still possible')
    .option('--as <name>', AS_HELP)
    .option('--token-file <file>', TOKEN_FILE_HELP)
    .option('--id <id>', ID_HELP)
    .option('--json', JSON_HELP)
    .action(lazily(() => import('./cancel')));

  const events = program
    .command('events')
    .description('handle webhooks that match no flow, and events that your endpoint did not accept');
  events
    .command('list')
    .description('list parked webhooks, oldest first')
    .option('--dead', 'list the events that your endpoint did not accept, instead of parked webhooks')
    .option('--json', 'print one line of JSON per event, with its content')
    .action(lazily(() => import('./events/list')));
  events
    .command('redeliver')
    .argument('<id>', 'id from events list')
    .description(
      'deliver a parked webhook again, as if it had just arrived; it stays parked if it still matches no flow',
    )
    .option('--json', JSON_HELP)
    .action(lazily(() => import('./events/redeliver')));
  events
    .command('resend')
    .argument('<id>', 'id from events list --dead')
    .description('resend an event that your endpoint rejected or did not accept within three days')
    .option('--json', JSON_HELP)
    .action(lazily(() => import('./events/resend')));

  program
    .command('token')
    .description('create a token with the local issuer, valid for five minutes; for development')
    .option('--as <name>', 'subject of the token; default: your login name')
    .action(lazily(() => import('./token')));

  program
    .command('api')
    .argument('[operation]', 'operation id, such as getTransaction')
    .description('send one request to the API and print the response as JSON')
    .option('--params <name=value...>', 'path parameters')
    .option('--query <name=value...>', 'query parameters')
    .option('--body <json>', 'body of the request: a file, - for standard input, or the JSON itself')
    .option('--user-token-file <file>', "file with the user's token, for operations that act for a user")
    .option('--list', 'list all operations; with an operation, list its parameters')
    .action(lazily(() => import('./api')));

  program
    .command('entity')
    .description('set up an entity in the API')
    .command('register-secret')
    .description("register the entity's first secret; to rotate or reset a secret, use the API's console")
    .requiredOption(
      '--recovery-file <file>',
      'path of the recovery file to create; you need the file to reset a lost secret',
    )
    .option(
      '--generate <file>',
      'generate a secret and write it to this new file; default: register the secret in entitySecretFile',
    )
    .action(lazily(() => import('./registerSecret')));

  program
    .command('replay')
    .argument('[files...]', 'recorded histories; default: those of the repository')
    .description('replay recorded histories with the workflow code of this build')
    .option('--key-ring <file>', 'key ring that decrypts the histories; default: WALLETFLOW_KEY_RING_FILE')
    .action(lazily(() => import('./replay')));

  program
    .command('contract-check')
    .argument('<folder>', 'folder with OpenAPI 3 files, YAML or JSON')
    .description('compare published OpenAPI files with the contract; exit code 0 if every difference is known')
    .option('--json', JSON_HELP)
    .action(lazily(() => import('./contractCheck')));

  addHelpHints(program.commands, 'walletflow');
  return program;
}

/** Makes a usage error point to the help of the command that failed. */
function addHelpHints(commands: readonly Command[], parent: string): void {
  for (const command of commands) {
    const commandLine = `${parent} ${command.name()}`;
    command.showHelpAfterError(`(see ${commandLine} --help)`);
    addHelpHints(command.commands, commandLine);
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
  throw new InvalidArgumentError('A speed is a number such as 1 or 60; 0 stops the clock.');
}
