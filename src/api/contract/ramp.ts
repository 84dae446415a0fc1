import { z } from 'zod';
import {
  CRYPTO_CURRENCIES,
  CRYPTO_DECIMALS,
  FIAT_CURRENCIES,
  FIAT_DECIMALS,
  PAYMENT_METHODS,
  RAMP_BLOCKCHAINS,
  RAMP_FEE_TYPES,
  RAMP_STATUSES,
  RAMP_TYPES,
  type RampType,
  US_STATES,
} from '../../domain/ramp';
import { endpoint, type Rule } from './endpoint';
import { INVALID_PARAMETER } from './rules';
import { data, decimal, idParams, openEnum, paging, rows, timestamp, uuid } from './schema';

/** Digits with a limited number of decimals. An empty string means no amount. */
const requestAmount = (decimals: number) =>
  decimal
    .refine((value) => new RegExp(`^(?:\\d+(?:\\.\\d{1,${decimals}})?)?$`).test(String(value)), {
      error: `must be digits with at most ${decimals} decimals`,
    })
    .optional();

const fiatRequest = z.object({ amount: requestAmount(FIAT_DECIMALS), currency: z.enum(FIAT_CURRENCIES) });
const cryptoRequest = z.object({ amount: requestAmount(CRYPTO_DECIMALS), currency: z.enum(CRYPTO_CURRENCIES) });

interface AmountFields {
  rampType: RampType;
  fiatAmount?: { amount?: string | number | undefined } | undefined;
  cryptoAmount?: { amount?: string | number | undefined } | undefined;
}

const isEmpty = (money: AmountFields['fiatAmount']) => money?.amount === undefined || money.amount === '';
const payAmount = (body: AmountFields) => (body.rampType === 'BUY' ? body.fiatAmount : body.cryptoAmount);
const receiveAmount = (body: AmountFields) => (body.rampType === 'BUY' ? body.cryptoAmount : body.fiatAmount);

/**
 * The customer pays a stated amount. The amount that the customer receives is not stated here; it is in the quote
 * (docs/api-behavior.md#ramp).
 */
const RECEIVE_AMOUNT_EMPTY: Rule<AmountFields> = [INVALID_PARAMETER, (body) => !isEmpty(receiveAmount(body))];
const PAY_AMOUNT_REQUIRED: Rule<AmountFields> = [INVALID_PARAMETER, (body) => isEmpty(payAmount(body))];

const sessionFields = {
  rampType: z.enum(RAMP_TYPES),
  /** Where bought USDC goes, or where sold USDC comes from. */
  walletAddress: z.object({
    blockchain: z.enum(RAMP_BLOCKCHAINS),
    address: z.string().min(1),
    /** A memo on Stellar. */
    addressTag: z.string().optional(),
  }),
  country: z
    .object({
      /** ISO 3166-1 alpha-2. */
      countryCode: z.string().regex(/^[A-Z]{2}$/),
      subdivisionCode: z.string().optional(),
    })
    .refine(
      ({ countryCode, subdivisionCode }) =>
        subdivisionCode === undefined || (countryCode === 'US' && US_STATES.has(subdivisionCode)),
      { path: ['subdivisionCode'], error: 'must be a US state' },
    ),
  customerRefId: z.string().min(1).optional(),
  refId: z.string().min(1).optional(),
  redirectUrl: z.url().optional(),
};

const sessionRequest = z.discriminatedUnion('mode', [
  /** The customer chooses amount and payment method. Values of the request are filled in already. */
  z.object({
    mode: z.literal('QUOTE_SCREEN'),
    ...sessionFields,
    fiatAmount: fiatRequest.optional(),
    cryptoAmount: cryptoRequest.optional(),
    paymentMethodType: z.enum(PAYMENT_METHODS).optional(),
  }),
  /** The customer confirms a quote. */
  z.object({ mode: z.literal('REVIEW_SCREEN'), ...sessionFields, quoteId: uuid }),
]);

const rampBlockchain = openEnum(RAMP_BLOCKCHAINS);
const rampType = openEnum(RAMP_TYPES);
const paymentMethodType = openEnum(PAYMENT_METHODS);
const fiatMoney = z.object({ amount: z.string().optional(), currency: openEnum(FIAT_CURRENCIES) });
const cryptoMoney = z.object({ amount: z.string().optional(), currency: openEnum(CRYPTO_CURRENCIES) });
const address = z.object({ blockchain: rampBlockchain, address: z.string(), addressTag: z.string().optional() });

/** Fiat per USDC, with six decimals. */
const exchangeRate = z.object({ rate: z.string(), pair: z.string() });
const fees = z.object({
  totalAmount: fiatMoney,
  breakdown: z.array(z.object({ type: openEnum(RAMP_FEE_TYPES), amount: fiatMoney })),
});

