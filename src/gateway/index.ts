import type { Client } from '@temporalio/client';
import type { Dispatcher } from 'undici';
import { createApi, createDispatcher, type Entity } from '../api';
import { isLoopback } from '../api/url';
import type { KeyRing } from '../crypto/keyRing';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';
import { Allowance } from './allowance';
import { handOver, type HandOverDeps } from './handOver';
import { buildIngress, type EntityIngress } from './ingress';
import { Lookup } from './lookup';
import { ownSubscriptions } from './ownSubscriptions';
import { webhookKeys } from './webhookKeys';

/** Requests that outsiders can cause, for all entities of this process together. */
const KEY_FETCHES_PER_MINUTE = 10;
const SUBSCRIPTION_FETCHES_PER_MINUTE = 10;
const READS_PER_MINUTE = 30;

export interface GatewayOptions {
  entities: readonly Entity[];
  client: Client;
  keyRing: KeyRing;
  logger: Logger;
  metrics: Pick<Metrics, 'apiRequest' | 'webhook'>;
  /** Port 0 takes any free one. */
  address: { host: string; port: number };
}

/** Takes webhooks in and hands them to their flows. */
export interface Gateway {
  /** `http://127.0.0.1:8080` */
  url: string;
  /** Takes no more, and answers what it has begun. */
  close(): Promise<void>;
}

/** The path of an entity's webhooks. */
export function webhookPath(entity: string): string {
  return `/webhooks/${entity}`;
}

/** @throws Error when the address can't be listened on */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { entities, client, keyRing, logger, metrics, address } = options;
  const keyFetches = new Allowance(KEY_FETCHES_PER_MINUTE);
  const subscriptionFetches = new Allowance(SUBSCRIPTION_FETCHES_PER_MINUTE);
  const reads = new Allowance(READS_PER_MINUTE);
  const dispatchers: Dispatcher[] = [];

  const ingressOf = (entity: Entity): EntityIngress => {
    const dispatcher = createDispatcher({ offline: isLoopback(entity.hosts.api) });
    dispatchers.push(dispatcher);
    const api = createApi(entity, {
      dispatcher,
      logger,
      onResponse: ({ endpoint, status, code, durationMs }) =>
        metrics.apiRequest({ entity: entity.name, endpoint, status, code: code ?? 0, seconds: durationMs / 1_000 }),
    });
    const deps: HandOverDeps = { client, entity: entity.name, keyRing, api, reads, logger };
    return {
      keys: new Lookup(webhookKeys(api), keyFetches),
      subscriptions: new Lookup(ownSubscriptions(api), subscriptionFetches),
      handOver: (envelope, deadline) => client.connection.withDeadline(deadline, () => handOver(deps, envelope)),
    };
  };
  const app = buildIngress({
    entities: new Map(entities.map((entity) => [entity.name, ingressOf(entity)])),
    logger,
    onWebhook: (entity, result) => metrics.webhook(entity, result),
  });
  const url = await app.listen(address).catch((cause: unknown) => {
    throw new Error(
      `The gateway can't listen on ${address.host}:${address.port} (${(cause as NodeJS.ErrnoException).code}). ` +
        'Set WALLETFLOW_GATEWAY_ADDRESS to a free address, or to port 0 for any.',
      { cause },
    );
  });
  return {
    url,
    async close() {
      await app.close();
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
    },
  };
}
