import { randomBytes } from 'node:crypto';
import type { Connection } from '@temporalio/client';
import { createApi, type Entity } from '../../api';
import { generateEventSecret } from '../../crypto/eventSignature';
import { generateKeyRing, KeyRing, type KeyRingFile } from '../../crypto/keyRing';
import { generateSealingKeys, type SealingKeys } from '../../crypto/sealingKeys';
import { EmulatorControl, startEmulator } from '../../emulator';
import { openFlows, type Flows } from '../../flows/connect';
import type { MessageOptions } from '../../flows/handle';
import { generateLocalIssuer, issuerOf, type LocalIssuer, mintToken } from '../../identity/localIssuer';
import { identityVerifier } from '../../identity/verifier';
import { startGateway, webhookPath } from '../../gateway';
import { subscribeWebhooks } from '../../gateway/subscription';
import type { Logger } from '../../logger';
import { createMetrics } from '../../metrics';
import { loadPolicies } from '../../policies';
import { loadBundle } from '../../temporal/bundle';
import type { TemporalTarget } from '../../temporal/connection';
import { startDevServer } from '../../temporal/devServer';
import { recordStarts } from '../../temporal/recordedStarts';
import { registerSearchAttributes } from '../../temporal/searchAttributes';
import { connectWorker } from '../../temporal/workerConnection';
import { BUNDLE_DIR, installRuntime } from '../../worker';
import { startWorkerProcess } from '../workerProcess';

/** Nothing is at stake: an emulator answers in milliseconds. */
const SHUTDOWN_GRACE_MS = 1_000;

export interface StackOptions {
  /** Beginning of the entity's name. */
  name: string;
  logger: Logger;
  clockSpeed?: number;
  /** Where flows tell what becomes of them, on this machine; nowhere where left out. */
  eventsUrl?: string | undefined;
  /** Temporal's web UI. */
  ui?: boolean;
  /** Content of a policy file. */
  policies?: object;
  /** Told in a line each what is fetched the first time. */
  progress: (line: string) => void;
}

/** Temporal, the emulator, a worker and a gateway that the emulator's webhooks go to, in this process and on this machine only (DESIGN rule 11). */
export interface LocalStack {
  temporal: TemporalTarget & { uiUrl?: string };
  emulatorUrl: string;
  healthUrl: string;
  gatewayUrl: string;
  /** With a key and secret made for this run; its host is the emulator. */
  entity: Required<Pick<Entity, 'entitySecret'>> & Entity;
  keyRing: KeyRingFile;
  sealingKeys: SealingKeys;
  /** Made for this run; its workers believe no other. */
  issuer: LocalIssuer;
  flows: Flows;
  /** Speaks to a flow as somebody. */
  as(subject: string): Promise<MessageOptions>;
  /** Ids of the workflows that flows have started beside them: sessions and the like. */
  startedByFlows: ReadonlySet<string>;
  /** The entity's world. */
  world: EmulatorControl;
  /** Rejects when a Worker fails. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** @throws what the parts throw; whatever has been started ends with this process */
export async function startStack(options: StackOptions): Promise<LocalStack> {
  const { name, logger, clockSpeed = 1, eventsUrl, ui = false, policies, progress } = options;
  // A given Temporal server (TEMPORAL_ADDRESS) may remember earlier runs, which had other keys.
  const key = { name: `${name}-${hex(3)}`, apiKey: `TEST_API_KEY:${hex(8)}:${hex(16)}`, entitySecret: hex(32) };
  const keyRingFile = generateKeyRing(new Date());
  const keyRing = new KeyRing(keyRingFile);
  const sealingKeys = generateSealingKeys(new Date());
  const issuer = generateLocalIssuer();
  installRuntime(logger);

  const [server, emulator, bundle] = await Promise.all([
    startDevServer({ ui, progress }),
    startEmulator({ clockSpeed, worlds: [{ apiKey: key.apiKey, entitySecret: key.entitySecret }], logger }),
    loadBundle(BUNDLE_DIR),
  ]);
  const events = eventsUrl === undefined ? {} : { events: { url: eventsUrl, secret: generateEventSecret() } };
  const entity = { ...key, kind: 'test' as const, hosts: { api: emulator.url }, ...events };
  const [flows, { connection, namespace }] = await Promise.all([
    openFlows({ entity: entity.name, keyRing, sealingKeys, temporal: server }),
    connectWorker(server),
  ]);
  await registerSearchAttributes(flows.client.connection as Connection, namespace);
  const { client, started } = recordStarts(flows.client);
  const metrics = createMetrics();
  const worker = await startWorkerProcess({
    entities: [entity],
    connection,
    namespace,
    client,
    bundlePath: bundle.codePath,
    keyRing,
    sealingKeys,
    policies: loadPolicies(policies),
    identities: identityVerifier([issuerOf(issuer)]),
    logger,
    metrics,
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
      await connection.close();
      await flows.close();
      await emulator.close();
      await server.stop();
    },
  };
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
