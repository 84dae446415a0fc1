import type { FiatCurrency, PaymentMethod, RampFeeType } from '../../domain/ramp';
import { networkOf } from './blockchains';
import type { TradingPair } from './markets';

/** The amounts of a trade, in base units. */
export interface Price {
  /** What the customer pays including fees (BUY), or receives after fees (SELL). */
  fiat: bigint;
  crypto: bigint;
  rate: bigint;
  /** In fiat. */
  fees: readonly { type: RampFeeType; units: bigint }[];
}

const BASIS_POINTS = 10_000n;
/** Multiplying cents by this gives base units of USDC times base units of the rate. */
const SCALE = 10n ** 10n;

/** The partner's fee, in basis points. */
const PROCESSING: Record<PaymentMethod, bigint> = {
  WIRE: 20n,
  SEPA: 30n,
  SPEI: 100n,
  PIX: 150n,
  ARS_BANK_TRANSFER: 200n,
};
/** The tax on a trade, in basis points; other currencies have none. */
const TAX: Partial<Record<FiatCurrency, bigint>> = { BRL: 38n, ARS: 120n };
/** The cost of sending USDC to the customer, in base units of USDC. In a sale the customer sends, and pays the network directly. */
const NETWORK: Record<string, bigint> = { ETH: 1_500_000n, XLM: 10_000n };
const OTHER_NETWORK = 100_000n;

/** Undefined if fees use up the whole amount. Fees are rounded up to the cent, amounts down. */
export function priceOf(pair: TradingPair, customerAmount: bigint, rate: bigint, markup: bigint): Price | undefined {
  const { rampType, fiatCurrency, paymentMethodType, blockchain } = pair;
  const isBuy = rampType === 'BUY';
  const gross = isBuy ? customerAmount : (customerAmount * rate) / SCALE;
  const network = isBuy ? ceilingOf((NETWORK[networkOf(blockchain)] ?? OTHER_NETWORK) * rate, SCALE) : 0n;
  const tax = TAX[fiatCurrency];
  const fees: Price['fees'] = [
    { type: 'MARKUP', units: percentageOf(gross, markup) },
    { type: 'NETWORK', units: network },
    { type: 'PROCESSING', units: percentageOf(gross, PROCESSING[paymentMethodType]) },
    ...(tax === undefined ? [] : [{ type: 'TAX', units: percentageOf(gross, tax) } as const]),
  ];
  const net = gross - totalOf(fees);
  const crypto = isBuy ? (net * SCALE) / rate : customerAmount;
  if (net <= 0n || crypto <= 0n) return undefined;
  return { fiat: isBuy ? customerAmount : net, crypto, rate, fees };
}

export function totalOf(fees: Price['fees']): bigint {
  return fees.reduce((sum, { units }) => sum + units, 0n);
}

function percentageOf(amount: bigint, basisPoints: bigint): bigint {
  return ceilingOf(amount * basisPoints, BASIS_POINTS);
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
