import type { TRAVEL_RULE_ASSETS } from '../../api/contract/travelRule';
import { checkAddress } from '../../crypto/addresses';
import type { ChainFamily } from '../../domain/chains';
import { fromBaseUnits } from '../../domain/money';
import { invalidField } from '../errors/invalidField';
import { usdValue } from '../ledger/usdPrices';

export type TravelRuleAsset = (typeof TRAVEL_RULE_ASSETS)[number];

const ASSETS: Readonly<
  Record<TravelRuleAsset, { symbol: string; decimals: number; families: readonly ChainFamily[] }>
> = {
  AVAX: { symbol: 'AVAX', decimals: 18, families: ['evm'] },
  ETH: { symbol: 'ETH', decimals: 18, families: ['evm'] },
  'ETH-SEPOLIA': { symbol: 'ETH', decimals: 18, families: ['evm'] },
  MATIC: { symbol: 'POL', decimals: 18, families: ['evm'] },
  SOL: { symbol: 'SOL', decimals: 9, families: ['solana'] },
  USDC: { symbol: 'USDC', decimals: 6, families: ['evm', 'solana'] },
};

/** `5000 USDC`. */
export function formatAmount(asset: TravelRuleAsset, units: string): string {
  const { symbol, decimals } = ASSETS[asset];
  return `${fromBaseUnits(BigInt(units), decimals)} ${symbol}`;
}

/** @param amount base units */
export function assetUsdValue(asset: TravelRuleAsset, amount: string): bigint | undefined {
  const { symbol, decimals } = ASSETS[asset];
  return usdValue(symbol, BigInt(amount), decimals);
}

/**
 * The published test address of a self-hosted wallet has 39 digits (docs/api-behavior.md#travel-rule). The emulator accepts
 * it as published, and with a leading zero that makes it an address to which a wallet can send.
 */
const PUBLISHED_TEST_ADDRESS = '0xd639717dec24f56770aad40ad5414f80fa7f8d2';
export const SELF_HOSTED_ADDRESS = '0x0d639717dec24f56770aad40ad5414f80fa7f8d2';

/** The canonical form of an address: hex addresses in lower case, since their case does not matter. */
export function canonicalAddress(address: string): string {
  if (!address.startsWith('0x')) return address;
  const lower = address.toLowerCase();
  return lower === PUBLISHED_TEST_ADDRESS ? SELF_HOSTED_ADDRESS : lower;
}

/** @throws ApiErrorResponse 2 with the field if the address is valid on no blockchain of the asset */
export function requireAddress(asset: TravelRuleAsset, location: string, address: string): void {
  const spelling = canonicalAddress(address);
  const known = spelling === SELF_HOSTED_ADDRESS ? spelling : address;
  const problems = ASSETS[asset].families.map((family) => checkAddress(family, known));
  const [problem] = problems;
  if (problems.every((one) => one !== undefined)) throw invalidField(location, problem!, 'pattern_mismatch');
}

/** The token of an asset, on whichever blockchain: `ETH` for `ETH-SEPOLIA`. */
export function symbolOf(asset: TravelRuleAsset): string {
  return ASSETS[asset].symbol;
}

export function familiesOf(asset: TravelRuleAsset): readonly ChainFamily[] {
  return ASSETS[asset].families;
}
