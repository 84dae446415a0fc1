import { NativeConnection } from '@temporalio/worker';
import { connectOptions, type ConnectOptions, type TemporalTarget, TemporalUnreachableError } from './connection';

/**
 * Workers that share a connection. Proxies commonly allow 100 or 128 open requests on one. A Worker has one poll open while
 * nothing waits, that of the flows up to thirty under load; and if polls took all the room, no task could be completed.
 */
const WORKERS_PER_CONNECTION = 25;

/**
 * Connects a worker. It is not in `connection.ts`, because a backend must not load the worker package (native code,
 * webpack).
 *
 * @throws TemporalUnreachableError
 */
export async function connectWorker(
  target?: Partial<TemporalTarget>,
): Promise<{ connection: NativeConnection; namespace: string }> {
  const { namespace, ...options } = connectOptions(target);
  return { connection: await open(options), namespace };
}

/** @throws TemporalUnreachableError */
export async function connectWorkers(target?: Partial<TemporalTarget>): Promise<WorkerConnections> {
  const { namespace, ...options } = connectOptions(target);
  return new WorkerConnections(await open(options), namespace, options);
}

/** The connections of a process that runs many Workers (docs/operations.md#polls). */
export class WorkerConnections {
  readonly #shared: Promise<NativeConnection>[] = [];
  #taken = 0;

  /** @param main for everything but Workers: polls never delay its requests */
  constructor(
    readonly main: NativeConnection,
    readonly namespace: string,
    private readonly options: Omit<ConnectOptions, 'namespace'>,
  ) {}

  /** The connection of the next Worker. @throws TemporalUnreachableError */
  take(): Promise<NativeConnection> {
    if (this.#taken++ % WORKERS_PER_CONNECTION === 0) this.#shared.push(open(this.options));
    return this.#shared.at(-1)!;
  }

  /** Closes all of them. The Workers must have ended. */
  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#shared);
    const shared = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all([this.main, ...shared].map((connection) => connection.close()));
  }
}

async function open(options: Omit<ConnectOptions, 'namespace'>): Promise<NativeConnection> {
  return NativeConnection.connect(options).catch((error: unknown) => {
    throw new TemporalUnreachableError(options.address, error);
  });
}
