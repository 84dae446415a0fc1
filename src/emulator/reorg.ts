import type { ErrorReason } from './errorReasons';
import { toBaseUnits } from '../domain/money';
import { nativeDecimals } from './chains/fees';
import { removeLogs } from './chains/evm/logs';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf, outgoings } from './ledger';
import { uncover } from './outside';
import { Refusal } from './refusal';
import type { Transaction } from './resources';
import { moveAll } from './settlement';
import type { TransactionRow } from './store';
import { nativeToken } from './tokens';
import { fail } from './transactionSteps';
import type { World } from './world';

const NOT_IN_A_BLOCK = {
  blockHash: undefined,
  blockHeight: undefined,
  firstConfirmDate: undefined,
  networkFee: undefined,
} satisfies Partial<Transaction>;

/**
 * The block of a transaction is replaced by one without it, before it is final: all that it has done is taken back, the
 * fee too, and all its sides end `FAILED`. An EVM sender fills the nonce with an empty transaction, which costs gas.
 * @throws Refusal 155229 when it is not `CONFIRMED`, when what arrived was spent, or something else it did was used; then
 *   nothing has changed
 */
export function reorg(world: World, { resource: { blockchain, txHash = '' } }: TransactionRow): void {
  const { transactions, landings, ledger } = world.store;
  const sides = transactions
    .all()
    .filter(({ resource }) => resource.txHash === txHash && resource.blockchain === blockchain);
  const landing = landings.get(blockchain, txHash);
  if (!landing || sides.some(({ resource }) => resource.state !== 'CONFIRMED')) throw new Refusal(155229);
  const back = landing.movements.map(({ from, to, ...rest }) => ({ from: to, to: from, ...rest }));
  const taken = outgoings(back);
  if (taken.some(({ account, asset, units }) => ledger.balance(account, asset) < units)) throw new Refusal(155229);
  if (landing.effects.some((effect) => effect.isUsed())) throw new Refusal(155229);

  for (const { account, asset, units } of taken) uncover(world, blockchain, account, asset, units);
  moveAll(world, back);
  for (const effect of landing.effects.toReversed()) effect.undo();
  landings.remove(blockchain, txHash);
  removeLogs(world, blockchain, txHash);
  for (const row of sides) {
    refundFee(world, row);
    row.landed = false;
    // Nothing is set apart for it any more: what fills its nonce is paid from what is there.
    row.uncovered = 'native';
    Object.assign(row.resource, NOT_IN_A_BLOCK);
    fail(world, row, { errorReason: 'FAILED_REORG' satisfies ErrorReason });
  }
}

/** What was charged, which may be less than was expected. */
function refundFee(world: World, { sponsored, resource, wallet }: TransactionRow): void {
  const { networkFee, blockchain } = resource;
  if (networkFee === undefined || sponsored) return;
  const units = toBaseUnits(networkFee, nativeDecimals(blockchain));
  const asset = assetOf(nativeToken(world.store, blockchain).id);
  moveAll(world, [{ from: OUTSIDE_ACCOUNTS.fees, to: accountOf(blockchain, wallet.resource.address), asset, units }]);
}
