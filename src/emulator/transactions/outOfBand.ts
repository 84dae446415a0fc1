import { type Blockchain, CHAINS } from '../../domain/chains';
import { feeAtLevel, GAS } from '../chains/fees';
import { profileOf } from '../chains/profiles';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { type Account, accountOf, type Asset, assetOf, EXTERNAL_ACCOUNTS } from '../ledger/ledger';
import { nativeToken } from '../ledger/tokens';
import type { TransactionRow } from '../world/transactionRows';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';
import { isEip1559 } from './eip1559';
import { moveFunds, reserveFee } from './moveFunds';
import { takeNonce } from './senderQueue';

/** Spending outside the API. Blockchains do not know what the API has reserved. */

/**
 * Spends from a wallet with a transaction that was signed and broadcast outside the API. On EVM blockchains it uses the
 * next nonce. Until it is final, the API rejects new transactions of the wallet (`155202`).
 * @throws ApiErrorResponse 155515 a smart-contract wallet cannot broadcast a transaction, 155201 insufficient funds
 */
export function broadcast(world: World, wallet: WalletRow, payment: { asset: Asset; units: bigint } | undefined): void {
  const { store, clock } = world;
  const { blockchain, address, accountType } = wallet.resource;
  if (accountType !== 'EOA') throw new ApiErrorResponse(155515);
  const from = accountOf(blockchain, address);
  const native = assetOf(nativeToken(store, blockchain).id);
  const fee = feeAtLevel(blockchain, 'MEDIUM', GAS.native, isEip1559(world, blockchain)).expected;
  const movements = [{ from, to: EXTERNAL_ACCOUNTS.fees as Account, asset: native, units: fee }];
  if (payment) movements.push({ from, to: EXTERNAL_ACCOUNTS.external, ...payment });
  const needed = new Map<Asset, bigint>();
  for (const { asset, units } of movements) needed.set(asset, (needed.get(asset) ?? 0n) + units);
  for (const [asset, units] of needed) {
    if (store.ledger.balance(from, asset) < units) throw new ApiErrorResponse(155201);
  }
  for (const [asset, units] of needed) takeReserved(world, blockchain, from, asset, units);
  moveFunds(world, movements);
  if (CHAINS[blockchain].family !== 'evm') return;

  const nonces = store.outOfBandNonces.get(from) ?? { used: [], open: 0 };
  store.outOfBandNonces.set(from, nonces);
  nonces.used.push(takeNonce(store, wallet));
  nonces.open += 1;
  const { confirmMs, finalMs } = profileOf(blockchain);
  clock.after(confirmMs + finalMs, () => (nonces.open -= 1));
}

/** Frees units of an account by taking them from the reserves of its pending transactions, the latest first. */
export function takeReserved(
  world: World,
  blockchain: Blockchain,
  account: Account,
  asset: Asset,
  units: bigint,
): void {
  const { ledger, queues } = world.store;
  const native = assetOf(nativeToken(world.store, blockchain).id);
  for (const row of [...(queues.get(account) ?? [])].toReversed()) {
    if (ledger.available(account, asset) >= units) return;
    if ((ledger.reserved(row.id).get(asset) ?? 0n) > 0n) markUnderfunded(world, row, asset === native, native);
  }
}

/** Releases the reserves of a transaction. If only its tokens were spent, the fee is reserved again. */
function markUnderfunded(world: World, row: TransactionRow, isNative: boolean, native: Asset): void {
  const { ledger } = world.store;
  const fee = row.sponsored ? 0n : (row.fee?.max ?? 0n);
  const { blockchain, address } = row.wallet.resource;
  ledger.release(row.id);
  row.underfunded = isNative || ledger.available(accountOf(blockchain, address), native) < fee ? 'native' : 'token';
  if (row.underfunded === 'token') reserveFee(world, row, fee);
}
