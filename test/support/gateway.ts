import type { Client } from '@temporalio/client';
import { type Gateway, startGateway, webhookPath } from '../../src/gateway';
import type { SUBSCRIBED_TYPES } from '../../src/gateway/routes';
import type { Delivery } from '../../src/emulator';
import type { Api, Entity } from '../../src/api';
import type { KeyRing } from '../../src/crypto/keyRing';
import { createLogger } from '../../src/logger';
import type { Metrics } from '../../src/metrics';
import type { TestWorld } from './emulator';

/** What a gateway needs of a stack, and what it leaves there. */
interface Served {
  entity: Entity;
  keyRing: KeyRing;
  metrics: Metrics;
  flows: { client: Client };
  api: Api;
  world: TestWorld;
}

/** A gateway of one entity, as a process of its own would be. */
export interface TestGateway extends Gateway {
  /** Where the API posts. */
  endpoint: string;
  /** What it logged, as objects. */
  log(): Record<string, unknown>[];
}

export async function openGateway(
  { entity, keyRing, metrics, flows }: Pick<Served, 'entity' | 'keyRing' | 'metrics' | 'flows'>,
  client: Client = flows.client,
): Promise<TestGateway> {
  const lines: string[] = [];
  const gateway = await startGateway({
    entities: [entity],
    client,
    keyRing,
    logger: createLogger({ destination: { write: (line) => void lines.push(line) } }),
    metrics,
    address: { host: '127.0.0.1', port: 0 },
  });
  return {
    ...gateway,
    endpoint: gateway.url + webhookPath(entity.name),
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Has the world's webhooks sent there. */
export async function subscribe(
  { api }: Pick<Served, 'api'>,
  endpoint: string,
  notificationTypes: ('*' | (typeof SUBSCRIBED_TYPES)[number])[] = ['*'],
): Promise<string> {
  return (await api.createSubscription({ body: { endpoint, notificationTypes } })).data.id;
}

/** The world's webhooks of a type that tell a state, with every try. */
export async function deliveriesOf(
  { world }: Pick<Served, 'world'>,
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
  { world }: Pick<Served, 'world'>,
  notificationId: string,
): Promise<{ notificationId: string; notification: { id: string; state: string } & Record<string, unknown> }> {
  const { envelope } = await world.control.call<{ envelope: never }>('GET', `/webhooks/deliveries/${notificationId}`);
  return envelope;
}
