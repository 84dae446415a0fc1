import type { z } from 'zod';
import type { Contract } from '../../api/contract';
import { toBaseUnits } from '../../domain/money';
import type { RampType } from '../../domain/ramp';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { customerAmountDecimals, findPairs, isServed, isWithin } from './markets';
import { isExpired } from './quotes';
import type { QuoteRow, SessionRow } from './state';

type SessionBody = z.output<NonNullable<Contract['createRampSession']['body']>>;
type QuoteScreen = Extract<SessionBody, { mode: 'QUOTE_SCREEN' }>;
type ReviewScreen = Extract<SessionBody, { mode: 'REVIEW_SCREEN' }>;
type Terms = Pick<SessionRow, 'pairs' | 'customerAmount'> & { quote?: QuoteRow };

/** The pairs, amount and quote that a new session offers its customer. @throws ApiErrorResponse 110700, 110701, 110702, 2 */
export function termsOf(world: World, body: SessionBody): Terms {
  return body.mode === 'REVIEW_SCREEN' ? termsOfQuote(world, body) : termsOfSelection(world, body);
}

/** @throws ApiErrorResponse 110701 unknown or expired quote, 110702 not in this country, 2 other type or blockchain */
function termsOfQuote(world: World, { quoteId, rampType, walletAddress, country }: ReviewScreen): Terms {
  const quote = world.ramp.quotes.get(quoteId);
  if (!quote || isExpired(world, quote)) throw new ApiErrorResponse(110701);
  const { pair, customerAmount } = quote;
  if (pair.rampType !== rampType || pair.blockchain !== walletAddress.blockchain) {
    throw new ApiErrorResponse(2, { message: `quoteId: the quote is for a ${pair.rampType} on ${pair.blockchain}` });
  }
  if (!isServed(pair, country.countryCode)) throw new ApiErrorResponse(110702);
  return { quote, pairs: [pair], customerAmount };
}

/** @throws ApiErrorResponse 110702 no pair matches, 110700 no pair that matches accepts the amount */
function termsOfSelection(world: World, body: QuoteScreen): Terms {
  const { rampType, fiatAmount, paymentMethodType, walletAddress, country } = body;
  const pairs = findPairs(world.kind, {
    rampType,
    paymentMethodType,
    fiatCurrency: fiatAmount?.currency,
    blockchain: walletAddress.blockchain,
    countryCode: country.countryCode,
  });
  if (pairs.length === 0) throw new ApiErrorResponse(110702);
  const customerAmount = customerAmountOf(body);
  if (customerAmount !== undefined && !pairs.some((pair) => isWithin(pair, customerAmount)))
    throw new ApiErrorResponse(110700);
  return { pairs, customerAmount };
}

interface Amounts {
  rampType: RampType;
  fiatAmount?: { amount?: string | number | undefined } | undefined;
  cryptoAmount?: { amount?: string | number | undefined } | undefined;
}

/** The amount that the customer pays, in base units; undefined if the request names none. */
export function customerAmountOf({ rampType, fiatAmount, cryptoAmount }: Amounts): bigint | undefined {
  const amount = (rampType === 'BUY' ? fiatAmount : cryptoAmount)?.amount ?? '';
  return amount === '' ? undefined : toBaseUnits(String(amount), customerAmountDecimals(rampType));
}
