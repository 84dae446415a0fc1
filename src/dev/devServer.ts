import { Connection } from '@temporalio/client';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { connectOptions, type TemporalTarget } from '../temporal/connection';
import { isAtLeast, MIN_SERVER_VERSION, temporalBinary } from './temporalBinary';

const HOST = '127.0.0.1';
const NAMESPACE = 'default';
const READY_TIMEOUT_MS = 60_000;
/** Shorter than `READY_TIMEOUT_MS`: the server of TEMPORAL_ADDRESS does not have to start first. */
const EXISTING_SERVER_TIMEOUT_MS = 5_000;
const PORT_ATTEMPTS = 3;

/** Additions to the server's defaults, as JSON values. Limits (visibility: 10 queries per second) are as in production. */
const DYNAMIC_CONFIG: Readonly<Record<string, string>> = {
  'frontend.WorkflowTimeSkippingEnabled': 'true',
  // How far ahead the server reads timers. With the default of 1 s, each backoff would take 1 s after its time was skipped.
  'history.timerProcessorMaxTimeShift': '"20ms"',
  // On a busy machine the server may dispatch a retry twice. Without this setting, the second one would be taken for
  // the next attempt, possibly hours too early.
  'system.enableActivityRetryStampIncrement': 'true',
};

/**
 * A guard process that runs the server until its standard input closes. The server therefore ends together with this
 * process, even after SIGKILL. Guard and server have their own process groups: Ctrl-C in a terminal reaches this process
 * only, so that a worker can drain.
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
  /** Whether to serve Temporal's web UI; false by default. */
  ui?: boolean;
  /** Further dynamic configuration, as JSON values like in `--dynamic-config-value`. */
  dynamicConfig?: Readonly<Record<string, string>>;
  /** Called with one line for each step of a download. */
  progress?: (line: string) => void;
}

export interface DevServer extends TemporalTarget {
  uiUrl?: string;
  /** Ends an embedded server. Does nothing to the server of TEMPORAL_ADDRESS. */
  stop(): Promise<void>;
}

/** The embedded server did not start, or the server of TEMPORAL_ADDRESS does not respond or is too old. */
export class DevServerError extends Error {
  override readonly name = 'DevServerError';
}

/**
 * A Temporal server for the demo, `walletflow dev` and tests: the server of TEMPORAL_ADDRESS if it is set, else an embedded
 * one in memory with the search attributes of Walletflow. A server of TEMPORAL_ADDRESS is not configured here: register
 * the search attributes, and enable `frontend.WorkflowTimeSkippingEnabled` if time has to be skipped.
 *
 * @throws TemporalBinaryError, DevServerError
 */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  if (process.env.TEMPORAL_ADDRESS) {
    const { address, namespace } = connectOptions();
    await waitUntilReady({ address, namespace }, EXISTING_SERVER_TIMEOUT_MS);
    return { address, namespace, stop: async () => {} };
  }
  const binary = await temporalBinary(options.progress ?? (() => {}));
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(binary, options);
    } catch (error) {
      // Another process may take the free port before the server does.
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
  // The guard does not keep this process running. If this process ends without `stop`, the guard ends as well.
  for (const handle of [guard, guard.stdin, guard.stderr] as { unref?(): void }[]) handle.unref?.();
  const stop = async () => {
    if (guard.exitCode !== null || guard.signalCode !== null) return;
    const exited = once(guard, 'exit');
    // Keep this process running until the guard has ended.
    guard.ref();
    guard.stdin.end();
    await exited;
  };
  try {
    await Promise.race([waitUntilReady({ address, namespace: NAMESPACE }), rejectOnExit(guard)]);
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

/** Resolves when the server responds and has the namespace. */
async function waitUntilReady({ address, namespace }: TemporalTarget, timeoutMs = READY_TIMEOUT_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await checkListening(address);
      const { namespace: _, ...options } = connectOptions({ address, namespace });
      const connection = await Connection.connect(options);
      try {
        const { serverVersion } = await connection.workflowService.getSystemInfo({});
        if (!isAtLeast(serverVersion, MIN_SERVER_VERSION)) {
          throw new DevServerError(
            `The Temporal server at ${address} has version ${serverVersion}, but skipping time needs ` +
              `${MIN_SERVER_VERSION} or newer. Unset TEMPORAL_ADDRESS to use the embedded server.`,
          );
        }
        await connection.workflowService.describeNamespace({ namespace });
        // A server that has just started may not find a namespace yet that it can describe.
        await connection.workflowService.countWorkflowExecutions({ namespace });
        return;
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (error instanceof DevServerError) throw error;
      if (Date.now() > deadline) {
        const reason = error instanceof Error ? error.message : String(error);
        const hint = process.env.TEMPORAL_ADDRESS
          ? '. It is the server of TEMPORAL_ADDRESS, which may be left over from an ended `walletflow dev`. ' +
            'Unset the variable to use the embedded server.'
          : '';
        throw new DevServerError(`The Temporal server at ${address} did not respond: ${reason}${hint}`, {
          cause: error,
        });
      }
      await sleep(30);
    }
  }
}

/** Rejects if no process listens. It is faster than gRPC, which waits a second after a refused connection. */
async function checkListening(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = net.connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect').finally(() => socket.destroy());
}

/** Rejects when the server exits unexpectedly. The error contains what the server wrote to stderr. */
async function rejectOnExit(guard: ChildProcess): Promise<never> {
  let output = '';
  guard.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-4_000)));
  await once(guard, 'close');
  throw new DevServerError(`The embedded Temporal server ended during startup: ${output.trim()}`);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, HOST));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
