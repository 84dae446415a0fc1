import type { TRAVEL_RULE_ASSETS } from '../../../api/contract/travelRule';
import { checkAddress } from '../../../crypto/addresses';
import type { ChainFamily } from '../../../domain/chains';
import { fromBaseUnits, toBaseUnits } from '../../../domain/money';
import { fieldRefusal } from '../../fieldRefusal';

export type Asset = (typeof TRAVEL_RULE_ASSETS)[number];

/** An amount in US dollars is counted in millionths. */
const USD_DECIMALS = 6;

export function usd(amount: string): bigint {
  return toBaseUnits(amount, USD_DECIMALS);
}

/** What one token is worth: the emulator's own, and always the same, so that thresholds can be met to the cent. */
const PRICES: Readonly<Record<string, bigint>> = {
  USDC: usd('1'),
  EURC: usd('1.1'),
  ETH: usd('3000'),
  AVAX: usd('25'),
  POL: usd('0.5'),
  SOL: usd('150'),
};

const ASSETS: Readonly<Record<Asset, { symbol: string; decimals: number; families: readonly ChainFamily[] }>> = {
  AVAX: { symbol: 'AVAX', decimals: 18, families: ['evm'] },
  ETH: { symbol: 'ETH', decimals: 18, families: ['evm'] },
  'ETH-SEPOLIA': { symbol: 'ETH', decimals: 18, families: ['evm'] },
  MATIC: { symbol: 'POL', decimals: 18, families: ['evm'] },
  SOL: { symbol: 'SOL', decimals: 9, families: ['solana'] },
  USDC: { symbol: 'USDC', decimals: 6, families: ['evm', 'solana'] },
};

/** `5000 USDC`. */
export function shownAmount(asset: Asset, units: string): string {
  const { symbol, decimals } = ASSETS[asset];
  return `${fromBaseUnits(BigInt(units), decimals)} ${symbol}`;
}

/** Millionths of a dollar, rounded down; undefined for a token without a price. */
export function valueOf(symbol: string | undefined, units: bigint, decimals: number): bigint | undefined {
  const price = PRICES[symbol ?? ''];
  return price === undefined ? undefined : (units * price) / 10n ** BigInt(decimals);
}

/** @param amount base units */
export function assetValue(asset: Asset, amount: string): bigint | undefined {
  const { symbol, decimals } = ASSETS[asset];
  return valueOf(symbol, BigInt(amount), decimals);
}

/**
 * The published test address of a self-hosted wallet has 39 digits (api-facts 9). It is taken so, and with the zero in front
 * that makes it an address one can send to.
 */
const PUBLISHED_SELF_HOSTED = '0xd639717dec24f56770aad40ad5414f80fa7f8d2';
export const SELF_HOSTED_ADDRESS = '0x0d639717dec24f56770aad40ad5414f80fa7f8d2';

/** One way to spell an address of any of the assets: hex is blind to case. */
export function spellingOf(address: string): string {
  if (!address.startsWith('0x')) return address;
  const lower = address.toLowerCase();
  return lower === PUBLISHED_SELF_HOSTED ? SELF_HOSTED_ADDRESS : lower;
}

/** @throws Refusal 2 naming the field */
export function requireAddress(asset: Asset, location: string, address: string): void {
  const spelling = spellingOf(address);
  const known = spelling === SELF_HOSTED_ADDRESS ? spelling : address;
  const problems = ASSETS[asset].families.map((family) => checkAddress(family, known));
  const [problem] = problems;
  if (problems.every((one) => one !== undefined)) throw fieldRefusal(location, problem!, 'pattern_mismatch');
}

export function familiesOf(asset: Asset): readonly ChainFamily[] {
  return ASSETS[asset].families;
}
