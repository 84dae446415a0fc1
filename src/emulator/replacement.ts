import { fromBaseUnits } from '../domain/money';
import { isEip1559 } from './chains/eip1559';
import { GAS, feeAtLevel, nativeDecimals, type Fee } from './chains/fees';
import type { TransactionRow } from './store';
import type { World } from './world';

/** A replacement has to offer more than what it replaces, or nodes don't take it. */
const REPLACEMENT_PERCENT = 110n;

/** Of level HIGH, and at least a tenth more than before. */
export function acceleratedFee(world: World, { resource, fee }: TransactionRow): Fee {
  const { blockchain } = resource;
  const gas = BigInt(fee?.shown.gasLimit ?? 0);
  const high = feeAtLevel(blockchain, 'HIGH', gas, isEip1559(world, blockchain));
  const least = ((fee?.most ?? 0n) * REPLACEMENT_PERCENT) / 100n;
  if (high.most >= least) return high;
  return {
    ...high,
    most: least,
    shown: { ...high.shown, networkFee: fromBaseUnits(least, nativeDecimals(blockchain)) },
  };
}

/** A transfer of nothing to oneself at level HIGH. It takes the place, and the reserve, of the transaction. */
export function cancellationFee(world: World, { resource, fee }: TransactionRow): bigint {
  const { blockchain } = resource;
  const { expected } = feeAtLevel(blockchain, 'HIGH', GAS.native, isEip1559(world, blockchain));
  const most = fee?.most ?? 0n;
  return expected < most ? expected : most;
}
