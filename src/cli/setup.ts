import type { Connection } from '@temporalio/client';
import { createApi } from '../api';
import { loadConfig } from '../config';
import { webhookPath } from '../gateway';
import { subscribeWebhooks, type SubscriptionChange } from '../gateway/subscription';
import { connectClient } from '../temporal/connection';
import { registerSearchAttributes } from '../temporal/searchAttributes';
import type { Terminal } from './terminal';

export async function run(terminal: Terminal): Promise<void> {
  await setUpNamespace(terminal);
  await setUpWebhooks(terminal);
}

async function setUpNamespace({ out }: Terminal): Promise<void> {
  const client = await connectClient([]);
  const { namespace } = client.options;
  try {
    const added = await registerSearchAttributes(client.connection as Connection, namespace);
    if (added.length > 0) out(`Search attributes added to namespace ${namespace}: ${added.join(', ')}`);
    else out(`Namespace ${namespace} has all search attributes`);
  } finally {
    await client.connection.close();
  }
}

const CHANGES: Record<SubscriptionChange, string> = {
  created: 'subscribed',
  unchanged: 'already subscribed',
  enabled: 'enabled again',
  replaced: 'subscribed again, with the types that flows use',
};

/** Subscribes only if a gateway URL is configured. Without a gateway, flows poll, or sweeps read for them. */
async function setUpWebhooks({ out, env }: Terminal): Promise<void> {
  if (!env.WALLETFLOW_GATEWAY_URL?.trim()) {
    out('WALLETFLOW_GATEWAY_URL is not set: no webhooks are subscribed; flows poll, or sweeps read for them');
    return;
  }
  const { entities, gatewayUrl } = loadConfig(env, { role: 'gateway' });
  for (const entity of entities) {
    const endpoint = `${gatewayUrl}${webhookPath(entity.name)}`;
    out(`Webhooks of ${entity.name} to ${endpoint}: ${CHANGES[await subscribeWebhooks(createApi(entity), endpoint)]}`);
  }
}