export const rampQuote = z.object({
  id: z.string(),
  blockchain: rampBlockchain,
  paymentMethodType,
  /** What the customer pays (BUY) or receives (SELL), with fees included. */
  fiatAmount: fiatMoney,
  cryptoAmount: cryptoMoney,
  partnerName: z.string(),
  exchangeRate,
  fees,
  createDate: timestamp,
  expireDate: timestamp,
});

export const rampSession = z.object({
  id: z.string(),
  rampType,
  status: openEnum(RAMP_STATUSES),
  /** The page for the customer. */
  url: z.string(),
  refId: z.string().optional(),
  customerRefId: z.string().optional(),
  country: z.object({ countryCode: z.string(), subdivisionCode: z.string().optional() }).optional(),
  walletAddress: address,
  quote: rampQuote.optional(),
  redirectUrl: z.string().optional(),
  /** What has happened so far. For a SELL, the customer sends the USDC to `toAddress`. */
  transaction: z
    .object({
      fiatAmount: fiatMoney.optional(),
      cryptoAmount: cryptoMoney.optional(),
      fromAddress: address.optional(),
      toAddress: address.optional(),
      txHash: z.string().optional(),
      fees: fees.optional(),
      exchangeRate: exchangeRate.optional(),
    })
    .optional(),
  createDate: timestamp,
  updateDate: timestamp,
});

const limitAmount = z.union([fiatMoney, cryptoMoney]);
const tradeLimit = z.object({ minAmount: limitAmount, maxAmount: limitAmount, currency: openEnum(FIAT_CURRENCIES) });

/** Buying and selling USDC for fiat (docs/api-behavior.md#ramp). */
export const ramp = {
  listTradeConfigurations: endpoint({
    method: 'GET',
    path: '/ramp/tradeConfigurations',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      rampType: z.enum(RAMP_TYPES),
      fiatCurrency: z.enum(FIAT_CURRENCIES).optional(),
      blockchain: z.enum(RAMP_BLOCKCHAINS).optional(),
      paymentMethodType: z.enum(PAYMENT_METHODS).optional(),
    }),
    response: data(
      z.object({
        /** The union of all pairs. Not every combination of these values can be traded. */
        overview: z.object({
          rampType,
          fiatCurrencies: z.array(openEnum(FIAT_CURRENCIES)),
          cryptoCurrencies: z.array(z.string()),
          blockchains: z.array(rampBlockchain),
          paymentMethodTypes: z.array(paymentMethodType),
          tradeLimits: z.array(tradeLimit),
        }),
        supportedTradingPairs: rows(
          z.object({
            rampType,
            fiatCurrency: openEnum(FIAT_CURRENCIES),
            cryptoCurrency: z.string(),
            blockchain: rampBlockchain,
            paymentMethodType,
            tradeLimit,
          }),
        ),
      }),
    ),
    errors: [156006],
    summary: 'Lists what can be traded: currencies, payment methods, blockchains and limits',
  }),
  createRampQuote: endpoint({
    method: 'POST',
    path: '/ramp/quotes',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({
      rampType: z.enum(RAMP_TYPES),
      blockchain: z.enum(RAMP_BLOCKCHAINS),
      paymentMethodType: z.enum(PAYMENT_METHODS),
      fiatAmount: fiatRequest.optional(),
      cryptoAmount: cryptoRequest.optional(),
    }),
    rules: [RECEIVE_AMOUNT_EMPTY, PAY_AMOUNT_REQUIRED],
    response: data(rampQuote),
    errors: [110700, 110701, 110702, 156006],
    summary: 'Creates a quote for buying or selling USDC, valid until it expires',
  }),
  createRampSession: endpoint({
    method: 'POST',
    path: '/ramp/sessions',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'natural',
    body: sessionRequest,
    rules: [[INVALID_PARAMETER, (body) => body.mode === 'QUOTE_SCREEN' && RECEIVE_AMOUNT_EMPTY[1](body)]],
    response: data(rampSession),
    errors: [110700, 110701, 110702, 110703, 156006],
    summary: 'Starts a purchase or sale on a page for the customer',
  }),
  listRampSessions: endpoint({
    method: 'GET',
    path: '/ramp/sessions',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      rampType: z.enum(RAMP_TYPES).optional(),
      status: z.enum(RAMP_STATUSES).optional(),
      customerRefId: z.string().optional(),
      refId: z.string().optional(),
      txHash: z.string().optional(),
      blockchain: z.enum(RAMP_BLOCKCHAINS).optional(),
      ...paging,
    }),
    response: data(rows(rampSession)),
    errors: [156012, 156014],
    summary: 'Lists ramp sessions, newest first',
  }),
  getRampSession: endpoint({
    method: 'GET',
    path: '/ramp/sessions/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: data(rampSession),
    errors: [404, 156009],
    summary: 'Returns one ramp session',
  }),
};
