import { CHAINS, type Blockchain } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import type { FeeLevel } from '../../domain/policy';
import { isEip1559 } from '../chains/eip1559';
import { GWEI_DECIMALS, evmFee, feeAtLevel, nativeDecimals, type Fee, type GasOffer } from '../chains/fees';
import { Refusal } from '../refusal';
import type { World } from '../world';
import type { Source } from './source';

type Decimal = string | number;

export interface FeeFields {
  feeLevel?: FeeLevel | undefined;
  gasLimit?: Decimal | undefined;
  gasPrice?: Decimal | undefined;
  maxFee?: Decimal | undefined;
  priorityFee?: Decimal | undefined;
}

/**
 * The part of the fee matrix that needs to know sender and blockchain (field case SB-08); the contract's rules have
 * checked what the body shows by itself.
 * @throws Refusal 155232, 155234, 155233, 155235, 155238, 155254, 155236, 155211
 */
export function feeOf(world: World, { blockchain, sca }: Source, gas: bigint, body: FeeFields): Fee {
  const { feeLevel, gasLimit } = body;
  if (sca && feeLevel === undefined) throw new Refusal(155232);
  if (sca && gasLimit !== undefined) throw new Refusal(155234);
  const eip1559 = isEip1559(world, blockchain);
  if (CHAINS[blockchain].family !== 'evm') return feeAtLevel(blockchain, feeLevel ?? 'MEDIUM', gas, eip1559);

  const limit = gasLimit === undefined ? gas : parse(gasLimit, 0);
  const offer = feeLevel === undefined ? offerOf(body, eip1559) : undefined;
  if (limit < gas) throw new Refusal(155233);
  const fee = offer ? evmFee(blockchain, limit, offer) : feeAtLevel(blockchain, feeLevel ?? 'MEDIUM', limit, eip1559);
  requireFeeWithin(world, blockchain, fee);
  return fee;
}

/** @throws Refusal 155211: it is above the most of the blockchain */
export function requireFeeWithin({ settings }: World, blockchain: Blockchain, { most }: Fee): void {
  if (most > toBaseUnits(settings.maxFeeNative, nativeDecimals(blockchain))) throw new Refusal(155211);
}

function offerOf({ gasPrice, maxFee, priorityFee }: FeeFields, eip1559: boolean): GasOffer {
  if (eip1559) {
    if (maxFee === undefined || priorityFee === undefined) throw new Refusal(155235);
    return { maxFee: parse(maxFee, GWEI_DECIMALS), priorityFee: parse(priorityFee, GWEI_DECIMALS) };
  }
  if (gasPrice === undefined) throw new Refusal(155238);
  if (maxFee !== undefined || priorityFee !== undefined) throw new Refusal(155254);
  return { gasPrice: parse(gasPrice, GWEI_DECIMALS) };
}

function parse(value: Decimal, decimals: number): bigint {
  try {
    return toBaseUnits(String(value), decimals);
  } catch {
    throw new Refusal(155236);
  }
}
