import type { TestClient } from '../chain/support';
import { TestUser } from '../users/support';
import type { ErrorCodeCase } from './errorCodeCase';

async function createWallets(client: TestClient, body: object) {
  const user = await TestUser.initialized(client);
  return user.postWithKey('/user/wallets', body);
}
const BOTH = { blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'] };

export const USER_WALLETS: readonly ErrorCodeCase[] = [
  {
    code: 155504,
    status: 400,
    cause: 'request',
    trigger: (client) => createWallets(client, { ...BOTH, metadata: [{ name: 'one' }] }),
  },
  // Only the official SDKs list this code. Its status is not published.
  {
    code: 155508,
    status: 400,
    cause: 'request',
    trigger: (client) => createWallets(client, { ...BOTH, accountType: 'SCA' }),
  },
];
