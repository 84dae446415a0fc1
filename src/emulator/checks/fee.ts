import { type Blockchain, CHAINS } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import type { FeeLevel } from '../../domain/policy';
import { evmFee, type Fee, feeAtLevel, type GasOffer, GWEI_DECIMALS, nativeDecimals } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { isEip1559 } from '../transactions/eip1559';
import type { Sender } from '../wallets/sender';
import type { World } from '../world/world';
import { requireDecimals } from './decimals';

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
 * @throws ApiErrorResponse 155232, 155234, 155233, 155235, 155238, 155254, 155236, 155211, and 2 both kinds of fees
 */
export function feeOf(world: World, { blockchain, sca }: Sender, gas: bigint, body: FeeFields): Fee {
  const { feeLevel, gasLimit } = body;
  if (sca && feeLevel === undefined) throw new ApiErrorResponse(155232);
  if (sca && gasLimit !== undefined) throw new ApiErrorResponse(155234);
  const eip1559 = isEip1559(world, blockchain);
  if (CHAINS[blockchain].family !== 'evm') return feeAtLevel(blockchain, feeLevel ?? 'MEDIUM', gas, eip1559);

  const limit = gasLimit === undefined ? gas : gasLimitOf(gasLimit);
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
    if (gasPrice !== undefined && (maxFee !== undefined || priorityFee !== undefined))
      throw new ApiErrorResponse(2, { message: 'gasPrice cannot be combined with maxFee or priorityFee' });
    if (maxFee === undefined || priorityFee === undefined) throw new ApiErrorResponse(155235);
    return { maxFee: gweiOf(maxFee, 'maxFee'), priorityFee: gweiOf(priorityFee, 'priorityFee') };
  }
  if (gasPrice === undefined) throw new ApiErrorResponse(155238);
  if (maxFee !== undefined || priorityFee !== undefined) throw new ApiErrorResponse(155254);
  return { gasPrice: gweiOf(gasPrice, 'gasPrice') };
}

/** @throws ApiErrorResponse 155236 more decimals than a gwei has */
function gweiOf(value: Decimal, field: string): bigint {
  requireDecimals(String(value), GWEI_DECIMALS, { code: 155236, field, most: 'gwei have' });
  return toBaseUnits(String(value), GWEI_DECIMALS);
}

/** @throws ApiErrorResponse 155236 gas has no fractions */
function gasLimitOf(value: Decimal): bigint {
  requireDecimals(String(value), 0, { code: 155236, field: 'gasLimit', most: 'gas has' });
  return toBaseUnits(String(value), 0);
}
