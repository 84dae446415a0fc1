import { toBaseUnits } from '../../domain/money';
import {
  CRYPTO_DECIMALS,
  FIAT_DECIMALS,
  RAMP_BLOCKCHAINS,
  RAMP_TYPES,
  type FiatCurrency,
  type PaymentMethod,
  type RampBlockchain,
  type RampType,
} from '../../domain/ramp';
import { keyKind, networkOf } from './blockchains';

/** What the partner trades: our own table, in the form that the API publishes (api-facts 10). */
interface Market {
  fiatCurrency: FiatCurrency;
  paymentMethodType: PaymentMethod;
  /** Least and most in the fiat currency. */
  buy?: readonly [least: string, most: string];
  /** Least and most in USDC. */
  sell?: readonly [least: string, most: string];
  networks: readonly string[];
}

const ALL_NETWORKS = ['ETH', 'ARB', 'BASE', 'MATIC', 'OP', 'XLM'];

// prettier-ignore
const MARKETS: readonly Market[] = [
  { fiatCurrency: 'USD', paymentMethodType: 'WIRE', buy: ['100', '100000'], sell: ['100', '100000'], networks: ALL_NETWORKS },
  { fiatCurrency: 'EUR', paymentMethodType: 'SEPA', buy: ['20', '50000'], sell: ['20', '50000'], networks: ALL_NETWORKS },
  { fiatCurrency: 'EUR', paymentMethodType: 'WIRE', buy: ['500', '100000'], networks: ['ETH'] },
  { fiatCurrency: 'BRL', paymentMethodType: 'PIX', buy: ['100', '250000'], sell: ['20', '50000'], networks: ['ETH', 'BASE', 'MATIC'] },
  { fiatCurrency: 'MXN', paymentMethodType: 'SPEI', buy: ['400', '900000'], sell: ['20', '50000'], networks: ['ETH', 'BASE', 'MATIC', 'XLM'] },
  { fiatCurrency: 'ARS', paymentMethodType: 'ARS_BANK_TRANSFER', buy: ['20000', '50000000'], networks: ['BASE', 'MATIC'] },
];

/** Whose customers a currency is for (ISO 3166-1 alpha-2). */
const COUNTRIES: Record<FiatCurrency, readonly string[]> = {
  ARS: ['AR'],
  BRL: ['BR'],
  EUR: 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
  MXN: ['MX'],
  USD: ['US'],
};

/** One combination that can be traded. Limits are of what the customer gives: fiat (BUY) or USDC (SELL), in base units. */
export interface Pair {
  rampType: RampType;
  fiatCurrency: FiatCurrency;
  blockchain: RampBlockchain;
  paymentMethodType: PaymentMethod;
  least: bigint;
  most: bigint;
}

const PAIRS: readonly Pair[] = MARKETS.flatMap(({ networks, buy, sell, ...market }) =>
  RAMP_TYPES.flatMap((rampType) => {
    const limits = rampType === 'BUY' ? buy : sell;
    if (!limits) return [];
    const [least, most] = limits.map((amount) => toBaseUnits(amount, givenDecimals(rampType))) as [bigint, bigint];
    return RAMP_BLOCKCHAINS.filter((blockchain) => networks.includes(networkOf(blockchain))).map((blockchain) => ({
      rampType,
      ...market,
      blockchain,
      least,
      most,
    }));
  }),
);

export interface PairFilter {
  rampType: RampType;
  fiatCurrency?: FiatCurrency | undefined;
  blockchain?: RampBlockchain | undefined;
  paymentMethodType?: PaymentMethod | undefined;
  countryCode?: string | undefined;
}

/** The combinations that fit, for the blockchains that a kind of API key may use. */
export function findPairs(kind: 'test' | 'live', wanted: PairFilter): Pair[] {
  const { rampType, fiatCurrency, blockchain, paymentMethodType, countryCode } = wanted;
  return PAIRS.filter(
    (pair) =>
      pair.rampType === rampType &&
      keyKind(pair.blockchain) === kind &&
      (fiatCurrency === undefined || pair.fiatCurrency === fiatCurrency) &&
      (blockchain === undefined || pair.blockchain === blockchain) &&
      (paymentMethodType === undefined || pair.paymentMethodType === paymentMethodType) &&
      (countryCode === undefined || isServed(pair, countryCode)),
  );
}

export function isServed({ fiatCurrency }: Pair, countryCode: string): boolean {
  return COUNTRIES[fiatCurrency].includes(countryCode);
}

export function isWithin({ least, most }: Pair, given: bigint): boolean {
  return least <= given && given <= most;
}

/** Decimals of what the customer gives. */
export function givenDecimals(rampType: RampType): number {
  return rampType === 'BUY' ? FIAT_DECIMALS : CRYPTO_DECIMALS;
}
