import { randomBytes } from 'node:crypto';
import { type Api, createApi, createDispatcher, type Entity } from '../../src/api';
import type { EventEndpoint } from '../../src/api/eventEndpoint';
import type { MessageOptions } from '../../src/client/flowHandle';
import type { InitiatorOptions } from '../../src/client/flowStarter';
import { type FlowApi, type Flows, openFlows } from '../../src/client/openFlows';
import { generateKeyRing, KeyRing, type KeyRingFile } from '../../src/crypto/keyRing';
import { generateSealingKeys, type SealingKeys } from '../../src/crypto/sealingKeys';
import { createAdvance } from '../../src/dev/advance';
import { recordStarts } from '../../src/dev/recordedStarts';
import { FLOW_NAMES, type FlowName } from '../../src/domain/flowNames';
import type { SettingsPatch } from '../../src/emulator';
import {
  generateLocalIssuer,
  type LocalIssuer,
  mintToken,
  toIssuer,
  type TokenClaims,
} from '../../src/identity/localIssuer';
import type { Issuer } from '../../src/identity/issuers';
import { identityVerifier } from '../../src/identity/verifier';
import { createLogger } from '../../src/logger';
import { createMetrics, type Metrics } from '../../src/metrics';
import { loadPolicies } from '../../src/policies';
import { connectWorkers } from '../../src/temporal/workerConnection';
import { removeSweepSchedule } from '../../src/temporal/sweepSchedule';
import { createWorkers, installRuntime } from '../../src/worker';
import { openWorld, type TestWorld } from './emulator';
import { openGateway, subscribe } from './gateway';
import { replayFailures } from './replayFailures';

