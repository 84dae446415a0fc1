import { toBaseUnits } from '../../domain/money';
import { nativeDecimals } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { ErrorReason } from '../errors/errorReasons';
import { removeLogs } from '../evm/logs';
import { accountOf, assetOf, EXTERNAL_ACCOUNTS, netDebits } from '../ledger/ledger';
import type { Transaction } from '../ledger/resources';
import { nativeToken } from '../ledger/tokens';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { moveFunds } from './moveFunds';
import { takeReserved } from './outOfBand';
import { fail } from './transactionSteps';

const NOT_IN_A_BLOCK = {
  blockHash: undefined,
  blockHeight: undefined,
  firstConfirmDate: undefined,
  networkFee: undefined,
  networkFeeInUSD: undefined,
} satisfies Partial<Transaction>;

/**
 * Replaces the block of a transaction by one without it, before it is final. All its effects are undone, and its fee is
 * refunded. Its outbound and inbound rows end `FAILED`. An EVM sender fills the nonce with an empty transaction, which
 * costs gas.
 * @throws ApiErrorResponse 155229 it is not `CONFIRMED`, or something that it moved was spent, or another effect was
 * used; then nothing has changed
 */
export function reorg(world: World, { resource: { blockchain, txHash = '' } }: TransactionRow): void {
  const { transactions, effectLog, ledger } = world.store;
  const rows = transactions
    .all()
    .filter(({ resource }) => resource.txHash === txHash && resource.blockchain === blockchain);
  const effects = effectLog.get(blockchain, txHash);
  if (!effects || rows.some(({ resource }) => resource.state !== 'CONFIRMED')) throw new ApiErrorResponse(155229);
  const reversed = effects.movements.map(({ from, to, ...rest }) => ({ from: to, to: from, ...rest }));
  const debits = netDebits(reversed);
  if (debits.some(({ account, asset, units }) => ledger.balance(account, asset) < units))
    throw new ApiErrorResponse(155229);
  if (effects.sideEffects.some((effect) => effect.isUsed())) throw new ApiErrorResponse(155229);

  for (const { account, asset, units } of debits) takeReserved(world, blockchain, account, asset, units);
  moveFunds(world, reversed);
  for (const effect of effects.sideEffects.toReversed()) effect.undo();
  effectLog.remove(blockchain, txHash);
  removeLogs(world, blockchain, txHash);
  for (const row of rows) {
    refundFee(world, row);
    row.settled = false;
    // Its reserves no longer exist, so the replacement transaction is paid from the wallet's available balance.
    row.underfunded = 'native';
    Object.assign(row.resource, NOT_IN_A_BLOCK);
    fail(world, row, { errorReason: 'FAILED_REORG' satisfies ErrorReason });
  }
}

/** Refunds what was charged, which may be less than the expected fee. */
function refundFee(world: World, { sponsored, resource, wallet }: TransactionRow): void {
  const { networkFee, blockchain } = resource;
  if (networkFee === undefined || sponsored) return;
  const units = toBaseUnits(networkFee, nativeDecimals(blockchain));
  const asset = assetOf(nativeToken(world.store, blockchain).id);
  moveFunds(world, [
    { from: EXTERNAL_ACCOUNTS.fees, to: accountOf(blockchain, wallet.resource.address), asset, units },
  ]);
}
