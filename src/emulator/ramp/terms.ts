import { toBaseUnits } from '../../domain/money';
import type { RampType } from '../../domain/ramp';
import type { Call } from '../area';
import { Refusal } from '../refusal';
import type { World } from '../world';
import { findPairs, givenDecimals, isServed, isWithin } from './markets';
import { isExpired } from './quotes';
import type { QuoteRow, SessionRow } from './state';

type SessionBody = Call<'createRampSession'>['body'];
type QuoteScreen = Extract<SessionBody, { mode: 'QUOTE_SCREEN' }>;
type ReviewScreen = Extract<SessionBody, { mode: 'REVIEW_SCREEN' }>;
type Terms = Pick<SessionRow, 'pairs' | 'given'> & { quote?: QuoteRow };

/** What a new session's customer can do. @throws Refusal 110700, 110701, 110702, 2 */
export function termsOf(world: World, body: SessionBody): Terms {
  return body.mode === 'REVIEW_SCREEN' ? confirmed(world, body) : chosen(world, body);
}

/** @throws Refusal 110701 no such quote any more, 110702 not in this country, 2 not the quote's type or blockchain */
function confirmed(world: World, { quoteId, rampType, walletAddress, country }: ReviewScreen): Terms {
  const quote = world.store.ramp.quotes.get(quoteId);
  if (!quote || isExpired(world, quote)) throw new Refusal(110701);
  const { pair, given } = quote;
  if (pair.rampType !== rampType || pair.blockchain !== walletAddress.blockchain) {
    throw new Refusal(2, { message: `The quote is a ${pair.rampType} on ${pair.blockchain}` });
  }
  if (!isServed(pair, country.countryCode)) throw new Refusal(110702);
  return { quote, pairs: [pair], given };
}

/** @throws Refusal 110702 nothing fits, 110700 only other amounts do */
function chosen(world: World, body: QuoteScreen): Terms {
  const { rampType, fiatAmount, paymentMethodType, walletAddress, country } = body;
  const pairs = findPairs(world.kind, {
    rampType,
    paymentMethodType,
    fiatCurrency: fiatAmount?.currency,
    blockchain: walletAddress.blockchain,
    countryCode: country.countryCode,
  });
  if (pairs.length === 0) throw new Refusal(110702);
  const given = givenOf(body);
  if (given !== undefined && !pairs.some((pair) => isWithin(pair, given))) throw new Refusal(110700);
  return { pairs, given };
}

interface Amounts {
  rampType: RampType;
  fiatAmount?: { amount?: string | number | undefined } | undefined;
  cryptoAmount?: { amount?: string | number | undefined } | undefined;
}

/** What the customer gives, in base units, if the request says so. */
export function givenOf({ rampType, fiatAmount, cryptoAmount }: Amounts): bigint | undefined {
  const amount = (rampType === 'BUY' ? fiatAmount : cryptoAmount)?.amount ?? '';
  return amount === '' ? undefined : toBaseUnits(String(amount), givenDecimals(rampType));
}
