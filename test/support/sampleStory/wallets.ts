import type { TestClient } from '../../emulator/chain/support';
import { CHAIN } from './addresses';

export async function makeWallets(client: TestClient) {
  const metadata = [{ name: 'Savings of Mia', refId: 'crm-81' }];
  const [named] = await client.wallets({ blockchains: [CHAIN], accountType: 'SCA', metadata });
  await client.wallets({ blockchains: [CHAIN], accountType: 'SCA', count: 2 });
  await client.wallets({ blockchains: ['SOL-DEVNET'] });
  const near = await client.wallet('NEAR-TESTNET');
  const [frozen] = await client.wallets({ blockchains: [CHAIN], accountType: 'SCA', metadata: [{ name: 'Till 3' }] });
  await client.world.control.call('POST', `/wallets/${frozen!.id}/freeze`);
  for (const { id } of [named!, near, frozen!]) await client.get(`/developer/wallets/${id}`);
  await client.get('/developer/wallets?pageSize=50');
  await client.get(`/wallets/${named!.id}/balances`);
}
