import type { FiatCurrency, PaymentMethod, RampFeeType } from '../../domain/ramp';
import { networkOf } from './blockchains';
import type { Pair } from './markets';

/** What a trade comes to, in base units. */
export interface Price {
  /** Fees included: what the customer pays (BUY), or is paid (SELL). */
  fiat: bigint;
  crypto: bigint;
  rate: bigint;
  /** In fiat. */
  fees: readonly { type: RampFeeType; units: bigint }[];
}

const BASIS_POINTS = 10_000n;
/** Between cents, and base units of USDC times base units of the rate. */
const SCALE = 10n ** 10n;

/** The partner's share, in basis points. */
const PROCESSING: Record<PaymentMethod, bigint> = {
  WIRE: 20n,
  SEPA: 30n,
  SPEI: 100n,
  PIX: 150n,
  ARS_BANK_TRANSFER: 200n,
};
/** Where the trade is taxed, in basis points. */
const TAX: Partial<Record<FiatCurrency, bigint>> = { BRL: 38n, ARS: 120n };
/** What sending USDC to the customer costs, in base units of USDC; of a sale the customer pays it himself. */
const NETWORK: Record<string, bigint> = { ETH: 1_500_000n, XLM: 10_000n };
const OTHER_NETWORK = 100_000n;

/** Undefined where fees leave nothing over. Fees are rounded up to the cent, amounts down. */
export function priceOf(pair: Pair, given: bigint, rate: bigint, markup: bigint): Price | undefined {
  const { rampType, fiatCurrency, paymentMethodType, blockchain } = pair;
  const isBuy = rampType === 'BUY';
  const gross = isBuy ? given : (given * rate) / SCALE;
  const network = isBuy ? ceilingOf((NETWORK[networkOf(blockchain)] ?? OTHER_NETWORK) * rate, SCALE) : 0n;
  const tax = TAX[fiatCurrency];
  const fees: Price['fees'] = [
    { type: 'MARKUP', units: share(gross, markup) },
    { type: 'NETWORK', units: network },
    { type: 'PROCESSING', units: share(gross, PROCESSING[paymentMethodType]) },
    ...(tax === undefined ? [] : [{ type: 'TAX', units: share(gross, tax) } as const]),
  ];
  const net = gross - totalOf(fees);
  const crypto = isBuy ? (net * SCALE) / rate : given;
  if (net <= 0n || crypto <= 0n) return undefined;
  return { fiat: isBuy ? given : net, crypto, rate, fees };
}

export function totalOf(fees: Price['fees']): bigint {
  return fees.reduce((sum, { units }) => sum + units, 0n);
}

function share(amount: bigint, basisPoints: bigint): bigint {
  return ceilingOf(amount * basisPoints, BASIS_POINTS);
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
