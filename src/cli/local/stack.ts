import type { Connection } from '@temporalio/client';
import { randomBytes } from 'node:crypto';
import { createApi, type Entity } from '../../api';
import type { MessageOptions } from '../../client/flowHandle';
import { type Flows, openFlows } from '../../client/openFlows';
import { generateEventSecret } from '../../crypto/eventSignature';
import { generateKeyRing, KeyRing, type KeyRingFile } from '../../crypto/keyRing';
import { generateSealingKeys, type SealingKeys } from '../../crypto/sealingKeys';
import { startDevServer } from '../../dev/devServer';
import { recordStarts } from '../../dev/recordedStarts';
import { EmulatorControl, startEmulator } from '../../emulator';
import { startGateway, webhookPath } from '../../gateway';
import { subscribeWebhooks } from '../../gateway/subscription';
import { generateLocalIssuer, type LocalIssuer, mintToken, toIssuer } from '../../identity/localIssuer';
import { identityVerifier } from '../../identity/verifier';
import type { Logger } from '../../logger';
import { createMetrics } from '../../metrics';
import { loadPolicies } from '../../policies';
import { loadBundle } from '../../temporal/bundle';
import type { TemporalTarget } from '../../temporal/connection';
import { registerSearchAttributes } from '../../temporal/searchAttributes';
import { RefusedPolls } from '../../temporal/refusedPolls';
import { connectWorkers } from '../../temporal/workerConnection';
import { BUNDLE_DIR, installRuntime } from '../../worker';
import { startWorkerProcess } from '../workerProcess';

/** Short, because the emulator responds within milliseconds. */
const SHUTDOWN_GRACE_MS = 1_000;

export interface StackOptions {
  /** Prefix of the entity's name. */
  name: string;
  logger: Logger;
  clockSpeed?: number;
  /** Endpoint on this machine that receives the events of flows; without it, flows send none. */
  eventsUrl?: string | undefined;
  /** Start Temporal's web UI. */
  ui?: boolean;
  /** Content of a policy file. */
  policies?: object;
  /** Receives a line for each download of the first run. */
  progress: (line: string) => void;
}

/**
 * Temporal, the emulator, a worker, and a gateway that receives the emulator's webhooks. All of it runs in this process and
 * listens on this machine only.
 */
export interface LocalStack {
  temporal: TemporalTarget & { uiUrl?: string };
  emulatorUrl: string;
  healthUrl: string;
  gatewayUrl: string;
  /** With an API key and a secret generated for this run. Its host is the emulator. */
  entity: Required<Pick<Entity, 'entitySecret'>> & Entity;
  keyRing: KeyRingFile;
  sealingKeys: SealingKeys;
  /** Generated for this run. The worker trusts no other issuer. */
  issuer: LocalIssuer;
  flows: Flows;
  /** Options for a message to a flow, with a token for this subject. */
  as(subject: string): Promise<MessageOptions>;
  /** Ids of the workflows that flows have started, such as sessions. */
  startedByFlows: ReadonlySet<string>;
  /** The entity's world. */
  world: EmulatorControl;
  /** Rejects when a Worker fails. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** @throws the error of the part that failed to start; the parts that already run end with this process */
export async function startStack(options: StackOptions): Promise<LocalStack> {
  const { name, logger, clockSpeed = 1, eventsUrl, ui = false, policies, progress } = options;
  // A Temporal server from TEMPORAL_ADDRESS may still hold flows of earlier runs, which used other keys.
  const credentials = {
    name: `${name}-${randomHex(3)}`,
    apiKey: `TEST_API_KEY:${randomHex(8)}:${randomHex(16)}`,
    entitySecret: randomHex(32),
  };
  const keyRingFile = generateKeyRing(new Date());
  const keyRing = new KeyRing(keyRingFile);
  const sealingKeys = generateSealingKeys(new Date());
  const issuer = generateLocalIssuer();
  const metrics = createMetrics();
  const refusedPolls = new RefusedPolls(logger, metrics);
  installRuntime(logger, { onRefusedPoll: refusedPolls.add });

  const [server, emulator, bundle] = await Promise.all([
    startDevServer({ ui, progress }),
    startEmulator({
      clockSpeed,
      worlds: [{ apiKey: credentials.apiKey, entitySecret: credentials.entitySecret }],
      logger,
    }),
    loadBundle(BUNDLE_DIR),
  ]);
  const events = eventsUrl === undefined ? {} : { events: { url: eventsUrl, secret: generateEventSecret() } };
  const entity = { ...credentials, kind: 'test' as const, hosts: { api: emulator.url }, ...events };
  const [flows, connections] = await Promise.all([
    openFlows({ entity: entity.name, keyRing, sealingKeys, temporal: server }),
    connectWorkers(server),
  ]);
  await registerSearchAttributes(flows.client.connection as Connection, connections.namespace);
  const { client, started } = recordStarts(flows.client);
  const worker = await startWorkerProcess({
    entities: [entity],
    connections,
    client,
    bundlePath: bundle.codePath,
    keyRing,
    sealingKeys,
    policies: loadPolicies(policies),
    identities: identityVerifier([toIssuer(issuer)]),
    logger,
    metrics,
    refusedPolls,
    apiShare: 1,
    shutdownGraceMs: SHUTDOWN_GRACE_MS,
    healthAddress: { host: '127.0.0.1', port: 0 },
  });
  const gateway = await startGateway({
    entities: [entity],
    client: flows.client,
    keyRing,
    logger,
    metrics,
    address: { host: '127.0.0.1', port: 0 },
  });
  await subscribeWebhooks(createApi(entity), gateway.url + webhookPath(entity.name));
  return {
    temporal: server,
    emulatorUrl: emulator.url,
    healthUrl: worker.health.url,
    gatewayUrl: gateway.url,
    entity,
    keyRing: keyRingFile,
    sealingKeys,
    issuer,
    flows,
    as: async (subject) => ({ token: await mintToken(issuer, subject) }),
    startedByFlows: started,
    world: new EmulatorControl({ url: emulator.url, apiKey: entity.apiKey }),
    ended: worker.ended,
    async close() {
      await gateway.close();
      await worker.drain();
      await connections.close();
      await flows.close();
      await emulator.close();
      await server.stop();
    },
  };
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
