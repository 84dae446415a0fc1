import { NativeConnection } from '@temporalio/worker';
import { connectOptions, type ConnectOptions, type TemporalTarget, TemporalUnreachableError } from './connection';

/**
 * Proxies commonly allow 100 open requests on a connection. Workers also complete their tasks over it, so polls must leave
 * room, even when all Workers of a connection have as many open as they may.
 */
const POLLS_PER_CONNECTION = 80;

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
  /** Polls that the Workers of the latest connection may have open. */
  #polls = 0;

  /** @param main for the client of activities, and for health checks: polls never delay its requests */
  constructor(
    readonly main: NativeConnection,
    readonly namespace: string,
    private readonly options: Omit<ConnectOptions, 'namespace'>,
  ) {}

  /** The connection of the next Worker. @param polls how many it may have open @throws TemporalUnreachableError */
  take(polls: number): Promise<NativeConnection> {
    this.#polls += polls;
    if (this.#shared.length === 0 || this.#polls > POLLS_PER_CONNECTION) {
      this.#shared.push(open(this.options));
      this.#polls = polls;
    }
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
