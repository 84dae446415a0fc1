import type { Wallet } from '../ledger/resources';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';

/** Sets the state of a wallet. A frozen wallet can only be queried. */
export function setWalletState({ clock }: World, row: WalletRow, state: 'FROZEN' | 'LIVE'): Wallet {
  row.resource = { ...row.resource, state, updateDate: clock.now().toISOString() };
  return row.resource;
}
