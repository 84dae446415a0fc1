/** Values of the ramp endpoints (docs/api-behavior.md#ramp). */

/** `BUY`: fiat for USDC; `SELL`: USDC for fiat. */
export const RAMP_TYPES = ['BUY', 'SELL'] as const;
export const RAMP_STATUSES = ['PENDING', 'DEPOSIT_RECEIVED', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;
export const RAMP_FEE_TYPES = ['MARKUP', 'NETWORK', 'PROCESSING', 'TAX'] as const;
export const FIAT_CURRENCIES = ['ARS', 'BRL', 'EUR', 'MXN', 'USD'] as const;
export const CRYPTO_CURRENCIES = ['USDC'] as const;
export const PAYMENT_METHODS = ['WIRE', 'SEPA', 'SPEI', 'PIX', 'ARS_BANK_TRANSFER'] as const;
/** Not the blockchains of wallets: `XLM` has a ramp but no wallets, and most blockchains of wallets have no ramp. */
export const RAMP_BLOCKCHAINS = [
  'ETH',
  'ARB',
  'BASE',
  'MATIC',
  'OP',
  'XLM',
  'ETH-SEPOLIA',
  'ARB-SEPOLIA',
  'BASE-SEPOLIA',
  'MATIC-AMOY',
  'OP-SEPOLIA',
  'XLM-TESTNET',
] as const;

export type RampType = (typeof RAMP_TYPES)[number];
export type RampStatus = (typeof RAMP_STATUSES)[number];
export type RampFeeType = (typeof RAMP_FEE_TYPES)[number];
export type FiatCurrency = (typeof FIAT_CURRENCIES)[number];
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
export type RampBlockchain = (typeof RAMP_BLOCKCHAINS)[number];

/** All fiat currencies of the ramp have two decimals. */
export const FIAT_DECIMALS = 2;
/** USDC has six decimals. */
export const CRYPTO_DECIMALS = 6;
/** Decimals of an exchange rate, which is the amount of fiat for one USDC. */
export const RATE_DECIMALS = 6;

/** The states of the US and its capital district (ISO 3166-2, without the prefix `US-`). */
export const US_STATES: ReadonlySet<string> = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR ' +
    'PA RI SC SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
);
