import { evmFee, type Fee, feeAtLevel, GAS, type GasOffer, offerAtLevel } from '../chains/fees';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { isEip1559 } from './eip1559';

/** Nodes accept a replacement only if its price and its tip are at least 10% higher. */
const bumped = (wei: bigint) => (wei * 110n + 99n) / 100n;
const max = (a: bigint, b: bigint) => (a > b ? a : b);

/**
 * The fee of an accelerated transaction: level HIGH, but each price at least 10% higher than before, so that each
 * additional acceleration costs more. Gas limit and fee type stay the same. EVM only.
 */
export function acceleratedFee({ id, resource: { blockchain }, fee }: TransactionRow): Fee {
  if (!fee?.offer) throw new Error(`Transaction ${id} has no gas price to raise`);
  const high = offerAtLevel(blockchain, 'HIGH', 'maxFee' in fee.offer);
  return { ...evmFee(blockchain, BigInt(fee.resource.gasLimit ?? 0), outbid(fee.offer, high)), level: 'HIGH' };
}

function outbid(current: GasOffer, high: GasOffer): GasOffer {
  const level: Partial<Record<string, bigint>> = high;
  const prices = Object.entries(current).map(([name, wei]) => [name, max(bumped(wei), level[name] ?? 0n)]);
  return Object.fromEntries(prices) as GasOffer;
}

/**
 * The fee of the empty transfer that replaces a cancelled transaction, at level HIGH. At most the maximum fee of the
 * cancelled transaction, whose reserve pays for it.
 */
export function cancellationFee(world: World, { resource, fee }: TransactionRow): bigint {
  const { blockchain } = resource;
  const { expected } = feeAtLevel(blockchain, 'HIGH', GAS.native, isEip1559(world, blockchain));
  const limit = fee?.max ?? 0n;
  return expected < limit ? expected : limit;
}
