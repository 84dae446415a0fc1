import { fromBaseUnits } from '../domain/money';
import { nativeDecimals } from './chains/fees';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf, type Movement } from './ledger';
import type { TransactionRow } from './store';
import { nativeToken } from './tokens';
import type { World } from './world';

/** Moves all or nothing in the ledger, and dates the balances of our wallets. */
export function moveAll(world: World, movements: readonly Movement[]): void {
  const { ledger, walletsByAccount } = world.store;
  ledger.move(movements);
  for (const movement of movements) {
    for (const account of [movement.from, movement.to]) {
      const wallet = walletsByAccount.get(account);
      if (wallet) wallet.balancesDate = world.clock.now().toISOString();
    }
  }
}

/** Sets native tokens apart for the network's fee. */
export function reserveFee({ store }: World, row: TransactionRow, units: bigint): void {
  if (row.sponsored) return;
  const { blockchain, address } = row.wallet.resource;
  store.ledger.reserve(row.id, accountOf(blockchain, address), assetOf(nativeToken(store, blockchain).id), units);
}

/**
 * Pays the network, from what `release` has freed before. A wallet that was emptied on the blockchain itself pays what it
 * has.
 */
export function chargeFee(world: World, row: TransactionRow, cost: bigint): void {
  const { blockchain, address } = row.wallet.resource;
  const from = accountOf(blockchain, address);
  const asset = assetOf(nativeToken(world.store, blockchain).id);
  const available = world.store.ledger.available(from, asset);
  const units = row.uncovered && !row.sponsored && available < cost ? available : cost;
  row.resource.networkFee = fromBaseUnits(units, nativeDecimals(blockchain));
  if (row.sponsored) return;
  moveAll(world, [{ from, to: OUTSIDE_ACCOUNTS.fees, asset, units }]);
}
