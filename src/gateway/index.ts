import type { Client } from '@temporalio/client';
import type { Dispatcher } from 'undici';
import { createApi, createDispatcher, type Entity } from '../api';
import { isLoopback } from '../api/url';
import type { KeyRing } from '../crypto/keyRing';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';
import { CachedLookup } from './cachedLookup';
import { deliverWebhook, type DeliveryDeps } from './deliverWebhook';
import { buildIngress, type EntityIngress } from './ingress';
import { RateLimiter } from './rateLimiter';
import { subscriptionFetcher } from './subscriptionFetcher';
import { webhookKeyFetcher } from './webhookKeyFetcher';

/** Limits of the requests that untrusted webhooks can cause, for all entities of this process together. */
const KEY_FETCHES_PER_MINUTE = 10;
const SUBSCRIPTION_FETCHES_PER_MINUTE = 10;
const READS_PER_MINUTE = 30;

export interface GatewayOptions {
  entities: readonly Entity[];
  client: Client;
  keyRing: KeyRing;
  logger: Logger;
  metrics: Pick<Metrics, 'apiRequest' | 'webhook'>;
  /** Port 0 takes any free port. */
  address: { host: string; port: number };
}

/** Receives webhooks and delivers them to their flows. */
export interface Gateway {
  /** `http://127.0.0.1:8080` */
  url: string;
  /** Accepts no more webhooks and responds to those in flight. */
  close(): Promise<void>;
}

/** The path of an entity's webhooks. */
export function webhookPath(entity: string): string {
  return `/webhooks/${entity}`;
}

/** @throws Error if it cannot listen on the address */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { entities, client, keyRing, logger, metrics, address } = options;
  const keyFetchLimiter = new RateLimiter(KEY_FETCHES_PER_MINUTE);
  const subscriptionFetchLimiter = new RateLimiter(SUBSCRIPTION_FETCHES_PER_MINUTE);
  const readLimiter = new RateLimiter(READS_PER_MINUTE);
  const dispatchers: Dispatcher[] = [];

  const entityIngress = (entity: Entity): EntityIngress => {
    const dispatcher = createDispatcher({ offline: isLoopback(entity.hosts.api) });
    dispatchers.push(dispatcher);
    const api = createApi(entity, {
      dispatcher,
      logger,
      onResponse: ({ endpoint, status, code, durationMs }) =>
        metrics.apiRequest({ entity: entity.name, endpoint, status, code: code ?? 0, seconds: durationMs / 1_000 }),
    });
    const deps: DeliveryDeps = { client, entity: entity.name, keyRing, api, readLimiter, logger };
    return {
      keys: new CachedLookup(webhookKeyFetcher(api), keyFetchLimiter),
      subscriptions: new CachedLookup(subscriptionFetcher(api), subscriptionFetchLimiter),
      deliver: (webhook, deadline) => client.connection.withDeadline(deadline, () => deliverWebhook(deps, webhook)),
    };
  };
  const app = buildIngress({
    entities: new Map(entities.map((entity) => [entity.name, entityIngress(entity)])),
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
