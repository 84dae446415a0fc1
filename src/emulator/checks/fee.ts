import { type Blockchain, CHAINS } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import type { FeeLevel } from '../../domain/policy';
import { evmFee, type Fee, feeAtLevel, type GasOffer, GWEI_DECIMALS, nativeDecimals } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { isEip1559 } from '../transactions/eip1559';
import type { Sender } from '../wallets/sender';
import type { World } from '../world/world';

type Decimal = string | number;

export interface FeeFields {
  feeLevel?: FeeLevel | undefined;
  gasLimit?: Decimal | undefined;
  gasPrice?: Decimal | undefined;
  maxFee?: Decimal | undefined;
  priorityFee?: Decimal | undefined;
}

/**
 * Checks the fee fields against sender and blockchain, and returns the fee. The contract's rules have already checked
 * the combinations that depend only on the body.
 * @throws ApiErrorResponse 155232, 155234, 155233, 155235, 155238, 155254, 155236, 155211
 */
export function feeOf(world: World, { blockchain, sca }: Sender, gas: bigint, body: FeeFields): Fee {
  const { feeLevel, gasLimit } = body;
  if (sca && feeLevel === undefined) throw new ApiErrorResponse(155232);
  if (sca && gasLimit !== undefined) throw new ApiErrorResponse(155234);
  const eip1559 = isEip1559(world, blockchain);
  if (CHAINS[blockchain].family !== 'evm') return feeAtLevel(blockchain, feeLevel ?? 'MEDIUM', gas, eip1559);

  const limit = gasLimit === undefined ? gas : parse(gasLimit, 0);
  const offer = feeLevel === undefined ? offerOf(body, eip1559) : undefined;
  if (limit < gas) throw new ApiErrorResponse(155233);
  const fee = offer ? evmFee(blockchain, limit, offer) : feeAtLevel(blockchain, feeLevel ?? 'MEDIUM', limit, eip1559);
  requireFeeBelowMax(world, blockchain, fee);
  return fee;
}

/** @throws ApiErrorResponse 155211 the fee is above the blockchain's maximum */
export function requireFeeBelowMax({ settings }: World, blockchain: Blockchain, { max }: Fee): void {
  if (max > toBaseUnits(settings.maxFeeNative, nativeDecimals(blockchain))) throw new ApiErrorResponse(155211);
}

function offerOf({ gasPrice, maxFee, priorityFee }: FeeFields, eip1559: boolean): GasOffer {
  if (eip1559) {
    if (maxFee === undefined || priorityFee === undefined) throw new ApiErrorResponse(155235);
    return { maxFee: parse(maxFee, GWEI_DECIMALS), priorityFee: parse(priorityFee, GWEI_DECIMALS) };
  }
  if (gasPrice === undefined) throw new ApiErrorResponse(155238);
  if (maxFee !== undefined || priorityFee !== undefined) throw new ApiErrorResponse(155254);
  return { gasPrice: parse(gasPrice, GWEI_DECIMALS) };
}

function parse(value: Decimal, decimals: number): bigint {
  try {
    return toBaseUnits(String(value), decimals);
  } catch {
    throw new ApiErrorResponse(155236);
  }
}
