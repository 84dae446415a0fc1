import { fromBaseUnits, toBaseUnits } from '../../domain/money';
import type { Table } from '../kit/table';
import type { Token, Transaction } from './resources';
import { isNft } from './tokens';

/** Amounts in US dollars are counted in millionths. */
const USD_DECIMALS = 6;

export function usd(amount: string): bigint {
  return toBaseUnits(amount, USD_DECIMALS);
}

/** Price of one token in US dollars. Prices are the emulator's own and fixed, so a test can hit a threshold exactly. */
const PRICES: Readonly<Record<string, bigint>> = {
  USDC: usd('1'),
  EURC: usd('1.1'),
  ETH: usd('3000'),
  AVAX: usd('25'),
  POL: usd('0.5'),
  SOL: usd('150'),
};

/** Millionths of a dollar, rounded down; undefined for a token without a price. */
export function usdValue(symbol: string | undefined, units: bigint, decimals: number): bigint | undefined {
  const price = PRICES[symbol ?? ''];
  return price === undefined ? undefined : (units * price) / 10n ** BigInt(decimals);
}

/** A decimal string; 0 for NFTs, undefined for another token without a price. @param units base units of the token */
export function dollarsOf(token: Token, units: bigint): string | undefined {
  const value = isNft(token) ? 0n : usdValue(token.symbol, units, token.decimals ?? 0);
  return value === undefined ? undefined : fromBaseUnits(value, USD_DECIMALS);
}

/** What a transfer is worth: the API's field `amountInUSD`. Undefined for a transaction without tokens. */
export function amountInUSD(
  { tokens }: { tokens: Table<Token> },
  { tokenId = '', amounts = [] }: Partial<Transaction>,
): string | undefined {
  const token = tokens.get(tokenId);
  if (!token) return undefined;
  const units = amounts.reduce((sum, amount) => sum + toBaseUnits(amount, token.decimals ?? 0), 0n);
  return dollarsOf(token, units);
}
