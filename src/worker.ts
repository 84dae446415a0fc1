import type { Client } from '@temporalio/client';
import { type InjectedSinks, makeTelemetryFilterString, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import path from 'node:path';
import type { Dispatcher } from 'undici';
import {
  type ActivityDeps,
  type ApiActivities,
  createApiActivities,
  createDeliveryActivities,
  createLocalActivities,
} from '../activities';
import type { FlowSinks } from '../workflows/kit/flowSinks';
import { checkChain, createApi, type Entity, type OperationId } from './api';
import type { IncidentListener } from './api/breaker';
import { clientTakesPermits, EntityLimits } from './api/limits';
import { UserTokens } from './api/userTokens';
import type { KeyRing } from './crypto/keyRing';
import { EncryptingCodec } from './crypto/payloadCodec';
import { opener, sealer } from './crypto/sealing';
import type { SealingKeys } from './crypto/sealingKeys';
import { API_ACTIVITIES, apiQueue, flowQueue } from './domain/activityTable';
import { DEFAULT_MAX_OUTSTANDING } from './domain/walletLane';
import type { IdentityVerifier } from './identity/verifier';
import { type Logger, temporalLogger } from './logger';
import type { Metrics } from './metrics';
import type { Policies } from './policies';
import { ActivityEnvelopes } from './temporal/activityEnvelopes';
import { ApiActivityInterceptor } from './temporal/activityInterceptor';
import { createClient } from './temporal/client';
import { dataConverter } from './temporal/dataConverter';
import { KnownAnswers, KnownAnswersInterceptor } from './temporal/knownAnswers';
import { permitSlots } from './temporal/permitSlots';
import { sdkMetrics } from './temporal/sdkMetrics';
import { ensureSweepSchedule } from './temporal/sweepSchedule';
import type { WorkerConnections } from './temporal/workerConnection';

/** The folder to which `npm run build` writes the workflow bundle. */
export const BUNDLE_DIR = path.resolve(__dirname, '..');

/** The core reports a refused poll only at level debug. */
const LOG_FILTER = `${makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' })},temporalio_sdk_core::pollers::poll_buffer=DEBUG`;

/** Slots for tasks that no permits limit. */
const FLOW_SLOTS = { workflows: 100, localActivities: 100 };
/** Polls of each kind that the Worker of flows opens at most. */
const FLOW_POLLS = 10;
/** Slots for kinds of tasks that a Worker does not run. The tuner requires a number. */
const UNUSED_SLOTS = { type: 'fixed-size', numSlots: 2 } as const;

export interface WorkersOptions {
  entity: Entity;
  connections: WorkerConnections;
  /** The client with which activities signal and start workflows. By default a new one over the main connection. */
  client?: Client;
  /** `codePath` of `loadBundle`. */
  bundlePath: string;
  keyRing: KeyRing;
  /** Including the private keys. */
  sealingKeys: SealingKeys;
  policies: Policies;
  /** Verifies the tokens of actors. */
  identities: IdentityVerifier;
  logger: Logger;
  metrics: Metrics;
  /** Sends all requests to the API and to the integrator's endpoint. */
  dispatcher: Dispatcher;
  /** The share of each rate limit that this process may use, more than 0 and at most 1. */
  apiShare: number;
  /** How long running requests may take to end after `shutdown`. Must be longer than the HTTP timeout of 20 s. */
  shutdownGraceMs: number;
}

/** The options with the client of the entity's activities. */
type ReadyOptions = WorkersOptions & { client: Client };

/** The Workers of one entity in this process. */
export interface EntityWorkers {
  limits: EntityLimits;
  /** Resolves after `shutdown`; rejects if a Worker fails. */
  run(): Promise<void>;
  /** Stops polling and lets running requests end. `run` resolves after that. */
  shutdown(): void;
  /** Whether all Workers are polling. */
  running(): boolean;
}

/**
 * Sets logger and metrics of the SDK. Must be called once in a process, before anything else of the SDK.
 * @param options.metricsAddress loopback `host:port` for the SDK's exporter; without it, there are no SDK metrics
 * @param options.onRefusedPoll called for each poll that the server refused
 */
export function installRuntime(
  logger: Logger,
  { metricsAddress, onRefusedPoll }: { metricsAddress?: string; onRefusedPoll?: () => void } = {},
): void {
  Runtime.install({
    logger: temporalLogger(logger, onRefusedPoll),
    telemetryOptions: {
      logging: { forward: {}, filter: LOG_FILTER },
      ...(metricsAddress && { metrics: sdkMetrics(metricsAddress) }),
    },
    shutdownSignals: [],
  });
}

/**
 * Creates the Workers of one entity: one for its flows, and one for each bucket of the API, whose slots are permits
 * (docs/architecture.md#a-slot-is-a-permit). Also sets up the schedule of its sweeps.
 */
export async function createWorkers(options: WorkersOptions): Promise<EntityWorkers> {
  const { entity, logger, metrics, connections } = options;
  const client =
    options.client ??
    createClient([new EncryptingCodec(options.keyRing)], {
      connection: connections.main,
      namespace: connections.namespace,
    });
  const change = await ensureSweepSchedule(client, {
    entity: entity.name,
    everyMs: entity.sweepEveryMs,
    keyId: options.keyRing.currentId,
  });
  if (change !== 'none') logger.info({ entity: entity.name, change }, 'The schedule of the sweeps was set up');
  const limits = new EntityLimits(entity.name, options.apiShare, incidentListener(logger, metrics));
  const ready = { ...options, client };
  const workers = await Promise.all([flowWorker(ready), ...apiWorkers(ready, limits)]);
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    limits,
    async run() {
      const runs = workers.map(async (worker) => {
        try {
          await worker.run();
        } catch (error) {
          // If one Worker fails, the others stop polling as well. Their running requests still end.
          shutdown();
          throw error;
        }
      });
      const failed = (await Promise.allSettled(runs)).find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
    shutdown,
    running: () => workers.every((worker) => worker.getState() === 'RUNNING'),
  };
}

async function commonOptions(
  options: WorkersOptions,
  polls: number,
): Promise<
  Pick<WorkerOptions, 'connection' | 'namespace' | 'dataConverter' | 'shutdownGraceTime' | 'shutdownForceTime'>
> {
  return {
    connection: await options.connections.take(polls),
    namespace: options.connections.namespace,
    dataConverter: dataConverter([new EncryptingCodec(options.keyRing)]),
    shutdownGraceTime: options.shutdownGraceMs,
    shutdownForceTime: options.shutdownGraceMs + 5_000,
  };
}

async function flowWorker(options: ReadyOptions): Promise<Worker> {
  const { entity, metrics } = options;
  const deps = activityDeps(options);
  return Worker.create({
    // Workflow tasks of two queues, and activities.
    ...(await commonOptions(options, 3 * FLOW_POLLS)),
    taskQueue: flowQueue(entity.name),
    workflowBundle: { codePath: options.bundlePath },
    activities: { ...createLocalActivities(deps), ...createDeliveryActivities(deps) },
    workflowTaskPollerBehavior: scaledPolls(FLOW_POLLS),
    activityTaskPollerBehavior: scaledPolls(FLOW_POLLS),
    maxConcurrentWorkflowTaskExecutions: FLOW_SLOTS.workflows,
    maxConcurrentLocalActivityExecutions: FLOW_SLOTS.localActivities,
    interceptors: { activity: [(context) => ({ inbound: new ActivityEnvelopes(context, entity.name) })] },
    sinks: {
      flows: {
        ended: { fn: (_info, flow, status) => metrics.flowEnded(flow, status), callDuringReplay: false },
      },
    } satisfies InjectedSinks<FlowSinks>,
  });
}

/** One Worker for each endpoint that an activity calls. */
function apiWorkers(options: ReadyOptions, limits: EntityLimits): Promise<Worker>[] {
  const { entity, metrics } = options;
  const activities = createApiActivities(activityDeps(options, limits));
  const answers = new KnownAnswers();
  const endpoints = new Set(Object.values(API_ACTIVITIES).map(({ endpoint }) => endpoint));
  return [...endpoints].map(async (endpoint) => {
    const bucket = limits.bucket(endpoint);
    return Worker.create({
      ...(await commonOptions(options, bucket.size)),
      taskQueue: apiQueue(entity.name, endpoint),
      activities: activitiesFor(activities, endpoint),
      activityTaskPollerBehavior: scaledPolls(bucket.size),
      tuner: {
        workflowTaskSlotSupplier: UNUSED_SLOTS,
        // For some endpoints the client takes the permits. If idle polls held them, all requests of users would wait.
        activityTaskSlotSupplier: clientTakesPermits(endpoint)
          ? { type: 'fixed-size', numSlots: bucket.size }
          : permitSlots(bucket, (seconds) => metrics.permitWait(endpoint, seconds)),
        localActivityTaskSlotSupplier: UNUSED_SLOTS,
        nexusTaskSlotSupplier: UNUSED_SLOTS,
      },
      interceptors: {
        activity: [
          (context) => ({ inbound: new ActivityEnvelopes(context, entity.name) }),
          (context) => ({ inbound: new KnownAnswersInterceptor(context, answers, limits) }),
          (context) => ({ inbound: new ApiActivityInterceptor(context, limits, (name) => metrics.throttled(name)) }),
        ],
      },
    });
  });
}

/**
 * One poll while nothing waits, and more of them when tasks wait. A server, or a proxy before it, limits how many polls
 * may be open (docs/operations.md#polls).
 */
function scaledPolls(maximum: number): NonNullable<WorkerOptions['activityTaskPollerBehavior']> {
  return { type: 'autoscaling', minimum: 1, initial: 1, maximum };
}

function activitiesFor(activities: ApiActivities, endpoint: OperationId): Partial<ApiActivities> {
  return Object.fromEntries(
    Object.entries(activities).filter(([name]) => API_ACTIVITIES[name as keyof ApiActivities].endpoint === endpoint),
  );
}

function activityDeps(options: ReadyOptions, limits?: EntityLimits): ActivityDeps {
  const { entity, client, dispatcher, metrics, keyRing, sealingKeys, policies, identities, logger } = options;
  const permit = limits && ((endpoint: OperationId) => takePermit(limits, endpoint));
  const api = createApi(entity, {
    dispatcher,
    logger,
    onResponse: ({ endpoint, status, code, durationMs }) => {
      metrics.apiRequest({ entity: entity.name, endpoint, status, code: code ?? 0, seconds: durationMs / 1_000 });
      if (status > 0) limits?.bucket(endpoint as OperationId).recordResponse(durationMs);
    },
    permit,
  });
  return {
    entity: entity.name,
    chainProblem: (chain: string) => checkChain(entity, chain),
    maxOutstanding: entity.maxOutstanding ?? DEFAULT_MAX_OUTSTANDING,
    hasSweeps: entity.sweepEveryMs !== undefined,
    api,
    userTokens: new UserTokens(api, permit),
    client,
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

/** Takes a permit for a credential request of the client. @returns called when the response has arrived */
async function takePermit(limits: EntityLimits, endpoint: OperationId): Promise<() => void> {
  const permit = await limits.bucket(endpoint).take(new AbortController().signal);
  return () => permit.use();
}

function incidentListener(logger: Logger, metrics: Metrics): IncidentListener {
  return {
    opened({ entity, code, remedy }) {
      metrics.incidentOpened(entity);
      logger.error(
        { entity, code, remedy },
        'Incident: the API rejects the credentials of the entity; its requests are stopped',
      );
    },
    closed({ entity, code, since }) {
      metrics.incidentClosed(entity);
      logger.info({ entity, code, since }, 'Incident over: the API accepts the credentials of the entity again');
    },
  };
}
