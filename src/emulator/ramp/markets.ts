import { toBaseUnits } from '../../domain/money';
import {
  CRYPTO_DECIMALS,
  FIAT_DECIMALS,
  type FiatCurrency,
  type PaymentMethod,
  RAMP_BLOCKCHAINS,
  RAMP_TYPES,
  type RampBlockchain,
  type RampType,
} from '../../domain/ramp';
import { keyKind, networkOf } from './blockchains';

/** What the partner trades. The values are the emulator's own (docs/api-behavior.md#ramp). */
interface Market {
  fiatCurrency: FiatCurrency;
  paymentMethodType: PaymentMethod;
  /** Limits in the fiat currency. */
  buy?: readonly [min: string, max: string];
  /** Limits in USDC. */
  sell?: readonly [min: string, max: string];
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

/** Countries whose customers can use a currency (ISO 3166-1 alpha-2). */
const COUNTRIES: Record<FiatCurrency, readonly string[]> = {
  ARS: ['AR'],
  BRL: ['BR'],
  EUR: 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
  MXN: ['MX'],
  USD: ['US'],
};

/** One combination that can be traded. Limits apply to what the customer pays: fiat (BUY) or USDC (SELL), in base units. */
export interface TradingPair {
  rampType: RampType;
  fiatCurrency: FiatCurrency;
  blockchain: RampBlockchain;
  paymentMethodType: PaymentMethod;
  min: bigint;
  max: bigint;
}

const PAIRS: readonly TradingPair[] = MARKETS.flatMap(({ networks, buy, sell, ...market }) =>
  RAMP_TYPES.flatMap((rampType) => {
    const limits = rampType === 'BUY' ? buy : sell;
    if (!limits) return [];
    const [min, max] = limits.map((amount) => toBaseUnits(amount, customerAmountDecimals(rampType))) as [
      bigint,
      bigint,
    ];
    return RAMP_BLOCKCHAINS.filter((blockchain) => networks.includes(networkOf(blockchain))).map((blockchain) => ({
      rampType,
      ...market,
      blockchain,
      min,
      max,
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

/** The combinations that match a filter, on the blockchains that this kind of API key may use. */
export function findPairs(kind: 'test' | 'live', filter: PairFilter): TradingPair[] {
  const { rampType, fiatCurrency, blockchain, paymentMethodType, countryCode } = filter;
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

export function isServed({ fiatCurrency }: TradingPair, countryCode: string): boolean {
  return COUNTRIES[fiatCurrency].includes(countryCode);
}

export function isWithin({ min, max }: TradingPair, customerAmount: bigint): boolean {
  return min <= customerAmount && customerAmount <= max;
}

/** Decimals of the amount that the customer pays. */
export function customerAmountDecimals(rampType: RampType): number {
  return rampType === 'BUY' ? FIAT_DECIMALS : CRYPTO_DECIMALS;
}
