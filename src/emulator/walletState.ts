import type { Wallet } from './resources';
import type { WalletRow } from './store';
import type { World } from './world';

/** A frozen wallet can only be queried (spec, Wallet). */
export function setWalletState({ clock }: World, row: WalletRow, state: 'FROZEN' | 'LIVE'): Wallet {
  row.resource = { ...row.resource, state, updateDate: clock.now().toISOString() };
  return row.resource;
}
