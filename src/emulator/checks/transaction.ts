import { accountOf, assetOf } from '../ledger';
import { EVERYBODYS, type Reach } from '../reach';
import { Refusal } from '../refusal';
import type { TransactionRow } from '../store';
import { nativeToken } from '../tokens';
import { acceleratedFee } from '../replacement';
import { requireOpen } from '../transactionMachine';
import type { World } from '../world';
import { requireFeeWithin } from './fee';
import { requireLive } from './source';

/** @throws Refusal 156003 */
export function transactionOf({ store }: World, id: string, reach: Reach = EVERYBODYS): TransactionRow {
  const row = store.transactions.get(id);
  if (!row || !reach(row.resource)) throw new Refusal(156003);
  return row;
}

/** @throws Refusal 156003, 155215, 155227, 155229, 155501, 155211 no higher fee is allowed, 155201 */
export function requireAcceleratable(world: World, id: string, reach: Reach): TransactionRow {
  const row = transactionOf(world, id, reach);
  requireOpen(row, 'acceleratable');
  requireLive(row.wallet);
  const { blockchain, address } = row.wallet.resource;
  const fee = acceleratedFee(row);
  requireFeeWithin(world, blockchain, fee);
  if (row.sponsored) return row;
  const native = assetOf(nativeToken(world.store, blockchain).id);
  const available = world.store.ledger.available(accountOf(blockchain, address), native);
  if (available < fee.most - (row.fee?.most ?? 0n)) throw new Refusal(155201);
  return row;
}

/** @throws Refusal 156003, 155215, 155227, 155229, 155501 */
export function requireCancellable(world: World, id: string, reach: Reach): TransactionRow {
  const row = transactionOf(world, id, reach);
  requireOpen(row, 'cancellable');
  requireLive(row.wallet);
  return row;
}
