import { randomBytes } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import { createApi, createDispatcher, type Api, type Entity } from '../../src/api';
import type { EventEndpoint } from '../../src/api/eventEndpoint';
import { generateKeyRing, KeyRing, type KeyRingFile } from '../../src/crypto/keyRing';
import type { SettingsPatch } from '../../src/emulator';
import { generateSealingKeys, type SealingKeys } from '../../src/crypto/sealingKeys';
import { openFlows, type FlowApi, type Flows } from '../../src/flows/connect';
import type { MessageOptions } from '../../src/flows/handle';
import { FLOW_NAMES, type FlowName } from '../../src/domain/flowNames';
import {
  generateLocalIssuer,
  issuerOf,
  type LocalIssuer,
  mintToken,
  type TokenClaims,
} from '../../src/identity/localIssuer';
import { identityVerifier } from '../../src/identity/verifier';
import { createLogger } from '../../src/logger';
import { createMetrics, type Metrics } from '../../src/metrics';
import { loadPolicies } from '../../src/policies';
import { createAdvance } from '../../src/temporal/advance';
import { recordStarts } from '../../src/temporal/recordedStarts';
import { createWorkers, installRuntime } from '../../src/worker';
import { openWorld, type TestWorld } from './emulator';
import { openGateway, subscribe } from './gateway';
import { notReplayed } from './replayed';

/** An entity with a world, workers in this process and a backend, on the run's Temporal server. */
export interface Stack {
  entity: Entity;
  world: TestWorld;
  flows: Flows;
  metrics: Metrics;
  /** What the workers logged, as lines of JSON. */
  log: string[];
  /** The API itself, past flows and permits. */
  api: Api;
  keyRing: KeyRing;
  /** The ring as its file holds it, for worker processes. */
  keyRingFile: KeyRingFile;
  sealingKeys: SealingKeys;
  /** Whom the workers believe. */
  issuer: LocalIssuer;
  /** Speaks to a flow as somebody who may do everything, unless told otherwise. */
  as(subject: string, claims?: TokenClaims): Promise<MessageOptions>;
  /** Workflow ids that `advance` moves; a test that starts workflows by itself adds theirs. */
  moving: Set<string>;
  /** Moves the world, the flows of this stack and what they started through time. */
  advance(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface StackOptions {
  settings?: SettingsPatch;
  policies?: object;
  /** World time against real time: 1 for tests that use `advance`, `FAST` for the others. */
  speed?: number;
  /** Where the entity's flows tell what becomes of them: nowhere by default. */
  events?: EventEndpoint;
  /** Whether the world's webhooks come in at a gateway. */
  webhooks?: boolean;
  /** Whether workers run in this process; the default. Without them a test starts processes of its own. */
  workers?: boolean;
}

export const TEMPORAL = { address: process.env.WALLETFLOW_TEST_TEMPORAL ?? '', namespace: 'default' };

let installed = false;
const lines: string[] = [];

/** World time against real time for tests that don't look at time: a confirmation takes milliseconds. */
export const FAST = 20_000;

/** The SDK's runtime can be installed once in a process; its lines go to every stack's log. */
function logger() {
  const made = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  if (!installed) installRuntime(made);
  installed = true;
  return made;
}

export async function startStack({
  settings,
  policies,
  speed = 1,
  events,
  webhooks = false,
  workers: own = true,
}: StackOptions = {}): Promise<Stack> {
  const log = logger();
  const world = await openWorld(settings);
  await world.control.setSpeed(speed);
  const entity: Entity = {
    name: `t-${randomBytes(5).toString('hex')}`,
    kind: 'test',
    apiKey: world.apiKey,
    entitySecret: world.entitySecret,
    hosts: { api: world.url },
    ...(events && { events }),
  };
  const keyRingFile = generateKeyRing(new Date());
  const keyRing = new KeyRing(keyRingFile);
  const sealingKeys = generateSealingKeys(new Date());
  const issuer = generateLocalIssuer();
  const metrics = createMetrics();
  const dispatcher = createDispatcher({ offline: true });
  const flows = await openFlows({ entity: entity.name, keyRing, sealingKeys, temporal: TEMPORAL });
  const started = recordFlows(flows);
  const others = recordStarts(flows.client);
  const workers = own ? await startWorkers() : undefined;
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
    as: async (subject, claims) => ({ token: await mintToken(issuer, subject, claims) }),
    moving: started,
    advance: createAdvance({
      client: flows.client,
      world: world.control,
      flows: () => [...started, ...others.started],
    }),
    async close() {
      await workers?.stop();
      await gateway?.close();
      if (process.env.WALLETFLOW_TEST_REPLAY) {
        const ids = [...started, ...others.started];
        expect(await notReplayed(flows.client, keyRing, ids)).toEqual([]);
      }
      await flows.close();
      await dispatcher.close();
    },
  };
  const gateway = webhooks ? await openGateway(stack, others.client) : undefined;
  if (gateway) await subscribe(stack, gateway.endpoint);
  return stack;

  async function startWorkers() {
    const connection = await NativeConnection.connect({ address: TEMPORAL.address });
    const made = await createWorkers({
      entity,
      connection,
      namespace: TEMPORAL.namespace,
      client: others.client,
      bundlePath: process.env.WALLETFLOW_TEST_BUNDLE ?? '',
      keyRing,
      sealingKeys,
      policies: loadPolicies(policies),
      identities: identityVerifier([issuerOf(issuer)]),
      logger: log,
      metrics,
      dispatcher,
      apiShare: 1,
      shutdownGraceMs: 25_000,
    });
    const running = made.run();
    return {
      async stop() {
        made.shutdown();
        await running;
        await connection.close();
      },
    };
  }
}

/** Ids of the flows that are started through `flows` from now on: visibility is too slow a list for tests. */
function recordFlows(flows: Flows): Set<string> {
  const ids = new Set<string>();
  for (const name of FLOW_NAMES) {
    const api = flows[name] as FlowApi<FlowName>;
    const { start } = api;
    api.start = async (options) => {
      const handle = await start(options);
      ids.add(handle.workflowId);
      return handle;
    };
  }
  return ids;
}
