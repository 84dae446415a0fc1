import { fromBaseUnits } from '../../domain/money';
import { nativeDecimals } from '../chains/fees';
import { accountOf, assetOf, EXTERNAL_ACCOUNTS, type Movement } from '../ledger/ledger';
import { nativeToken } from '../ledger/tokens';
import { dollarsOf } from '../ledger/usdPrices';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';

/** Applies movements to the ledger, all or none, and updates the balance dates of the wallets involved. */
export function moveFunds(world: World, movements: readonly Movement[]): void {
  const { ledger, walletsByAccount } = world.store;
  ledger.move(movements);
  for (const movement of movements) {
    for (const account of [movement.from, movement.to]) {
      const wallet = walletsByAccount.get(account);
      if (wallet) wallet.balancesDate = world.clock.now().toISOString();
    }
  }
}

/** Reserves native tokens for the network fee. */
export function reserveFee({ store }: World, row: TransactionRow, units: bigint): void {
  if (row.sponsored) return;
  const { blockchain, address } = row.wallet.resource;
  store.ledger.reserve(row.id, accountOf(blockchain, address), assetOf(nativeToken(store, blockchain).id), units);
}

/**
 * Charges the network fee. The caller must have released the transaction's reserves. A wallet whose funds were spent
 * outside the API pays what it has.
 */
export function chargeFee(world: World, row: TransactionRow, cost: bigint): void {
  const { blockchain, address } = row.wallet.resource;
  const from = accountOf(blockchain, address);
  const native = nativeToken(world.store, blockchain);
  const asset = assetOf(native.id);
  const available = world.store.ledger.available(from, asset);
  const units = row.underfunded && !row.sponsored && available < cost ? available : cost;
  row.resource.networkFee = fromBaseUnits(units, nativeDecimals(blockchain));
  row.resource.networkFeeInUSD = dollarsOf(native, units);
  if (row.sponsored) return;
  moveFunds(world, [{ from, to: EXTERNAL_ACCOUNTS.fees, asset, units }]);
}
