import { randomUUID } from 'node:crypto';
import { STRANGER, type TestClient, type TestResponse } from '../../emulator/chain/support';
import { monitor } from '../../emulator/contracts/support';

/** Responses that only a fault causes: of a proxy, or for reasons that the API does not name. */
const FAULTS = [
  { operation: 'createTransfer', status: 400, code: -1 },
  { operation: 'createTransfer', status: 500, code: -1 },
  { operation: 'createTransfer', status: 502, body: '' },
  { operation: 'createTransfer', status: 403, body: { message: 'Forbidden' } },
  { operation: 'getTransaction', status: 404 },
  { operation: 'getTransaction', status: 429, body: '' },
];

export async function fail(client: TestClient) {
  const wallet = await client.fundedWallet();
  await client.transfer(wallet, { amounts: ['100000'] });
  await client.get(`/transactions/${randomUUID()}`);
  await client.postWithKey('/developer/walletSets', { name: 7 });
  await client.send('GET', '/wallets', undefined, { authorization: 'Bearer malformed' });
  await monitor(client, { contractAddress: STRANGER });
  await monitor(client, { eventSignature: 'Nothing(address)' });
  const idempotencyKey = randomUUID();
  for (let n = 0; n < 2; n++) await client.transfer(wallet, { idempotencyKey });

  for (const { operation, ...action } of FAULTS) {
    await client.control('POST', '/faults', { operation, count: 1, action });
    if (operation === 'createTransfer') await client.transfer(wallet);
    else await client.get(`/transactions/${randomUUID()}`);
  }
  await client.world.control.changeSettings({ limits: true });
  await untilLimited(() => client.get(`/transactions/${randomUUID()}`));
  await client.world.control.changeSettings({ limits: false });
}

/** Sends requests, many at once, until one of them exceeds the rate limit. */
export async function untilLimited(send: () => Promise<Pick<TestResponse, 'status'>>): Promise<void> {
  const atOnce = 40;
  let responses: Pick<TestResponse, 'status'>[] = [];
  while (!responses.some(({ status }) => status === 429)) {
    responses = await Promise.all(Array.from({ length: atOnce }, send));
  }
}
