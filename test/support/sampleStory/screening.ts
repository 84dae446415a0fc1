import { randomUUID } from 'node:crypto';
import { type TestClient, token } from '../../emulator/chain/support';
import { CHAIN, DENIED, ending } from './addresses';

/** Transfers that screening denies, and a deposit that it reviews. It may freeze the wallets. */
export async function screenTransfers(client: TestClient) {
  for (const suffix of DENIED) {
    const { data } = await client.transfer(await client.fundedWallet(), { destinationAddress: ending(suffix) });
    await client.settle();
    await client.transaction(data.id);
  }
  const wallet = await client.wallet();
  const deposit = { tokenId: token(CHAIN, 'USDC'), amount: '3', from: ending('8899') };
  await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, deposit);
  await client.settle();
  const { data } = await client.get(`/transactions?walletIds=${wallet.id}`);
  for (const { id } of data.transactions) await client.transaction(id);
}

export async function screen(client: TestClient) {
  for (const complianceEnvelope of ['bare', 'data'] as const) {
    await client.world.control.changeSettings({ complianceEnvelope });
    for (const suffix of [...DENIED, 'aaaa']) {
      const body = { idempotencyKey: randomUUID(), address: ending(suffix), chain: CHAIN };
      await client.send('POST', '/compliance/screening/addresses', body);
    }
  }
}
