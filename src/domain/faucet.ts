import { findChain } from './chains';
import { compareDecimals, isDecimal } from './money';
import { CLOCK_SKEW_MS } from './retryRules';
import { coinOf, type TokenIdentity } from './stablecoins';

/** Which tokens a request to the faucet asks for. */
export interface RequestedTokens {
  native?: boolean | undefined;
  usdc?: boolean | undefined;
  eurc?: boolean | undefined;
}

/** A deposit that the faucet makes. */
export interface ExpectedDeposit {
  /** See `coinOf`. */
  coin: string;
  /** The smallest amount that counts, in tokens: anybody can send a smaller one. */
  minimum: string;
}

/** A deposit in a wallet. */
export interface Deposit {
  id: string;
  state: string;
  token: TokenIdentity;
  /** Decimal string, in tokens. */
  amount: string;
}

/**
 * The smallest amounts that the faucets publish: 10 to 20 stablecoins, 0.01 to 0.2 native tokens
 * (docs/api-behavior.md#faucet-monitored-tokens-and-wallet-sets).
 */
const MINIMUM = { native: '0.01', stablecoin: '10' };

/** The deposits that follow from a request: one for each coin. On Arc, the native token and USDC are the same coin. */
export function expectedDeposits(blockchain: string, { native, usdc, eurc }: RequestedTokens): ExpectedDeposit[] {
  const nativeCoin = findChain(blockchain)?.native?.symbol ?? '';
  const expected = [
    ...(usdc ? [{ coin: 'USDC', minimum: MINIMUM.stablecoin }] : []),
    ...(eurc ? [{ coin: 'EURC', minimum: MINIMUM.stablecoin }] : []),
  ];
  if (native && !expected.some(({ coin }) => coin === nativeCoin))
    expected.unshift({ coin: nativeCoin, minimum: MINIMUM.native });
  return expected;
}

/**
 * The time since which a deposit may be one of a request, in ISO 8601.
 * @param startTime of the flow's first run: a reset keeps it, and an earlier run may have made the request
 */
export function dripWindow(startTime: Date): string {
  return new Date(startTime.getTime() - CLOCK_SKEW_MS).toISOString();
}

/** Whether this is the deposit that is expected, whatever its state. */
export function isExpected({ coin, minimum }: ExpectedDeposit, { token, amount }: Omit<Deposit, 'id'>): boolean {
  return coinOf(token) === coin && isDecimal(amount) && compareDecimals(amount, minimum) >= 0;
}

/** What has arrived: for each expected deposit one that counts, if there is one. Only a complete deposit counts. */
export function arrivedOf<D extends Deposit>(
  expected: readonly ExpectedDeposit[],
  deposits: readonly D[],
): { arrived: D[]; missing: ExpectedDeposit[] } {
  const complete = deposits.filter(({ state }) => state === 'COMPLETE');
  const found = expected.map((each) => complete.find((deposit) => isExpected(each, deposit)));
  return {
    arrived: found.filter((deposit) => deposit !== undefined),
    missing: expected.filter((_, index) => found[index] === undefined),
  };
}

/** `missing: ETH, USDC; arrived: 20 USDC (FAILED); 2 other deposits do not count` */
export function describeDeposits(expected: readonly ExpectedDeposit[], deposits: readonly Deposit[]): string {
  const { missing } = arrivedOf(expected, deposits);
  const relevant = deposits.filter((deposit) => expected.some((each) => isExpected(each, deposit)));
  const others = deposits.length - relevant.length;
  const amounts = relevant.map(
    ({ amount, token, state }) => `${amount} ${coinOf(token)}${state === 'COMPLETE' ? '' : ` (${state})`}`,
  );
  return [
    `missing: ${missing.map(({ coin }) => coin).join(', ')}`,
    ...(amounts.length > 0 ? [`arrived: ${amounts.join(', ')}`] : []),
    // Without their symbols, which strangers choose.
    ...(others > 0 ? [`${others} other ${others === 1 ? 'deposit does' : 'deposits do'} not count`] : []),
  ].join('; ');
}
