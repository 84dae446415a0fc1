import path from 'node:path';
import { Client } from '@temporalio/client';
import { type NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import {
  type ActivityDeps,
  type ApiActivities,
  createApiActivities,
  createDeliveryActivities,
  createLocalActivities,
} from '../activities';
import type { FlowSinks } from '../workflows/kit/runFlow';
import { checkChain, createApi, type Entity, type OperationId } from './api';
import type { Dispatcher } from 'undici';
import type { IncidentListener } from './api/breaker';
import { EntityLimits } from './api/limits';
import { UserTokens } from './api/userTokens';
import type { KeyRing } from './crypto/keyRing';
import { EncryptingCodec } from './crypto/payloadCodec';
import { opener, sealer } from './crypto/sealing';
import type { SealingKeys } from './crypto/sealingKeys';
import { API_ACTIVITIES, apiQueue, flowQueue } from './domain/activityTable';
import type { IdentityVerifier } from './identity/verifier';
import { type Logger, temporalLogger } from './logger';
import { type Metrics, sdkMetrics } from './metrics';
import type { Policies } from './policies';
import { ApiActivityInterceptor } from './temporal/activityInterceptor';
import { dataConverter } from './temporal/dataConverter';
import { permitSlots } from './temporal/permitSlots';

/** Where `npm run build` leaves the workflow bundle. */
export const BUNDLE_DIR = path.resolve(__dirname, '..');

/** Slots of what is not limited by permits. */
const FLOW_SLOTS = { workflows: 100, localActivities: 100 };
/** Not used by these Workers; the tuner wants a number. */
const NO_SLOTS = { type: 'fixed-size', numSlots: 2 } as const;

export interface WorkersOptions {
  entity: Entity;
  connection: NativeConnection;
  namespace: string;
  /** What activities signal and start workflows with; over `connection` where left out. */
  client?: Client;
  /** Checked bundle of `loadBundle`. */
  bundlePath: string;
  keyRing: KeyRing;
  /** With private keys. */
  sealingKeys: SealingKeys;
  policies: Policies;
  /** Says who the people are that speak to flows. */
  identities: IdentityVerifier;
  logger: Logger;
  metrics: Metrics;
  dispatcher: Dispatcher;
  /** Part of every limit that this process may use, 0 to 1. */
  apiShare: number;
  /** How long running requests may take to end when the worker is told to stop; longer than the HTTP timeout. */
  shutdownGraceMs: number;
}

/** Everything that works for one entity in this process. */
export interface EntityWorkers {
  limits: EntityLimits;
  /** Runs until `shutdown`; rejects when a Worker fails. */
  run(): Promise<void>;
  /** Takes no more tasks, lets running requests end, then `run` resolves. */
  shutdown(): void;
  /** Whether all Workers are polling. */
  running(): boolean;
}

/** Once in a process, before anything of the SDK: its logger and metrics. @param metricsAddress loopback `host:port` */
export function installRuntime(logger: Logger, metricsAddress?: string): void {
  Runtime.install({
    logger: temporalLogger(logger),
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(metricsAddress && { metrics: sdkMetrics(metricsAddress) }),
    },
    shutdownSignals: [],
  });
}

/**
 * The Workers of one entity: one for its flows, and one for each bucket of the API, whose slots are permits (DESIGN
 * rule 4).
 */
export async function createWorkers(options: WorkersOptions): Promise<EntityWorkers> {
  const { entity, logger, metrics } = options;
  const limits = new EntityLimits(entity.name, options.apiShare, incidentListener(logger, metrics));
  const workers = await Promise.all([flowWorker(options), ...apiWorkers(options, limits)]);
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    limits,
    async run() {
      const ends = workers.map(async (worker) => {
        try {
          await worker.run();
        } catch (error) {
          // One that failed must not leave the others polling; their running requests still end.
          shutdown();
          throw error;
        }
      });
      const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
    shutdown,
    running: () => workers.every((worker) => worker.getState() === 'RUNNING'),
  };
}

function commonOptions(
  options: WorkersOptions,
): Pick<WorkerOptions, 'connection' | 'namespace' | 'dataConverter' | 'shutdownGraceTime' | 'shutdownForceTime'> {
  return {
    connection: options.connection,
    namespace: options.namespace,
    dataConverter: dataConverter([new EncryptingCodec(options.keyRing)]),
    shutdownGraceTime: options.shutdownGraceMs,
    shutdownForceTime: options.shutdownGraceMs + 5_000,
  };
}

