import type { Chain } from '../chain/support';
import { Person } from '../users/support';
import type { Deserved } from './deserved';

async function ask(chain: Chain, body: object) {
  const person = await Person.initialized(chain);
  return person.ask('/user/wallets', body);
}
const BOTH = { blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'] };

export const USER_WALLETS: readonly Deserved[] = [
  { code: 155504, status: 400, by: 'request', earn: (chain) => ask(chain, { ...BOTH, metadata: [{ name: 'one' }] }) },
  // Known from the official SDKs; its status is not published.
  { code: 155508, status: 400, by: 'request', earn: (chain) => ask(chain, { ...BOTH, accountType: 'SCA' }) },
];
