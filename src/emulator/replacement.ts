import { isEip1559 } from './chains/eip1559';
import { GAS, evmFee, feeAtLevel, offerAtLevel, type Fee, type GasOffer } from './chains/fees';
import type { TransactionRow } from './store';
import type { World } from './world';

/** Nodes take a replacement only when it offers a tenth more than what it replaces, price and tip alike. */
const raised = (wei: bigint) => (wei * 110n + 99n) / 100n;
const larger = (one: bigint, other: bigint) => (one > other ? one : other);

/**
 * Of level HIGH, and at least a tenth more than before in each of its prices, so that accelerating again and again costs
 * more each time. For the same gas, and of the same kind as what it replaces. EVM only.
 */
export function acceleratedFee({ id, resource: { blockchain }, fee }: TransactionRow): Fee {
  if (!fee?.offer) throw new Error(`Transaction ${id} offers no price that could be raised`);
  const high = offerAtLevel(blockchain, 'HIGH', 'maxFee' in fee.offer);
  return { ...evmFee(blockchain, BigInt(fee.shown.gasLimit ?? 0), outbid(fee.offer, high)), level: 'HIGH' };
}

function outbid(before: GasOffer, high: GasOffer): GasOffer {
  const level: Partial<Record<string, bigint>> = high;
  const prices = Object.entries(before).map(([name, wei]) => [name, larger(raised(wei), level[name] ?? 0n)]);
  return Object.fromEntries(prices) as GasOffer;
}

/** A transfer of nothing to oneself at level HIGH. It takes the place, and the reserve, of the transaction. */
export function cancellationFee(world: World, { resource, fee }: TransactionRow): bigint {
  const { blockchain } = resource;
  const { expected } = feeAtLevel(blockchain, 'HIGH', GAS.native, isEip1559(world, blockchain));
  const most = fee?.most ?? 0n;
  return expected < most ? expected : most;
}