function flowWorker(options: WorkersOptions): Promise<Worker> {
  const { entity, metrics } = options;
  const deps = activityDeps(options);
  return Worker.create({
    ...commonOptions(options),
    taskQueue: flowQueue(entity.name),
    workflowBundle: { codePath: options.bundlePath },
    activities: { ...createLocalActivities(deps), ...createDeliveryActivities(deps) },
    maxConcurrentWorkflowTaskExecutions: FLOW_SLOTS.workflows,
    maxConcurrentLocalActivityExecutions: FLOW_SLOTS.localActivities,
    sinks: {
      flows: {
        ended: { fn: (_info, flow, status) => metrics.flowEnded(flow, status), callDuringReplay: false },
      },
    } satisfies import('@temporalio/worker').InjectedSinks<FlowSinks>,
  });
}

/** A Worker for each endpoint that some activity calls. */
function apiWorkers(options: WorkersOptions, limits: EntityLimits): Promise<Worker>[] {
  const { entity, metrics } = options;
  const activities = createApiActivities(activityDeps(options, limits));
  const endpoints = new Set(Object.values(API_ACTIVITIES).map(({ endpoint }) => endpoint));
  return [...endpoints].map((endpoint) => {
    const bucket = limits.bucket(endpoint);
    return Worker.create({
      ...commonOptions(options),
      taskQueue: apiQueue(entity.name, endpoint),
      activities: only(activities, endpoint),
      activityTaskPollerBehavior: { type: 'simple-maximum', maximum: bucket.size },
      tuner: {
        workflowTaskSlotSupplier: NO_SLOTS,
        activityTaskSlotSupplier: permitSlots(bucket, (seconds) => metrics.permitWait(endpoint, seconds)),
        localActivityTaskSlotSupplier: NO_SLOTS,
        nexusTaskSlotSupplier: NO_SLOTS,
      },
      interceptors: {
        activity: [
          (context) => ({ inbound: new ApiActivityInterceptor(context, limits, (name) => metrics.throttled(name)) }),
        ],
      },
    });
  });
}

function only(activities: ApiActivities, endpoint: OperationId): Partial<ApiActivities> {
  return Object.fromEntries(
    Object.entries(activities).filter(([name]) => API_ACTIVITIES[name as keyof ApiActivities].endpoint === endpoint),
  );
}

function activityDeps(options: WorkersOptions, limits?: EntityLimits): ActivityDeps {
  const { entity, connection, namespace, dispatcher, metrics, keyRing, sealingKeys, policies, identities, logger } =
    options;
  const permit = limits && ((endpoint: OperationId) => takeOnce(limits, endpoint));
  const api = createApi(entity, {
    dispatcher,
    logger,
    onResponse: ({ endpoint, status, code, durationMs }) => {
      metrics.apiRequest({ entity: entity.name, endpoint, status, code: code ?? 0, seconds: durationMs / 1_000 });
      if (status > 0) limits?.bucket(endpoint as OperationId).answered(durationMs);
    },
    permit,
  });
  return {
    entity: entity.name,
    chainProblem: (chain: string) => checkChain(entity, chain),
    api,
    userTokens: new UserTokens(api, permit),
    client:
      options.client ??
      new Client({ connection, namespace, dataConverter: dataConverter([new EncryptingCodec(keyRing)]) }),
    keyRing,
    opener: opener(sealingKeys),
    sealer: sealer(sealingKeys),
    policies,
    events: entity.events,
    dispatcher,
    identities,
    logger,
  };
}

/** For the client's own credential requests: a permit of their bucket, counted from the answer. */
async function takeOnce(limits: EntityLimits, endpoint: OperationId): Promise<() => void> {
  const permit = await limits.bucket(endpoint).take(new AbortController().signal);
  return () => permit.use();
}

function incidentListener(logger: Logger, metrics: Metrics): IncidentListener {
  return {
    opened({ entity, code, remedy }) {
      metrics.incidentOpened(entity);
      logger.error(
        { entity, code, remedy },
        'Incident: the API refuses the credentials; nothing is sent for the entity',
      );
    },
    closed({ entity, code, since }) {
      metrics.incidentClosed(entity);
      logger.info({ entity, code, since }, 'Incident over: the API takes the credentials again');
    },
  };
}
