import { TestClient } from '../../emulator/chain/support';
import { attest } from './attestation';
import { callContracts } from './contracts';
import { fail } from './failures';
import { screen, screenTransfers } from './screening';
import { sign } from './signing';
import { moveTokens } from './transactions';
import { serveUsers } from './users';
import { makeWallets } from './wallets';

/**
 * Fills worlds with everything that published samples show. Each part reads what it makes.
 * @returns the bodies of the webhooks
 */
export async function tellSampleStory(): Promise<{ notificationType: string; notification: unknown }[]> {
  const client = await TestClient.open();
  const receiver = await client.subscribe();
  try {
    await readConfiguration(client);
    await makeWallets(client);
    await moveTokens(client);
    await screenTransfers(client);
    await callContracts(client);
    await sign(client);
    await screen(client);
    await fail(client);
    await serveUsers(client);
    await attest();
    await client.settle();
    const [first] = receiver.tests;
    await client.get(`${client.world.url}/v2/notifications/publicKey/${String(first?.headers['x-circle-key-id'])}`);
    return [...receiver.tests, ...receiver.received].map(({ body }) => body);
  } finally {
    receiver.close();
  }
}

async function readConfiguration(client: TestClient) {
  const monitored = '/config/entity/monitoredTokens';
  for (const path of ['/config/entity', '/config/entity/publicKey', monitored, '/wallets', '/transactions'])
    await client.get(path);
  await client.get(`${client.world.url}/v2/notifications/subscriptions`);
}
