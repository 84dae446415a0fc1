import type { NativeConnection } from '@temporalio/worker';
import { createDispatcher, type Entity } from '../api';
import { isLoopback } from '../api/url';
import { type HealthCheck, type HealthServer, startHealth } from '../health';
import type { RefusedPolls } from '../temporal/refusedPolls';
import { missingSearchAttributes } from '../temporal/searchAttributes';
import { createWorkers, type EntityWorkers, type WorkersOptions } from '../worker';

export interface WorkerProcessOptions extends Omit<WorkersOptions, 'entity' | 'dispatcher'> {
  entities: readonly Entity[];
  healthAddress: { host: string; port: number };
  refusedPolls: RefusedPolls;
}

/** The running workers of this process with their health server. */
export interface WorkerProcess {
  health: HealthServer;
  /** Rejects when a Worker fails; resolves after `drain`. */
  ended: Promise<void>;
  /** Stops polling for tasks, waits for running activities, and closes the health server last. */
  drain(): Promise<void>;
}

/** The namespace lacks search attributes that every flow sets. */
export class MissingSearchAttributesError extends Error {
  override readonly name = 'MissingSearchAttributesError';

  constructor(names: readonly string[], namespace: string) {
    super(
      `Namespace ${namespace} lacks the search attribute${names.length > 1 ? 's' : ''} ${names.join(', ')}, which ` +
        'every flow needs. Run: walletflow setup',
    );
  }
}

/** @throws MissingSearchAttributesError, SearchAttributeTypeError */
export async function requireSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length > 0) throw new MissingSearchAttributesError(missing, namespace);
}

/** Starts the workers of all entities, with health and metrics. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const { entities, healthAddress, metrics } = options;
  const dispatchers = entities.map(({ hosts }) => createDispatcher({ offline: isLoopback(hosts.api) }));
  const workers = await Promise.all(
    entities.map((entity, index) => createWorkers({ ...options, entity, dispatcher: dispatchers[index]! })),
  );
  const ended = Promise.all(workers.map((each) => each.run())).then(() => {});
  // Callers that await `ended` get the failure. Until they do, it must not become an unhandled rejection.
  ended.catch(() => {});
  const health = await startHealth({
    address: healthAddress,
    checks: checks(options, workers),
    metrics,
  });
  return {
    health,
    ended,
    async drain() {
      health.drain();
      for (const each of workers) each.shutdown();
      await ended.catch(() => {});
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
      await health.close();
    },
  };
}

function checks(
  { connections, entities, refusedPolls }: WorkerProcessOptions,
  workers: readonly EntityWorkers[],
): Record<string, HealthCheck> {
  return {
    temporal: async () => {
      await connections.main.workflowService.getSystemInfo({});
      return true;
    },
    polls: () => !refusedPolls.any,
    ...Object.fromEntries(entities.map(({ name }, index) => [`workers/${name}`, () => workers[index]!.running()])),
  };
}
