import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { connectOptions, type TemporalTarget } from './connection';
import { isAtLeast, NEEDED_SERVER, temporalBinary } from './temporalBinary';

const HOST = '127.0.0.1';
const NAMESPACE = 'default';
const READY_TIMEOUT_MS = 60_000;
/** A server that is said to be there answers soon, or isn't. */
const GIVEN_TIMEOUT_MS = 5_000;
const PORT_ATTEMPTS = 3;

/** Beyond the server's defaults, JSON values. Its limits (visibility: 10 queries a second) stay as in production. */
const DYNAMIC_CONFIG: Readonly<Record<string, string>> = {
  'frontend.WorkflowTimeSkippingEnabled': 'true',
  // How far ahead timers are read; the default of 1 s is also how long each back-off takes after its time was skipped.
  'history.timerProcessorMaxTimeShift': '"20ms"',
  // A retry that was handed out twice, as happens on a busy machine, would else count as the next attempt, hours early.
  'system.enableActivityRetryStampIncrement': 'true',
};

/**
 * Runs the server for as long as this process holds its standard input, so that it ends with us however we end, SIGKILL
 * included. Both are in process groups of their own: Ctrl-C in a terminal reaches us alone, and a worker can drain.
 */
const GUARD = `
  const { spawn } = require('node:child_process');
  const [command, ...args] = process.argv.slice(1);
  const windows = process.platform === 'win32';
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: !windows });
  const end = () => (windows ? server.kill() : process.kill(-server.pid, 'SIGKILL'));
  process.stdin.on('end', end).on('error', end).resume();
  server.on('error', (error) => { process.stderr.write(String(error)); process.exit(1); });
  server.on('exit', (code) => process.exit(code ?? 0));
`;

export interface DevServerOptions {
  /** Temporal's web UI on a port of its own; off by default. */
  ui?: boolean;
  /** More dynamic configuration: JSON values, as in `--dynamic-config-value`. */
  dynamicConfig?: Readonly<Record<string, string>>;
  /** Told in a line each what is fetched, when something is. */
  progress?: (line: string) => void;
}

export interface DevServer extends TemporalTarget {
  uiUrl?: string;
  /** Ends an embedded server; leaves one of TEMPORAL_ADDRESS alone. */
  stop(): Promise<void>;
}

/** The embedded server did not start, or the given one is too old. */
export class DevServerError extends Error {
  override readonly name = 'DevServerError';
}

/**
 * A Temporal server for demo, dev and tests: that of TEMPORAL_ADDRESS when set, else an embedded one in memory, ready and
 * with our search attributes. A given server is used as it is: register the search attributes, and switch on
 * `frontend.WorkflowTimeSkippingEnabled` if time is to be skipped.
 *
 * @throws TemporalBinaryError, DevServerError
 */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  if (process.env.TEMPORAL_ADDRESS) {
    const { address, namespace } = connectOptions();
    await ready({ address, namespace }, GIVEN_TIMEOUT_MS);
    return { address, namespace, stop: async () => {} };
  }
  const binary = await temporalBinary(options.progress ?? (() => {}));
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(binary, options);
    } catch (error) {
      // A port that was free can be taken by another process before the server has it.
      const portTaken = error instanceof DevServerError && /address already in use/i.test(error.message);
      if (!portTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function launch(binary: string, options: DevServerOptions): Promise<DevServer> {
  const [port, uiPort] = await freePorts(2);
  const address = `${HOST}:${port}`;
  const guard = spawn(process.execPath, ['-e', GUARD, binary, ...serverArguments(port!, uiPort!, options)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  // A process that is done with its work may end without `stop`; the guard sees it.
  for (const handle of [guard, guard.stdin, guard.stderr] as { unref?(): void }[]) handle.unref?.();
  const stop = async () => {
    if (guard.exitCode !== null || guard.signalCode !== null) return;
    const exited = once(guard, 'exit');
    // Whoever stops it waits for it, even where nothing else is left to wait for.
    guard.ref();
    guard.stdin.end();
    await exited;
  };
  try {
    await Promise.race([ready({ address, namespace: NAMESPACE }), failure(guard)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, namespace: NAMESPACE, ...(options.ui && { uiUrl: `http://${HOST}:${uiPort}` }), stop };
}

function serverArguments(port: number, uiPort: number, options: DevServerOptions): string[] {
  const dynamicConfig = Object.entries({ ...DYNAMIC_CONFIG, ...options.dynamicConfig });
  return [
    'server',
    'start-dev',
    `--ip=${HOST}`,
    `--port=${port}`,
    '--log-level=error',
    ...(options.ui ? [`--ui-port=${uiPort}`, '--ui-disable-news-fetch'] : ['--headless']),
    ...dynamicConfig.flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ...Object.values(SEARCH_ATTRIBUTES).flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

/** Resolves when the namespace answers. */
async function ready({ address, namespace }: TemporalTarget, timeoutMs = READY_TIMEOUT_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await listening(address);
      const { namespace: _, ...options } = connectOptions({ address, namespace });
      const connection = await Connection.connect(options);
      try {
        const { serverVersion } = await connection.workflowService.getSystemInfo({});
        if (!isAtLeast(serverVersion, NEEDED_SERVER)) {
          throw new DevServerError(
            `The Temporal server at ${address} is ${serverVersion}; ${NEEDED_SERVER} or newer is needed, since time is ` +
              'skipped. Unset TEMPORAL_ADDRESS to use the embedded one.',
          );
        }
        await connection.workflowService.describeNamespace({ namespace });
        return;
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (error instanceof DevServerError) throw error;
      if (Date.now() > deadline) {
        const reason = error instanceof Error ? error.message : String(error);
        const given = process.env.TEMPORAL_ADDRESS
          ? '. TEMPORAL_ADDRESS names it: unset it to use the embedded server (a shell keeps it from a dev that has ended)'
          : '';
        throw new DevServerError(`The Temporal server at ${address} did not answer: ${reason}${given}`, {
          cause: error,
        });
      }
      await sleep(30);
    }
  }
}

/** Rejects when nobody listens. Asked before gRPC is, which waits a second after it was refused. */
async function listening(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = net.connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect').finally(() => socket.destroy());
}

/** Rejects when the server ends by itself, with what it wrote to stderr. */
async function failure(guard: ChildProcess): Promise<never> {
  let output = '';
  guard.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-4_000)));
  await once(guard, 'close');
  throw new DevServerError(`The embedded Temporal server ended at start: ${output.trim()}`);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, HOST));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
