import type { Blockchain, ChainFamily } from './chains';
import { compareDecimals, fromBaseUnits, toBaseUnits } from './money';
import { FEE_LEVELS, type FeeLevel, type Policy } from './policy';

/** How a request says what it pays. Prices are in gwei; all are decimal strings. */
export interface FeeChoice {
  feeLevel?: FeeLevel;
  gasLimit?: string;
  gasPrice?: string;
  maxFee?: string;
  priorityFee?: string;
}

/** The API's estimate for one fee level. Prices in gwei, totals in native tokens; all are decimal strings. */
export interface FeeQuote {
  /** The most that the transaction costs with the estimated gas. */
  networkFee?: string;
  gasLimit?: string;
  gasPrice?: string;
  maxFee?: string;
  l1Fee?: string;
}

/** Who pays: gas is counted differently by blockchains other than EVM, and by smart-contract wallets. */
export interface FeePayer {
  family?: ChainFamily;
  accountType?: string;
}

/** More decimals than any native token has. An amount with even more is not compared, and a person is asked. */
const DECIMALS = 36;
/** 1 gwei is 10^-9 of a native token. */
const GWEI_DECIMALS = DECIMALS - 9;

/** The fee levels that a request may lead to: the one that it names, or else any. */
export function levelsOf({ feeLevel }: FeeChoice): readonly FeeLevel[] {
  return feeLevel === undefined ? FEE_LEVELS : [feeLevel];
}

/**
 * The greatest network fee that a request can cost, in native tokens.
 * @param quotes estimates for `levelsOf(choice)`
 * @param headroomPercent by how much what the request does not fix may rise after the estimate
 * @returns undefined if the choice and the estimates do not tell
 */
export function greatestFee(
  choice: FeeChoice,
  quotes: readonly FeeQuote[],
  { family, accountType }: FeePayer,
  headroomPercent = 0,
): string | undefined {
  const hasOwnGas = choice.gasLimit !== undefined || pricesOf(choice).length > 0 || choice.priorityFee !== undefined;
  if (hasOwnGas && (family !== 'evm' || accountType === 'SCA')) return undefined;
  try {
    const fees = quotes.map((quote) =>
      hasOwnGas ? ownFee(choice, quote, headroomPercent) : raised(units(quote.networkFee), headroomPercent),
    );
    return fees.length === 0 ? undefined : fromBaseUnits(greatest(fees), DECIMALS);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Why a policy does not allow a network fee, in native tokens.
 * @param fee the most that can be paid; undefined if that is not known
 * @returns undefined if the policy allows it
 */
export function feeProblem(
  { name, transfer }: Pick<Policy, 'name' | 'transfer'>,
  blockchain: string,
  fee: string | undefined,
): string | undefined {
  const limit = transfer.maxNetworkFee?.[blockchain as Blockchain];
  if (limit === undefined || (fee !== undefined && compareDecimals(fee, limit) <= 0)) return undefined;
  const problem =
    fee === undefined ? 'it is not known how high the network fee may be' : `the network fee may be ${fee}`;
  return `${problem}; policy ${name} allows ${limit}`;
}

/**
 * The gas limit of the request at its own price or that of the level, plus what the estimate has on top of its gas, such
 * as the fee of an L1. Only its own price does not rise. @throws RangeError if a value that is needed is missing or not a decimal
 */
function ownFee({ gasLimit, ...choice }: FeeChoice, quote: FeeQuote, headroomPercent: number): bigint {
  // Without a maximum, the priority fee has no bound.
  if (choice.priorityFee !== undefined && choice.maxFee === undefined) throw new RangeError('No maximum');
  const ownPrices = pricesOf(choice);
  const extra = raised(surcharge(quote), headroomPercent);
  if (ownPrices.length > 0) return gas(gasLimit) * priceOf(ownPrices) + extra;
  return raised(gas(gasLimit) * priceOf(pricesOf(quote)), headroomPercent) + extra;
}

/** A fee with its headroom, rounded up. */
function raised(fee: bigint, percent: number): bigint {
  return (fee * BigInt(100 + percent) + 99n) / 100n;
}

/** What the estimate has on top of its gas. */
function surcharge(quote: FeeQuote): bigint {
  const l1Fee = units(quote.l1Fee ?? '0');
  const prices = pricesOf(quote);
  if (quote.networkFee === undefined || quote.gasLimit === undefined || prices.length === 0) return l1Fee;
  return greatest([l1Fee, units(quote.networkFee) - gas(quote.gasLimit) * priceOf(prices)]);
}

function pricesOf({ maxFee, gasPrice }: Pick<FeeChoice, 'maxFee' | 'gasPrice'>): string[] {
  return [maxFee, gasPrice].filter((price) => price !== undefined);
}

/** The price of a unit of gas: the greatest of several. */
function priceOf(prices: readonly string[]): bigint {
  return greatest(prices.map((price) => toBaseUnits(price, GWEI_DECIMALS)));
}

function gas(limit: string | undefined): bigint {
  return toBaseUnits(limit ?? '', 0);
}

function units(amount: string | undefined): bigint {
  return toBaseUnits(amount ?? '', DECIMALS);
}

/** @throws RangeError if there is none */
function greatest(values: readonly bigint[]): bigint {
  const [first, ...others] = values;
  if (first === undefined) throw new RangeError('No value');
  return others.reduce((one, other) => (one > other ? one : other), first);
}