/** One entity with its own world, workers in this process and a backend client, on the run's Temporal server. */
export interface Stack {
  entity: Entity;
  world: TestWorld;
  flows: Flows;
  metrics: Metrics;
  /** The workers' log, as lines of JSON. */
  log: string[];
  /** Direct access to the API, without flows or permits. */
  api: Api;
  keyRing: KeyRing;
  /** The key ring in its file format, for worker processes. */
  keyRingFile: KeyRingFile;
  sealingKeys: SealingKeys;
  /** The issuer whose tokens the workers accept. */
  issuer: LocalIssuer;
  /** Options to start a flow or to send it a message as this subject, with every scope unless `claims` says otherwise. */
  as(subject: string, claims?: TokenClaims): Promise<MessageOptions>;
  /** Ids of the workflows that `advance` moves. A test that starts workflows directly adds their ids. */
  advancedWorkflows: Set<string>;
  /** Advances the world, this stack's flows and the workflows that they started. */
  advance(milliseconds: number): Promise<void>;
  /**
   * Stops the workers of this process while `send` runs. What a workflow gets in that time is one workflow task. Activities
   * that run end first.
   */
  whileStopped<T>(send: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StackOptions {
  settings?: SettingsPatch;
  policies?: object;
  /** Speed of the world's clock relative to real time: 1 for tests that use `advance`, `FAST` for the others. */
  speed?: number;
  /** Endpoint that receives the entity's flow events. Default: no events. */
  events?: EventEndpoint;
  /** Starts a gateway that receives the world's webhooks. */
  webhooks?: boolean;
  /** Issuers that the workers trust; default: the stack's own issuer. */
  issuers?: (own: LocalIssuer) => Issuer[];
  /** Goes on where a closed stack ended, with another key ring. */
  after?: { stack: Stack; keyRingFile: KeyRingFile };
  /** Interval of sweeps, in milliseconds of real time; by default there are none. */
  sweepEveryMs?: number;
  /** Runs workers in this process; true by default. With false, the test starts worker processes itself. */
  workers?: boolean;
}

export const TEMPORAL = { address: process.env.WALLETFLOW_TEST_TEMPORAL ?? '', namespace: 'default' };

/** Subject of the token of tests that do not care who starts a flow. */
export const INITIATOR = 'backend';

let installed = false;
const lines: string[] = [];

/** Clock speed for tests that don't check times: a confirmation takes milliseconds. */
export const FAST = 20_000;

/** The SDK's runtime can be installed only once in a process, so its log lines go to every stack's log. */
function logger() {
  const created = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  if (!installed) installRuntime(created);
  installed = true;
  return created;
}

/**
 * The SDK's runtime ends with the last worker, connection or replay that uses it, also while another stack is about to use
 * it. So the stacks of a file start and end one after the other.
 */
let previous: Promise<unknown> = Promise.resolve();

function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = previous.then(work);
  previous = result.catch(() => undefined);
  return result;
}

export async function startStack({
  settings,
  policies,
  speed = 1,
  events,
  webhooks = false,
  issuers = (own) => [toIssuer(own)],
  after,
  sweepEveryMs,
  workers: inProcess = true,
}: StackOptions = {}): Promise<Stack> {
  const log = logger();
  const world = after?.stack.world ?? (await openWorld(settings));
  await world.control.setSpeed(speed);
  const entity: Entity = after?.stack.entity ?? {
    name: `t-${randomBytes(5).toString('hex')}`,
    kind: 'test',
    apiKey: world.apiKey,
    entitySecret: world.entitySecret,
    hosts: { api: world.url },
    ...(events && { events }),
    ...(sweepEveryMs !== undefined && { sweepEveryMs }),
  };
  const keyRingFile = after?.keyRingFile ?? generateKeyRing(new Date());
  const keyRing = new KeyRing(keyRingFile);
  const sealingKeys = after?.stack.sealingKeys ?? generateSealingKeys(new Date());
  const issuer = after?.stack.issuer ?? generateLocalIssuer();
  const metrics = createMetrics();
  const dispatcher = createDispatcher({ offline: true });
  const flows = await openFlows({ entity: entity.name, keyRing, sealingKeys, temporal: TEMPORAL });
  const as = async (subject: string, claims?: TokenClaims) => ({ token: await mintToken(issuer, subject, claims) });
  const started = recordFlows(flows, () => as(INITIATOR));
  const related = recordStarts(flows.client);
  let workers = inProcess ? await oneAtATime(startWorkers) : undefined;
  const stack: Stack = {
    entity,
    world,
    flows,
    metrics,
    log: lines,
    api: createApi(entity, { dispatcher }),
    keyRing,
    keyRingFile,
    sealingKeys,
    issuer,
    as,
    advancedWorkflows: started,
    advance: createAdvance({
      client: flows.client,
      world: world.control,
      flows: () => [...started, ...related.started],
    }),
    async whileStopped(send) {
      await oneAtATime(async () => workers?.stop());
      const sent = await send();
      workers = await oneAtATime(startWorkers);
      return sent;
    },
    close: () => oneAtATime(closeNow),
  };
  const gateway = webhooks ? await openGateway(stack, related.client) : undefined;
  if (gateway) await subscribe(stack, gateway.endpoint);
  return stack;

  async function closeNow() {
    await workers?.stop();
    await gateway?.close();
    if (sweepEveryMs !== undefined) await removeSweepSchedule(flows.client, entity.name);
    if (process.env.WALLETFLOW_TEST_REPLAY) {
      const ids = [...started, ...related.started];
      expect(await replayFailures(flows.client, keyRing, ids)).toEqual([]);
    }
    await flows.close();
    await dispatcher.close();
  }

  async function startWorkers() {
    const connections = await connectWorkers(TEMPORAL);
    const created = await createWorkers({
      entity,
      connections,
      client: related.client,
      bundlePath: process.env.WALLETFLOW_TEST_BUNDLE ?? '',
      keyRing,
      sealingKeys,
      policies: loadPolicies(policies),
      identities: identityVerifier(issuers(issuer)),
      logger: log,
      metrics,
      dispatcher,
      apiShare: 1,
      shutdownGraceMs: 25_000,
    });
    const running = created.run();
    return {
      async stop() {
        created.shutdown();
        await running;
        await connections.close();
      },
    };
  }
}

/**
 * Ids of the flows that `flows` starts from now on. Visibility lists workflows too late for tests. A start that names no
 * initiator gets the default one.
 */
function recordFlows(flows: Flows, defaultInitiator: () => Promise<InitiatorOptions>): Set<string> {
  const ids = new Set<string>();
  for (const name of FLOW_NAMES) {
    const api = flows[name] as FlowApi<FlowName>;
    const { start } = api;
    api.start = async (options, initiator) => {
      const handle = await start(options, initiator ?? (await defaultInitiator()));
      ids.add(handle.workflowId);
      return handle;
    };
  }
  return ids;
}
