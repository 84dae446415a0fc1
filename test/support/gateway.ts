import type { Client } from '@temporalio/client';
import type { Api, Entity } from '../../src/api';
import type { KeyRing } from '../../src/crypto/keyRing';
import type { Delivery } from '../../src/emulator';
import { type Gateway, startGateway, webhookPath } from '../../src/gateway';
import type { SUBSCRIBED_TYPES } from '../../src/gateway/routes';
import { createLogger } from '../../src/logger';
import type { Metrics } from '../../src/metrics';
import type { TestWorld } from './emulator';

/** The parts of a stack that a gateway and its tests use. */
interface GatewayStack {
  entity: Entity;
  keyRing: KeyRing;
  metrics: Metrics;
  flows: { client: Client };
  api: Api;
  world: TestWorld;
}

/** A gateway that serves one entity. It runs in this process but shares nothing else with the workers. */
export interface TestGateway extends Gateway {
  /** URL to which the API posts webhooks. */
  endpoint: string;
  /** Its log records. */
  log(): Record<string, unknown>[];
}

export async function openGateway(
  { entity, keyRing, metrics, flows }: Pick<GatewayStack, 'entity' | 'keyRing' | 'metrics' | 'flows'>,
  client: Client = flows.client,
  port = 0,
): Promise<TestGateway> {
  const lines: string[] = [];
  const gateway = await startGateway({
    entities: [entity],
    client,
    keyRing,
    logger: createLogger({ destination: { write: (line) => void lines.push(line) } }),
    metrics,
    address: { host: '127.0.0.1', port },
  });
  return {
    ...gateway,
    endpoint: gateway.url + webhookPath(entity.name),
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Subscribes an endpoint to the world's webhooks. @returns the subscription's id */
export async function subscribe(
  { api }: Pick<GatewayStack, 'api'>,
  endpoint: string,
  notificationTypes: ('*' | (typeof SUBSCRIBED_TYPES)[number])[] = ['*'],
): Promise<string> {
  return (await api.createSubscription({ body: { endpoint, notificationTypes } })).data.id;
}

/** The world's webhooks of a type, with their delivery attempts. With `state`, only those that report this state. */
export async function deliveriesOf(
  { world }: Pick<GatewayStack, 'world'>,
  type: string,
  state?: string,
): Promise<Delivery[]> {
  const { deliveries } = await world.control.call<{ deliveries: Delivery[] }>('GET', '/webhooks/deliveries');
  const found: Delivery[] = [];
  for (const delivery of deliveries.filter((each) => each.type === type)) {
    if (state === undefined) found.push(delivery);
    else if ((await envelopeOf({ world }, delivery.notificationId)).notification.state === state) found.push(delivery);
  }
  return found;
}

export async function envelopeOf(
  { world }: Pick<GatewayStack, 'world'>,
  notificationId: string,
): Promise<{ notificationId: string; notification: { id: string; state: string } & Record<string, unknown> }> {
  const { envelope } = await world.control.call<{ envelope: never }>('GET', `/webhooks/deliveries/${notificationId}`);
  return envelope;
}
