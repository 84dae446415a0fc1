import { CHAINS, type Blockchain } from '../domain/chains';
import { isEip1559 } from './chains/eip1559';
import { GAS, feeAtLevel } from './chains/fees';
import { profileOf } from './chains/profiles';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf, type Account, type Asset } from './ledger';
import { Refusal } from './refusal';
import { takeNonce } from './senderQueue';
import { moveAll, reserveFee } from './settlement';
import type { TransactionRow, WalletRow } from './store';
import { nativeToken } from './tokens';
import type { World } from './world';

/** What the blockchains do to wallets past the API. They know nothing of what it has set apart. */

/**
 * Somebody broadcasts what was signed with a wallet's key: it spends, and on EVM blockchains uses the next nonce. Until it
 * is final the API's count of nonces is behind (`155202`).
 * @throws Refusal 155515 a smart-contract wallet sends nothing by itself, 155201 there is not enough
 */
export function broadcast(world: World, wallet: WalletRow, spent: { asset: Asset; units: bigint } | undefined): void {
  const { store, clock } = world;
  const { blockchain, address, accountType } = wallet.resource;
  if (accountType !== 'EOA') throw new Refusal(155515);
  const from = accountOf(blockchain, address);
  const native = assetOf(nativeToken(store, blockchain).id);
  const fee = feeAtLevel(blockchain, 'MEDIUM', GAS.native, isEip1559(world, blockchain)).expected;
  const movements = [{ from, to: OUTSIDE_ACCOUNTS.fees as Account, asset: native, units: fee }];
  if (spent) movements.push({ from, to: OUTSIDE_ACCOUNTS.outside, ...spent });
  const needed = new Map<Asset, bigint>();
  for (const { asset, units } of movements) needed.set(asset, (needed.get(asset) ?? 0n) + units);
  for (const [asset, units] of needed) {
    if (store.ledger.balance(from, asset) < units) throw new Refusal(155201);
  }
  for (const [asset, units] of needed) uncover(world, blockchain, from, asset, units);
  moveAll(world, movements);
  if (CHAINS[blockchain].family !== 'evm') return;

  const outside = store.outsideNonces.get(from) ?? { used: [], open: 0 };
  store.outsideNonces.set(from, outside);
  outside.used.push(takeNonce(store, wallet));
  outside.open += 1;
  const { confirmMs, finalMs } = profileOf(blockchain);
  clock.after(confirmMs + finalMs, () => (outside.open -= 1));
}

/** Takes units away from what the latest transactions of an account have set apart, until they are free. */
export function uncover(world: World, blockchain: Blockchain, account: Account, asset: Asset, units: bigint): void {
  const { ledger, queues } = world.store;
  const native = assetOf(nativeToken(world.store, blockchain).id);
  for (const row of [...(queues.get(account) ?? [])].toReversed()) {
    if (ledger.available(account, asset) >= units) return;
    if ((ledger.reserved(row.id).get(asset) ?? 0n) > 0n) setBare(world, row, asset === native, native);
  }
}

/** What was set apart for its fee stays so, if it is something else that is gone. */
function setBare(world: World, row: TransactionRow, isNative: boolean, native: Asset): void {
  const { ledger } = world.store;
  const fee = row.sponsored ? 0n : (row.fee?.most ?? 0n);
  const { blockchain, address } = row.wallet.resource;
  ledger.release(row.id);
  row.uncovered = isNative || ledger.available(accountOf(blockchain, address), native) < fee ? 'native' : 'token';
  if (row.uncovered === 'token') reserveFee(world, row, fee);
}
