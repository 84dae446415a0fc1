import { toFixedDecimals } from '../../domain/money';
import { CRYPTO_DECIMALS, FIAT_DECIMALS, type FiatCurrency, RATE_DECIMALS } from '../../domain/ramp';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { isWithin, type TradingPair } from './markets';
import { type Price, priceOf, totalOf } from './pricing';
import { rateAt, USUAL_DRIFT } from './rates';
import type { QuoteRow } from './state';

const PARTNER = 'Sample Exchange';

/**
 * A new quote at the current rate.
 * @throws ApiErrorResponse 110700 outside the limits, 110701 the partner offers nothing, or fees use up the whole amount
 */
export function makeQuote(world: World, pair: TradingPair, customerAmount: bigint): QuoteRow {
  const { clock, random, settings, ramp } = world;
  if (!isWithin(pair, customerAmount)) throw new ApiErrorResponse(110700);
  const rate = currentRate(world, pair.fiatCurrency);
  const price = settings.rampQuotes ? priceOf(pair, customerAmount, rate, BigInt(settings.rampMarkup)) : undefined;
  if (!price) throw new ApiErrorResponse(110701);
  const id = random.uuid();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + settings.rampQuoteMs);
  return ramp.quotes.add({
    id,
    pair,
    customerAmount,
    expiresAt,
    resource: {
      id,
      blockchain: pair.blockchain,
      paymentMethodType: pair.paymentMethodType,
      ...presentPrice(pair, price),
      partnerName: PARTNER,
      createDate: now.toISOString(),
      expireDate: expiresAt.toISOString(),
    },
  });
}

export function isExpired({ clock }: World, { expiresAt }: QuoteRow): boolean {
  return clock.now() >= expiresAt;
}

/** Fiat for one USDC. */
export function currentRate({ clock, ramp }: World, fiatCurrency: FiatCurrency): bigint {
  return rateAt(fiatCurrency, ramp.drifts.get(fiatCurrency) ?? USUAL_DRIFT, clock.now());
}

export function fiatMoney(units: bigint, currency: FiatCurrency) {
  return { amount: toFixedDecimals(units, FIAT_DECIMALS), currency };
}

export function cryptoMoney(units: bigint) {
  return { amount: toFixedDecimals(units, CRYPTO_DECIMALS), currency: 'USDC' as const };
}

function presentPrice({ fiatCurrency }: TradingPair, { fiat, crypto, rate, fees }: Price) {
  return {
    fiatAmount: fiatMoney(fiat, fiatCurrency),
    cryptoAmount: cryptoMoney(crypto),
    exchangeRate: { rate: toFixedDecimals(rate, RATE_DECIMALS), pair: `USDC/${fiatCurrency}` },
    fees: {
      totalAmount: fiatMoney(totalOf(fees), fiatCurrency),
      breakdown: fees.map(({ type, units }) => ({ type, amount: fiatMoney(units, fiatCurrency) })),
    },
  };
}
